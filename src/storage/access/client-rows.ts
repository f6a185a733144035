import type { Selectable } from 'kysely'
import type { ClientRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { prepared, preparedChange, preparedFirst } from '../prepared.ts'

export type StoredClient = Selectable<ClientRow>

export async function findStoredClient(rows: Reading, id: string): Promise<StoredClient | undefined> {
  return clientWith(rows, { id })
}

const clientWith = preparedFirst((rows, { id }: { readonly id: string }) =>
  rows.selectFrom('client').selectAll().where('id', '=', id),
)

export const allStoredClients = prepared((rows) => rows.selectFrom('client').selectAll().orderBy('id'))

/** A client that is there already is changed, and stays as old as it is. */
export async function putClient(rows: Writing, client: StoredClient): Promise<void> {
  await insertOrChange(rows, client)
}

const insertOrChange = preparedChange((rows, client: StoredClient) => {
  const { id, created, ...change } = client
  return rows
    .insertInto('client')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
})

export async function deleteClient(rows: Writing, id: string): Promise<void> {
  await deleteWithId(rows, { id })
}

const deleteWithId = preparedChange((rows, { id }: { readonly id: string }) =>
  rows.deleteFrom('client').where('id', '=', id),
)
