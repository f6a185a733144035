import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../refusal.ts'
import type { Database, Snapshot } from '../database.ts'
import { existingTables } from '../sql/existing-tables.ts'
import { ask, fragment, word } from '../sql/fragment.ts'

export interface ReplaceOptions {
  /** Treatment of an existing farm; the last option refuses only one with records. */
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

interface Sign {
  readonly table: string
  readonly rows: string
}

/** Rows that only somebody who records something leaves. The first terms, which every farm is born with, are no such sign. */
export const signsOfRecords: readonly Sign[] = [
  ...['log', 'asset', 'file'].map((table) => ({ table, rows: table })),
  { table: 'term', rows: 'term where uid <> 0 or revision > 1' },
]

/** Rows that only somebody who works here leaves. */
export const signsOfLife: readonly Sign[] = [
  ...['account', 'client'].map((table) => ({ table, rows: table })),
  ...signsOfRecords,
]

export async function isWithout(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  signs: readonly Sign[],
): Promise<boolean> {
  const there = await existingTables(snapshot, engine)
  for (const sign of signs.filter(({ table }) => there.has(table))) {
    const found = await ask(snapshot, fragment`select 1 from ${word(sign.rows)} limit 1`)
    if (found.length > 0) return false
  }
  return true
}
