import type { Selectable } from 'kysely'
import type { AuthorizationCodeRow, AuthorizationRequestRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { preparedChange, preparedFirst } from '../prepared.ts'

export type AuthorizationCode = Selectable<AuthorizationCodeRow>
export type PendingAuthorization = Selectable<AuthorizationRequestRow>

interface Hash {
  readonly hash: string
}

export async function insertPendingAuthorization(rows: Writing, pending: PendingAuthorization): Promise<void> {
  await insertAll(rows, 'authorization_request', [pending])
}

export async function findPendingAuthorization(rows: Reading, hash: string): Promise<PendingAuthorization | undefined> {
  return requestWith(rows, { hash })
}

const requestWith = preparedFirst((rows, { hash }: Hash) =>
  rows.selectFrom('authorization_request').selectAll().where('hash', '=', hash),
)

/** Of many decisions on the same request, true for exactly one. */
export async function takePendingAuthorization(rows: Writing, hash: string): Promise<boolean> {
  return (await deleteRequest(rows, { hash })) === 1
}

const deleteRequest = preparedChange((rows, { hash }: Hash) =>
  rows.deleteFrom('authorization_request').where('hash', '=', hash),
)

export async function insertCode(rows: Writing, code: AuthorizationCode): Promise<void> {
  await insertAll(rows, 'authorization_code', [code])
}

export async function findCode(rows: Reading, hash: string): Promise<AuthorizationCode | undefined> {
  return codeWith(rows, { hash })
}

const codeWith = preparedFirst((rows, { hash }: Hash) =>
  rows.selectFrom('authorization_code').selectAll().where('hash', '=', hash),
)

/** Of many that race for the same code, true for exactly one. */
export async function spendCode(rows: Writing, hash: string, now: number): Promise<boolean> {
  return (await useUnused(rows, { hash, now })) === 1
}

const useUnused = preparedChange((rows, { hash, now }: Hash & { readonly now: number }) =>
  rows.updateTable('authorization_code').set({ used: now }).where('hash', '=', hash).where('used', 'is', null),
)

export async function rememberFamilyOfCode(rows: Writing, hash: string, family: string): Promise<void> {
  await setFamily(rows, { hash, family })
}

const setFamily = preparedChange((rows, { hash, family }: Hash & { readonly family: string }) =>
  rows.updateTable('authorization_code').set({ family }).where('hash', '=', hash),
)
