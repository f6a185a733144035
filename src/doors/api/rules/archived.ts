import type { Values } from '../../../fields/value.ts'

/** Since when a record is archived; 0 where it is not. */
export const archivedSince = ({ archived }: Values): number => (typeof archived === 'number' ? archived : 0)

export const assetStatus = (values: Values): 'active' | 'archived' =>
  archivedSince(values) === 0 ? 'active' : 'archived'
