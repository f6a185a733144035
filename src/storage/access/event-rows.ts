import type { Insertable } from 'kysely'
import type { AccessEventRow } from '../access-tables.ts'
import type { Writing } from '../database.ts'

export async function insertEvent(rows: Writing, event: Insertable<AccessEventRow>): Promise<void> {
  await rows.insertInto('access_event').values(event).execute()
}
