import type { ReferableType } from '../fields/field.ts'
import type { RecordTypeName } from './farm.ts'

export type NamedType = ReferableType | RecordTypeName

/** The 1.x name of each type, in addresses and references. */
export const resourceNames: Readonly<Record<NamedType, string>> = {
  log: 'log',
  asset: 'farm_asset',
  term: 'taxonomy_term',
  quantity: 'quantity',
  vocabulary: 'taxonomy_vocabulary',
  user: 'user',
}
