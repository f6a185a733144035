import type { Insertable, Selectable } from 'kysely'
import type { AccessEventRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'

export async function insertEvent(rows: Writing, event: Insertable<AccessEventRow>): Promise<void> {
  await rows.insertInto('access_event').values(event).execute()
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
): Promise<Selectable<AccessEventRow>[]> {
  const recent = rows.selectFrom('access_event').selectAll().where('at', '>=', since)
  const chosen = kinds.length === 0 ? recent : recent.where('event', 'in', kinds)
  return chosen.orderBy('sequence', 'desc').limit(most).execute()
}

/** Takes away some of the events from before that time; answers how many. */
export async function sweepEvents(rows: Writing, before: number, most: number): Promise<number> {
  const { numDeletedRows } = await rows
    .deleteFrom('access_event')
    .where('sequence', 'in', (any) =>
      any.selectFrom('access_event').select('sequence').where('at', '<=', before).limit(most),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
