import type { ReferableType } from '../fields/field.ts'
import type { RecordTypeName } from './farm.ts'

export type NamedType = ReferableType | RecordTypeName

/** What the record interface calls each type of thing, in its addresses and in references. */
export const resourceNames: Readonly<Record<NamedType, string>> = {
  log: 'log',
  asset: 'farm_asset',
  term: 'taxonomy_term',
  quantity: 'quantity',
  vocabulary: 'taxonomy_vocabulary',
  user: 'user',
}
