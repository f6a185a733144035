import type { ReferableType } from '../fields/field.ts'

/** What the record interface calls each type of thing, in its addresses and in references. */
export const resourceNames: Readonly<Record<ReferableType, string>> = {
  log: 'log',
  asset: 'farm_asset',
  term: 'taxonomy_term',
  vocabulary: 'taxonomy_vocabulary',
  user: 'user',
}
