import type { Selectable } from 'kysely'
import type { ClientRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'

export type StoredClient = Selectable<ClientRow>

export async function findStoredClient(rows: Reading, id: string): Promise<StoredClient | undefined> {
  return rows.selectFrom('client').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function allStoredClients(rows: Reading): Promise<StoredClient[]> {
  return rows.selectFrom('client').selectAll().orderBy('id').execute()
}

/** A client that is there already is changed, and stays as old as it is. */
export async function putClient(rows: Writing, client: StoredClient): Promise<void> {
  const { id, created, ...change } = client
  await rows
    .insertInto('client')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
    .execute()
}

export async function deleteClient(rows: Writing, id: string): Promise<void> {
  await rows.deleteFrom('client').where('id', '=', id).execute()
}
