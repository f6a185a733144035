import type { RecordTypeName } from '../farm/farm.ts'
import type { Reading } from './database.ts'
import { ask, fragment, word } from './fragment.ts'

/**
 * A word that changes whenever records of that type may read differently than before: with every change to any record,
 * and, where values are computed from logs, with every log whose time has come.
 */
export async function farmState(rows: Reading, type: RecordTypeName, now: number): Promise<string> {
  const changes = await ask<{ state: string | number | null }>(rows, word(lastChange[rows.engine]))
  const state = String(changes[0]?.state ?? 0)
  if (type === 'log') return state
  const [last] = await ask<Due>(rows, fragment`select max(timestamp) as due from log where timestamp <= ${now}`)
  return `${state}-${last?.due ?? 0}`
}

/** The second at which something may be computed differently without any change; Infinity where nothing is to come. */
export async function nextDue(rows: Reading, type: RecordTypeName, now: number): Promise<number> {
  if (type === 'log') return Number.POSITIVE_INFINITY
  const [next] = await ask<Due>(rows, fragment`select min(timestamp) as due from log where timestamp > ${now}`)
  return next?.due ?? Number.POSITIVE_INFINITY
}

/** The time of a log, if there is one. */
interface Due {
  readonly due: number | null
}

const lastChange = {
  // One writer: the last entry is the last change.
  sqlite: 'select max(sequence) as state from journal',
  // Writers overtake one another, and an older entry may appear after a newer one: which changes are seen is the state.
  postgres: 'select pg_current_snapshot()::text as state',
}
