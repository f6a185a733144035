import type { CatalogueField } from '../../src/doors/app/documents.ts'
import { say } from './say.ts'

/** In the words of the app where it has some, else in those of the catalogue. */
export function labelOfField(name: string, { label }: Pick<CatalogueField, 'label'>): string {
  return ownLabels[name]?.() ?? label
}

const ownLabels: Readonly<Record<string, () => string>> = {
  timestamp: () => say('field.timestamp'),
  geofield: () => say('field.geofield'),
  inventory: () => say('field.inventory'),
}
