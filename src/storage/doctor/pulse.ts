import { sql } from 'kysely'
import type { Reading, Writing } from '../database.ts'

/** Resolves if the database can be read. */
export async function readsWell(rows: Reading): Promise<void> {
  await rows.selectFrom('migration').select('version').limit(1).execute()
}

/** Resolves if the database can be written: writes a row as it is, so that nothing changes but the disk. */
export async function writesWell(rows: Writing): Promise<void> {
  await sql`update migration set applied = applied where version = 1`.execute(rows)
}
