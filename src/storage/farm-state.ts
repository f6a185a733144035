import { randomBytes } from 'node:crypto'
import type { RecordTypeName } from '../farm/farm.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot, Transaction } from './database.ts'
import { forever } from './history/stay-rows.ts'
import { ask, fragment, word } from './sql/fragment.ts'
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

/** The state in one snapshot, and until when it lasts by itself. */
export interface FarmMoment {
  readonly state: FarmState
  /** The second at which something may be computed differently without any change; Infinity if nothing is to come. */
  readonly due: number
  /** The version of the database (VersionedToken); SQLite has another one. */
  readonly version: string
}

export async function farmMoment(snapshot: Snapshot, type: RecordTypeName, time: PointInTime): Promise<FarmMoment> {
  const change = lastChange[snapshot.engine]
  if (!movesWithTime(type, time)) {
    const [found] = await ask<StateRow>(snapshot, fragment`select ${change}`)
    const { edition, changes } = stateIn(found)
    return { state: { edition, changes }, due: Number.POSITIVE_INFINITY, version: changes }
  }
  const [found] = await ask<StateRow & DueRow>(
    snapshot,
    fragment`select ${change}, (select max(timestamp) from log where timestamp <= ${time.second}) as last,
      (select min(timestamp) from log where timestamp > ${time.second}) as next`,
  )
  const { edition, changes } = stateIn(found)
  return {
    state: { edition, changes: `${changes}-${found?.last ?? 0}` },
    due: found?.next ?? Number.POSITIVE_INFINITY,
    version: changes,
  }
}

const stateIn = (found: StateRow | undefined): FarmState => ({
  edition: found?.edition ?? noEdition,
  changes: String(found?.changes ?? 0),
})

export const farmState = async (snapshot: Snapshot, type: RecordTypeName, time: PointInTime): Promise<FarmState> =>
  (await farmMoment(snapshot, type, time)).state

interface WriteState {
  /** The edition that the transaction has found. */
  readonly edition: string
  readonly set: { readonly id: string; readonly hasChanges: boolean }
  readonly time: PointInTime
}

/** The state that a write leaves. PostgreSQL gives no later read the same one, so the set of changes stands for it. */
export const stateOfWrite = async (
  tx: Transaction,
  type: RecordTypeName,
  { edition, set, time }: WriteState,
): Promise<FarmState> =>
  tx.engine === 'postgres' && set.hasChanges ? { edition, changes: set.id } : (await farmMoment(tx, type, time)).state

/** Stays also end when an asset is archived, which may have been said beforehand. */
export async function stateOfStays(snapshot: Snapshot, now: number): Promise<FarmState> {
  const state = await farmState(snapshot, 'asset', atPresent(now))
  const [found] = await ask<Pick<DueRow, 'last'>>(
    snapshot,
    fragment`select max(archived) as last from asset where archived <= ${now}`,
  )
  return { ...state, changes: `${state.changes}-${found?.last ?? 0}` }
}

/** Logs and quantities have no computed fields, and the past does not change with time. */
const movesWithTime = (type: RecordTypeName, time: PointInTime): boolean =>
  type !== 'log' && type !== 'quantity' && isPresent(time)

interface StateRow {
  readonly edition: string | null
  readonly changes: string | number | null
}

/** The times of the logs next to a second, if there are any. */
interface DueRow {
  readonly last: number | null
  readonly next: number | null
}

/** For statements that also select other things. */
export const editionInSql = word('(select min(value) from edition)')

/**
 * A word for all that is committed, for statements that also select other things. Writers overtake one another, and an
 * older entry may appear after a newer one: the set of visible transactions is the version. Another server may give their
 * numbers anew, so its start belongs to it.
 */
export const versionInSql = word(`pg_current_snapshot()::text || ' ' || extract(epoch from pg_postmaster_start_time())`)

const lastChange = {
  // One writer: the last entry is the last change.
  sqlite: fragment`(select max(sequence) from journal) as changes, ${editionInSql} as edition`,
  postgres: fragment`${versionInSql} as changes, ${editionInSql} as edition`,
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
