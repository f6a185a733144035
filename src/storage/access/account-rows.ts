import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AccountRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { prepared } from '../prepared.ts'
import { isReferredTo } from '../records/referrers.ts'
import { inSlices } from '../slices.ts'

export type Account = Selectable<AccountRow>

export async function findAccount(rows: Reading, uid: number): Promise<Account | undefined> {
  return rows.selectFrom('account').selectAll().where('uid', '=', uid).executeTakeFirst()
}

export async function findAccounts(rows: Reading, uids: readonly number[]): Promise<readonly Account[]> {
  return inSlices(uids, (slice) => accountsIn(rows, { uids: slice }))
}

const accountsIn = prepared((rows, { uids }: { readonly uids: readonly number[] }) =>
  rows.selectFrom('account').selectAll().where('uid', 'in', uids),
)

/** Accounts that a record is about to name: none of them is blocked or removed before it does. */
export async function lockAccountsToName(
  rows: Writing,
  uids: readonly number[],
): Promise<readonly Pick<Account, 'uid' | 'blocked'>[]> {
  return inSlices(uids, (slice) => accountsToName(rows, { uids: slice }))
}

const accountsToName = prepared((rows, { uids }: { readonly uids: readonly number[] }) =>
  rows.selectFrom('account').select(['uid', 'blocked']).where('uid', 'in', uids).forKeyShare(),
)

/** An account that is about to be let in: until that is done it keeps its password and is not blocked. */
export async function lockAccountToAdmit(rows: Writing, uid: number): Promise<Account | undefined> {
  return rows
    .selectFrom('account')
    .selectAll()
    .where('uid', '=', uid)
    .where('blocked', '=', 0)
    .forShare()
    .executeTakeFirst()
}

/** Waits for those who are about to name it or to let it in; those who come later find what became of it. */
export async function lockAccountToChange(rows: Writing, uid: number): Promise<Account | undefined> {
  return rows.selectFrom('account').selectAll().where('uid', '=', uid).forUpdate().executeTakeFirst()
}

export async function findAccountByName(rows: Reading, nameKey: string): Promise<Account | undefined> {
  return rows.selectFrom('account').selectAll().where('name_key', '=', nameKey).executeTakeFirst()
}

/** Only if exactly one account has this mail address. */
export async function findAccountByMail(rows: Reading, mailKey: string): Promise<Account | undefined> {
  const found = await rows.selectFrom('account').selectAll().where('mail_key', '=', mailKey).limit(2).execute()
  return found.length === 1 ? found[0] : undefined
}

export async function allAccounts(rows: Reading): Promise<Account[]> {
  return rows.selectFrom('account').selectAll().orderBy('uid').execute()
}

export async function anyoneCanLogIn(rows: Reading): Promise<boolean> {
  const found = await rows
    .selectFrom('account')
    .select('uid')
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Those who can log in and run the farm, locked: of two that are to go at once, the second sees that the first is gone. */
export async function lockManagers(rows: Writing): Promise<number[]> {
  const found = await rows
    .selectFrom('account')
    .select('uid')
    .where('role', '=', 'manager')
    .where('blocked', '=', 0)
    .where('password_hash', 'is not', null)
    .orderBy('uid')
    .forUpdate()
    .execute()
  return found.map(({ uid }) => uid)
}

export async function insertAccount(rows: Writing, account: Insertable<AccountRow>): Promise<Account> {
  return rows.insertInto('account').values(account).returningAll().executeTakeFirstOrThrow()
}

export async function updateAccount(rows: Writing, uid: number, change: Updateable<AccountRow>): Promise<void> {
  await rows.updateTable('account').set(change).where('uid', '=', uid).execute()
}

export async function deleteAccount(rows: Writing, uid: number): Promise<void> {
  await rows.deleteFrom('account').where('uid', '=', uid).execute()
}

/** Whether a record, a file or the journal names the user, also as a log's owner: then the account has to stay. */
export async function isNamedSomewhere(rows: Reading, uid: number): Promise<boolean> {
  for (const table of ['log', 'asset', 'term', 'file', 'journal'] as const) {
    const row = await rows.selectFrom(table).select('uid').where('uid', '=', uid).limit(1).executeTakeFirst()
    if (row) return true
  }
  return isReferredTo(rows, 'user', uid)
}
