import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import { isReferredTo } from '../records/referrers.ts'
import type { AccountRow } from '../sql/access-tables.ts'
import { ask, fragment, inSlices, must, word } from '../sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'

export type Account = Selectable<AccountRow>

interface Uid {
  readonly uid: number
}

export async function findAccount(snapshot: Snapshot, uid: number): Promise<Account | undefined> {
  return accountWith(snapshot, { uid })
}

const accountWith = preparedFirst((snapshot, { uid }: Uid) =>
  snapshot.selectFrom('account').selectAll().where('uid', '=', uid),
)

export async function findAccounts(snapshot: Snapshot, uids: readonly number[]): Promise<readonly Account[]> {
  return inSlices(uids, (slice) => accountsIn(snapshot, { uids: slice }))
}

const accountsIn = prepared((snapshot, { uids }: { readonly uids: readonly number[] }) =>
  snapshot.selectFrom('account').selectAll().where('uid', 'in', uids),
)

/** The numbers of the accounts with these UUIDs. */
export async function accountsByUuids(
  snapshot: Snapshot,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await inSlices(uuids, (slice) => uidsUnder(snapshot, { uuids: slice }))
  return new Map(found.map(({ uuid, uid }) => [uuid, uid]))
}

const uidsUnder = prepared((snapshot, { uuids }: { readonly uuids: readonly string[] }) =>
  snapshot.selectFrom('account').select(['uuid', 'uid']).where('uuid', 'in', uuids),
)

/** Accounts that a record is about to name: none of them is blocked or removed before it does. */
export async function lockAccountsToName(
  tx: Transaction,
  uids: readonly number[],
): Promise<readonly Pick<Account, 'uid' | 'blocked'>[]> {
  return inSlices(uids, (slice) => accountsToName(tx, { uids: slice }))
}

const accountsToName = prepared((snapshot, { uids }: { readonly uids: readonly number[] }) =>
  snapshot.selectFrom('account').select(['uid', 'blocked']).where('uid', 'in', uids).forKeyShare(),
)

/** An account that is about to be let in: until that is done it keeps its password and is not blocked. */
export async function lockAccountToAdmit(tx: Transaction, uid: number): Promise<Account | undefined> {
  return accountToAdmit(tx, { uid })
}

const accountToAdmit = preparedFirst((snapshot, { uid }: Uid) =>
  snapshot.selectFrom('account').selectAll().where('uid', '=', uid).where('blocked', '=', 0).forShare(),
)

/** Waits for those who are about to name it or to let it in; those who come later find what became of it. */
export async function lockAccountToChange(tx: Transaction, uid: number): Promise<Account | undefined> {
  return accountToChange(tx, { uid })
}

const accountToChange = preparedFirst((snapshot, { uid }: Uid) =>
  snapshot.selectFrom('account').selectAll().where('uid', '=', uid).forUpdate(),
)

export async function findAccountByName(snapshot: Snapshot, nameKey: string): Promise<Account | undefined> {
  return accountCalled(snapshot, { nameKey })
}

const accountCalled = preparedFirst((snapshot, { nameKey }: { readonly nameKey: string }) =>
  snapshot.selectFrom('account').selectAll().where('name_key', '=', nameKey),
)

/** Only if exactly one account has this mail address. */
export async function findAccountByMail(snapshot: Snapshot, mailKey: string): Promise<Account | undefined> {
  const found = await accountsWithMail(snapshot, { mailKey })
  return found.length === 1 ? found[0] : undefined
}

const accountsWithMail = prepared((snapshot, { mailKey }: { readonly mailKey: string }) =>
  snapshot.selectFrom('account').selectAll().where('mail_key', '=', mailKey).limit(2),
)

export const allAccounts = prepared((snapshot) => snapshot.selectFrom('account').selectAll().orderBy('uid'))

export async function anyoneCanLogIn(snapshot: Snapshot): Promise<boolean> {
  return (await anyWithPassword(snapshot)) !== undefined
}

const anyWithPassword = preparedFirst((snapshot) =>
  snapshot.selectFrom('account').select('uid').where('password_hash', 'is not', null).limit(1),
)

/** Managers who can log in, locked: of two that are removed at once, the second sees that the first is gone. */
export async function lockManagers(tx: Transaction): Promise<number[]> {
  return (await managersLocked(tx)).map(({ uid }) => uid)
}

const managersLocked = prepared((snapshot) =>
  snapshot
    .selectFrom('account')
    .select('uid')
    .where('role', '=', 'manager')
    .where('blocked', '=', 0)
    .where('password_hash', 'is not', null)
    .orderBy('uid')
    .forUpdate(),
)

export async function insertAccount(tx: Transaction, account: Insertable<AccountRow>): Promise<Account> {
  return must(await insertedAccount(tx, account))
}

const insertedAccount = preparedFirst((tx: Transaction, account: Insertable<AccountRow>) =>
  tx.insertInto('account').values(account).returningAll(),
)

export async function updateAccount(tx: Transaction, uid: number, change: Updateable<AccountRow>): Promise<void> {
  await changeAccount(tx, { ...change, at: uid })
}

const changeAccount = preparedChange((tx, { at, ...change }: Updateable<AccountRow> & { readonly at: number }) =>
  tx.updateTable('account').set(change).where('uid', '=', at),
)

export async function deleteAccount(tx: Transaction, uid: number): Promise<void> {
  await deleteWithUid(tx, { uid })
}

const deleteWithUid = preparedChange((tx, { uid }: Uid) => tx.deleteFrom('account').where('uid', '=', uid))

/** True if a record, a file or the journal names the user, also as a log's owner: then the account must stay. */
export async function isNamedSomewhere(snapshot: Snapshot, uid: number): Promise<boolean> {
  for (const table of ['log', 'asset', 'term', 'quantity', 'file', 'journal', 'change_set', 'identity'] as const) {
    const named = await ask(snapshot, fragment`select uid from ${word(table)} where uid = ${uid} limit 1`)
    if (named.length > 0) return true
  }
  return isReferredTo(snapshot, 'user', uid)
}
