import type { Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { AuthorizationCodeRow, AuthorizationRequestRow } from '../sql/access-tables.ts'
import { insertAll } from '../sql/insertion.ts'
import { preparedChange, preparedFirst } from '../sql/prepared.ts'

export type AuthorizationCode = Selectable<AuthorizationCodeRow>
export type PendingAuthorization = Selectable<AuthorizationRequestRow>

interface Hash {
  readonly hash: string
}

export async function insertPendingAuthorization(tx: Transaction, pending: PendingAuthorization): Promise<void> {
  await insertAll(tx, 'authorization_request', [pending])
}

export async function findPendingAuthorization(
  snapshot: Snapshot,
  hash: string,
): Promise<PendingAuthorization | undefined> {
  return requestWith(snapshot, { hash })
}

const requestWith = preparedFirst((snapshot, { hash }: Hash) =>
  snapshot.selectFrom('authorization_request').selectAll().where('hash', '=', hash),
)

/** If several decisions race, true for exactly one. */
export async function takePendingAuthorization(tx: Transaction, hash: string): Promise<boolean> {
  return (await deleteRequest(tx, { hash })) === 1
}

const deleteRequest = preparedChange((tx, { hash }: Hash) =>
  tx.deleteFrom('authorization_request').where('hash', '=', hash),
)

export async function insertCode(tx: Transaction, code: AuthorizationCode): Promise<void> {
  await insertAll(tx, 'authorization_code', [code])
}

export async function findCode(snapshot: Snapshot, hash: string): Promise<AuthorizationCode | undefined> {
  return codeWith(snapshot, { hash })
}

const codeWith = preparedFirst((snapshot, { hash }: Hash) =>
  snapshot.selectFrom('authorization_code').selectAll().where('hash', '=', hash),
)

/** If several requests race, true for exactly one. */
export async function spendCode(tx: Transaction, hash: string, now: number): Promise<boolean> {
  return (await useUnused(tx, { hash, now })) === 1
}

const useUnused = preparedChange((tx, { hash, now }: Hash & { readonly now: number }) =>
  tx.updateTable('authorization_code').set({ used: now }).where('hash', '=', hash).where('used', 'is', null),
)

export async function rememberFamilyOfCode(tx: Transaction, hash: string, family: string): Promise<void> {
  await setFamily(tx, { hash, family })
}

const setFamily = preparedChange((tx, { hash, family }: Hash & { readonly family: string }) =>
  tx.updateTable('authorization_code').set({ family }).where('hash', '=', hash),
)
