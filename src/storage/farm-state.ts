import { randomBytes } from 'node:crypto'
import type { RecordTypeName } from '../farm/farm.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot, Transaction } from './database.ts'
import { forever } from './history/stay-rows.ts'
import { ask, type Fragment, fragment, word } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { preparedFirst } from './sql/prepared.ts'

/** The version of the farm: while both are the same, its records read the same. */
export interface FarmState {
  /** The edition (see edition.ts). */
  readonly edition: string
  /**
   * A word that changes whenever records of a type may read differently than before: with every change to any record, and,
   * where values are computed from logs up to the present, with every log whose time has come.
   */
  readonly changes: string
}

/** A cache key for this state. */
export const wordOf = ({ edition, changes }: FarmState): string => `${edition} ${changes}`

export async function farmState(snapshot: Snapshot, type: RecordTypeName, time: PointInTime): Promise<FarmState> {
  const [found] = await ask<StateRow>(snapshot, lastChange[snapshot.engine])
  const { edition, changes } = { edition: found?.edition ?? noEdition, changes: String(found?.changes ?? 0) }
  if (!movesWithTime(type, time)) return { edition, changes }
  const [last] = await ask<NextDueRow>(
    snapshot,
    fragment`select max(timestamp) as due from log where timestamp <= ${time.second}`,
  )
  return { edition, changes: `${changes}-${last?.due ?? 0}` }
}

/** Stays also end when an asset is archived, which may have been said beforehand. */
export async function stateOfStays(snapshot: Snapshot, now: number): Promise<FarmState> {
  const state = await farmState(snapshot, 'asset', atPresent(now))
  const [last] = await ask<NextDueRow>(
    snapshot,
    fragment`select max(archived) as due from asset where archived <= ${now}`,
  )
  return { ...state, changes: `${state.changes}-${last?.due ?? 0}` }
}

/** The second at which something may be computed differently without any change; Infinity where nothing is to come. */
export async function nextDue(snapshot: Snapshot, type: RecordTypeName, time: PointInTime): Promise<number> {
  if (!movesWithTime(type, time)) return Number.POSITIVE_INFINITY
  const [next] = await ask<NextDueRow>(
    snapshot,
    fragment`select min(timestamp) as due from log where timestamp > ${time.second}`,
  )
  return next?.due ?? Number.POSITIVE_INFINITY
}

/** Logs and quantities have no computed fields, and the past does not change with time. */
const movesWithTime = (type: RecordTypeName, time: PointInTime): boolean =>
  type !== 'log' && type !== 'quantity' && isPresent(time)

/** The time of a log, if there is one. */
interface NextDueRow {
  readonly due: number | null
}

interface StateRow {
  readonly edition: string | null
  readonly changes: string | number | null
}

const withEdition = (changes: Fragment) => fragment`select ${changes} as changes, ${editionInSql} as edition`

/** For statements that also select other things. */
export const editionInSql = word('(select min(value) from edition)')

const lastChange = {
  // One writer: the last entry is the last change.
  sqlite: withEdition(fragment`(select max(sequence) from journal)`),
  // Writers overtake one another, and an older entry may appear after a newer one: which changes are seen is the state.
  postgres: withEdition(fragment`pg_current_snapshot()::text`),
}

/** A random value; letters, digits, - and _. */
export const newEdition = (): string => randomBytes(9).toString('base64url')

/**
 * The edition identifies a farm. A created, restored or imported farm gets a new one, and no backup carries it:
 * revisions and journal positions of one edition mean nothing in another.
 */
export async function readEdition(snapshot: Snapshot): Promise<string> {
  return (await theEdition(snapshot))?.value ?? noEdition
}

// Not the first in order: a limit is a value, for which SQLite makes a new plan each time.
const theEdition = preparedFirst((snapshot) =>
  snapshot.selectFrom('edition').select(({ fn }) => fn.min('value').as('value')),
)

/** Found where the row is lost, or by a snapshot from before a farm that has come meanwhile. */
export const noEdition = ''

/** The edition of the farm, which is given one if it has lost it. */
export async function ensureEdition(tx: Transaction): Promise<string> {
  const found = await readEdition(tx)
  if (found !== noEdition) return found
  await insertAll(tx, 'edition', [{ value: newEdition() }])
  return readEdition(tx)
}

/** The farm is another than the one that is remembered: what was thrown it has to be forgotten, and the work be done again. */
export class AnotherEdition extends Refusal {
  constructor() {
    super('busy', 'Another farm has just taken the place of this one. Try again.', { retryAfterSeconds: 1 })
  }
}

/** Called wherever something that is remembered is about to be used. */
export function requireEdition(remembered: { readonly edition: string }, found: string): void {
  if (found !== remembered.edition) throw new AnotherEdition()
}

/** The second that a question about the farm is of. */
export interface PointInTime {
  readonly second: number
  /** An asset that was archived by then counts as archived. */
  readonly archivedBy: number
}

/** At present an archived asset counts as archived, whatever time it names. */
export const atPresent = (now: number): PointInTime => ({ second: now, archivedBy: forever })

export const isPresent = ({ archivedBy }: PointInTime): boolean => archivedBy === forever

/** An asset archived later was still there. */
export const inThePast = (second: number): PointInTime => ({ second, archivedBy: second })
