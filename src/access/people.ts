import { allAccounts, findAccount } from '../storage/access/account-rows.ts'
import { sessionsByAccount } from '../storage/access/session-rows.ts'
import { type AccountView, noSuchAccount, viewOf } from './accounts.ts'
import type { Installation } from './installation.ts'
import { lastUseOf } from './sessions.ts'

/** An account, and its last use. */
export interface PersonView extends AccountView {
  readonly sessions: number
  /** Last use of a session, to the day; null without sessions. */
  readonly lastSeen: number | null
}

export async function listPeople({ database, clock }: Installation): Promise<PersonView[]> {
  return database.read(async (snapshot) => {
    const inUse = new Map((await sessionsByAccount(snapshot, clock())).map((use) => [use.uid, use]))
    return (await allAccounts(snapshot)).map((account) => {
      const use = inUse.get(account.uid)
      return { ...viewOf(account), sessions: use?.sessions ?? 0, lastSeen: use === undefined ? null : lastUseOf(use) }
    })
  })
}

export async function requireAccount({ database }: Installation, uid: number): Promise<number> {
  if (await database.read((snapshot) => findAccount(snapshot, uid))) return uid
  throw noSuchAccount({ uid })
}
