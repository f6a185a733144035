import { badQuery } from '../../../records/finding/filter.ts'
import type { QueryEntry } from '../../http/query.ts'

/** Refuses what is asked beside these. */
export function refuseOthers(entries: readonly QueryEntry[], names: readonly string[]): void {
  const other = entries.find(({ name, brackets }) => brackets.length > 0 || !names.includes(name))
  if (other !== undefined) throw badQuery(other.name, 'is not known here', names)
}
