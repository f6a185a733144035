import type { Selectable } from 'kysely'
import type { AuthorizationCodeRow, AuthorizationRequestRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'

export type AuthorizationCode = Selectable<AuthorizationCodeRow>
export type PendingAuthorization = Selectable<AuthorizationRequestRow>

export async function insertPendingAuthorization(rows: Writing, pending: PendingAuthorization): Promise<void> {
  await rows.insertInto('authorization_request').values(pending).execute()
}

export async function findPendingAuthorization(rows: Reading, hash: string): Promise<PendingAuthorization | undefined> {
  return rows.selectFrom('authorization_request').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Of many decisions on the same request, true for exactly one. */
export async function takePendingAuthorization(rows: Writing, hash: string): Promise<boolean> {
  const taken = await rows.deleteFrom('authorization_request').where('hash', '=', hash).executeTakeFirst()
  return taken.numDeletedRows === 1n
}

export async function insertCode(rows: Writing, code: AuthorizationCode): Promise<void> {
  await rows.insertInto('authorization_code').values(code).execute()
}

export async function findCode(rows: Reading, hash: string): Promise<AuthorizationCode | undefined> {
  return rows.selectFrom('authorization_code').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Of many that race for the same code, true for exactly one. */
export async function spendCode(rows: Writing, hash: string, now: number): Promise<boolean> {
  const spent = await rows
    .updateTable('authorization_code')
    .set({ used: now })
    .where('hash', '=', hash)
    .where('used', 'is', null)
    .executeTakeFirst()
  return spent.numUpdatedRows === 1n
}

export async function rememberFamilyOfCode(rows: Writing, hash: string, family: string): Promise<void> {
  await rows.updateTable('authorization_code').set({ family }).where('hash', '=', hash).execute()
}
