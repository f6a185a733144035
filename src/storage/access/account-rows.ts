import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AccountRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { ask, fragment, word } from '../fragment.ts'
import { known } from '../known.ts'
import { prepared, preparedChange, preparedFirst } from '../prepared.ts'
import { isReferredTo } from '../records/referrers.ts'
import { inSlices } from '../slices.ts'

export type Account = Selectable<AccountRow>

interface Uid {
  readonly uid: number
}

export async function findAccount(rows: Reading, uid: number): Promise<Account | undefined> {
  return accountWith(rows, { uid })
}

const accountWith = preparedFirst((rows, { uid }: Uid) => rows.selectFrom('account').selectAll().where('uid', '=', uid))

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
  return accountToAdmit(rows, { uid })
}

const accountToAdmit = preparedFirst((rows, { uid }: Uid) =>
  rows.selectFrom('account').selectAll().where('uid', '=', uid).where('blocked', '=', 0).forShare(),
)

/** Waits for those who are about to name it or to let it in; those who come later find what became of it. */
export async function lockAccountToChange(rows: Writing, uid: number): Promise<Account | undefined> {
  return accountToChange(rows, { uid })
}

const accountToChange = preparedFirst((rows, { uid }: Uid) =>
  rows.selectFrom('account').selectAll().where('uid', '=', uid).forUpdate(),
)

export async function findAccountByName(rows: Reading, nameKey: string): Promise<Account | undefined> {
  return accountCalled(rows, { nameKey })
}

const accountCalled = preparedFirst((rows, { nameKey }: { readonly nameKey: string }) =>
  rows.selectFrom('account').selectAll().where('name_key', '=', nameKey),
)

/** Only if exactly one account has this mail address. */
export async function findAccountByMail(rows: Reading, mailKey: string): Promise<Account | undefined> {
  const found = await accountsWithMail(rows, { mailKey })
  return found.length === 1 ? found[0] : undefined
}

const accountsWithMail = prepared((rows, { mailKey }: { readonly mailKey: string }) =>
  rows.selectFrom('account').selectAll().where('mail_key', '=', mailKey).limit(2),
)

export const allAccounts = prepared((rows) => rows.selectFrom('account').selectAll().orderBy('uid'))

export async function anyoneCanLogIn(rows: Reading): Promise<boolean> {
  return (await anyWithPassword(rows)) !== undefined
}

const anyWithPassword = preparedFirst((rows) =>
  rows.selectFrom('account').select('uid').where('password_hash', 'is not', null).limit(1),
)

/** Those who can log in and run the farm, locked: of two that are to go at once, the second sees that the first is gone. */
export async function lockManagers(rows: Writing): Promise<number[]> {
  return (await managersLocked(rows)).map(({ uid }) => uid)
}

const managersLocked = prepared((rows) =>
  rows
    .selectFrom('account')
    .select('uid')
    .where('role', '=', 'manager')
    .where('blocked', '=', 0)
    .where('password_hash', 'is not', null)
    .orderBy('uid')
    .forUpdate(),
)

export async function insertAccount(rows: Writing, account: Insertable<AccountRow>): Promise<Account> {
  return known(await insertedAccount(rows, account))
}

const insertedAccount = preparedFirst((rows: Writing, account: Insertable<AccountRow>) =>
  rows.insertInto('account').values(account).returningAll(),
)

export async function updateAccount(rows: Writing, uid: number, change: Updateable<AccountRow>): Promise<void> {
  await changeAccount(rows, { ...change, at: uid })
}

const changeAccount = preparedChange((rows, { at, ...change }: Updateable<AccountRow> & { readonly at: number }) =>
  rows.updateTable('account').set(change).where('uid', '=', at),
)

export async function deleteAccount(rows: Writing, uid: number): Promise<void> {
  await deleteWithUid(rows, { uid })
}

const deleteWithUid = preparedChange((rows, { uid }: Uid) => rows.deleteFrom('account').where('uid', '=', uid))

/** Whether a record, a file or the journal names the user, also as a log's owner: then the account has to stay. */
export async function isNamedSomewhere(rows: Reading, uid: number): Promise<boolean> {
  for (const table of ['log', 'asset', 'term', 'file', 'journal'] as const) {
    const named = await ask(rows, fragment`select uid from ${word(table)} where uid = ${uid} limit 1`)
    if (named.length > 0) return true
  }
  return isReferredTo(rows, 'user', uid)
}
