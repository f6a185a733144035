import type { Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { ClientRow } from '../sql/access-tables.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'

export type StoredClient = Selectable<ClientRow>

export async function findStoredClient(snapshot: Snapshot, id: string): Promise<StoredClient | undefined> {
  return clientWith(snapshot, { id })
}

const clientWith = preparedFirst((snapshot, { id }: { readonly id: string }) =>
  snapshot.selectFrom('client').selectAll().where('id', '=', id),
)

export const allStoredClients = prepared((snapshot) => snapshot.selectFrom('client').selectAll().orderBy('id'))

/** A client that is there already is changed, and stays as old as it is. */
export async function putClient(tx: Transaction, client: StoredClient): Promise<void> {
  await insertOrChange(tx, client)
}

const insertOrChange = preparedChange((tx, client: StoredClient) => {
  const { id, created, ...change } = client
  return tx
    .insertInto('client')
    .values(client)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(change))
})

export async function deleteClient(tx: Transaction, id: string): Promise<void> {
  await deleteWithId(tx, { id })
}

const deleteWithId = preparedChange((tx, { id }: { readonly id: string }) =>
  tx.deleteFrom('client').where('id', '=', id),
)
