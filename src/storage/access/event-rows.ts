import type { Insertable, Selectable } from 'kysely'
import type { AccessEventRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared, preparedChange } from '../prepared.ts'

export async function insertEvent(rows: Writing, event: Insertable<AccessEventRow>): Promise<void> {
  await insertAll(rows, 'access_event', [event])
}

export interface EventSelection {
  /** Empty: of every kind. */
  readonly kinds: readonly string[]
  readonly since: number
  readonly most: number
}

export async function findEvents(
  rows: Reading,
  { kinds, since, most }: EventSelection,
): Promise<readonly Selectable<AccessEventRow>[]> {
  return latestEvents(rows, kinds.length === 0 ? { since, most } : { since, most, kinds })
}

type Events = Partial<EventSelection> & Pick<EventSelection, 'since' | 'most'>

const latestEvents = prepared((rows, { kinds, since, most }: Events) => {
  const recent = rows.selectFrom('access_event').selectAll().where('at', '>=', since)
  const chosen = kinds === undefined ? recent : recent.where('event', 'in', kinds)
  return chosen.orderBy('sequence', 'desc').limit(most)
})

/** Takes away some of the events from before that time; answers how many. */
export async function sweepEvents(rows: Writing, before: number, most: number): Promise<number> {
  return deleteEvents(rows, { before, most })
}

const deleteEvents = preparedChange((rows, { before, most }: { readonly before: number; readonly most: number }) =>
  rows
    .deleteFrom('access_event')
    .where('sequence', 'in', (any) =>
      any.selectFrom('access_event').select('sequence').where('at', '<=', before).limit(most),
    ),
)
