import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Database } from '../database.ts'

export interface ReplaceOptions {
  /** What to do with a farm that is there already; the last refuses only one that somebody has recorded something in. */
  readonly ifOccupied: 'refuse' | 'keep-aside' | 'keep-unrecorded-aside'
  readonly clock: Clock
}

/** Fills a database that nobody sees yet. */
export type Fill = (fresh: Database) => Promise<void>

export const occupied = (where: string): Refusal =>
  new Refusal(
    'conflict',
    `There is a farm in ${where} already, and it is left as it is. Choose an empty place, or put a backup in its stead with \`furrow restore FILE --replace\`, which keeps this farm aside.`,
  )

export const recorded = (where: string): Refusal =>
  new Refusal(
    'conflict',
    `There are records in ${where} already, and they are left as they are. Another farm moves only into one where nobody has recorded anything: choose an empty place with --data or --database.`,
  )

/** Sortable, and different from every other, so that nothing kept aside is ever overwritten. */
export function nameOfThisMoment(clock: Clock): string {
  const time = new Date(clock() * 1000)
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .replace(/\D/g, '')
  return `${time}_${randomBytes(2).toString('hex')}`
}
