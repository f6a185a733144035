import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot } from './database.ts'
import { editionInSql, noEdition } from './edition.ts'
import { atPresent, isPresent, type PointInTime } from './history/point-in-time.ts'
import { ask, type Fragment, fragment } from './sql/fragment.ts'

/** What the farm is like: as long as both are the same, its records read the same. */
export interface FarmState {
  /** Which farm it is (see edition.ts). */
  readonly edition: string
  /**
   * A word that changes whenever records of a type may read differently than before: with every change to any record, and,
   * where values are computed from logs up to the present, with every log whose time has come.
   */
  readonly changes: string
}

/** Under which things are remembered that hold in this state only. */
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

/** Nothing is computed for logs and quantities, and the past is over: later logs change nothing of it by themselves. */
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

const lastChange = {
  // One writer: the last entry is the last change.
  sqlite: withEdition(fragment`(select max(sequence) from journal)`),
  // Writers overtake one another, and an older entry may appear after a newer one: which changes are seen is the state.
  postgres: withEdition(fragment`pg_current_snapshot()::text`),
}
