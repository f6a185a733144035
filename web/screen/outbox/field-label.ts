import type { CatalogueField } from '../../../src/doors/web/catalogue.ts'
import { catalogue } from '../../store/local-copy.ts'
import type { Entry } from '../../store/outbox-entry.ts'
import { typeOnTheWire } from '../../store/record.ts'
import { say } from '../device-say.ts'

/** What the catalogue says of the field that a path such as `quantity[1].measure` begins with. */
export function fieldAt({ type, bundle }: Entry, path: string): CatalogueField | undefined {
  const [name = ''] = path.split(/[.[]/)
  return catalogue.value?.types[typeOnTheWire[type]][bundle]?.fields[name]
}

export function fieldLabel(entry: Entry, path: string): string {
  return path === 'name' ? say('outbox.name') : (fieldAt(entry, path)?.label ?? path)
}
