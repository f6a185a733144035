import type { KeptRecordType } from '../../store/record.ts'

/** How addresses tell records apart: an area is a term, too. */
export type Listed = 'log' | 'asset' | 'area' | 'term'

export const typeListedAs: Readonly<Record<Listed, KeptRecordType>> = {
  log: 'log',
  asset: 'asset',
  area: 'term',
  term: 'term',
}
