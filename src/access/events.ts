import { findAccounts } from '../storage/access/account-rows.ts'
import { findEvents, insertEvent } from '../storage/access/event-rows.ts'
import type { Transaction } from '../storage/database.ts'
import type { Installation } from './installation.ts'

export const accessEvents = [
  'account-added',
  'account-changed',
  'account-blocked',
  'account-unblocked',
  'account-removed',
  'role-changed',
  'password-changed',
  'password-confirmed',
  'logged-in',
  'logged-out',
  'login-failed',
  'login-refused',
  'client-added',
  'client-changed',
  'client-removed',
  'client-secret-rotated',
  'consent-given',
  'tokens-revoked',
  'personal-token-made',
  'personal-token-ended',
  'code-used-twice',
  'refresh-token-reused',
  'sessions-ended',
  'invitation-made',
  'invitation-used',
  'invitation-revoked',
  'password-link-made',
  'password-link-used',
  'password-link-revoked',
  'link-failed',
  'settings-changed',
  'backup-downloaded',
  'report-link-made',
  'report-link-ended',
] as const

export type AccessEvent = (typeof accessEvents)[number]

export interface EventDetails {
  readonly at: number
  readonly uid?: number | undefined
  readonly client?: string | undefined
  readonly address?: string | undefined
  /** The account that did it, if it is another one. */
  readonly actor?: number | undefined
}

/** Records an event in the transaction that caused it. */
export async function note(tx: Transaction, event: AccessEvent, concerned: EventDetails): Promise<void> {
  const { at, uid = null, client = null, address = null, actor = null } = concerned
  await insertEvent(tx, { at, event, uid, client, address, actor })
}

interface EventQuestion {
  /** Empty: every kind. */
  readonly kinds: readonly AccessEvent[]
  readonly since: number
  readonly most: number
}

export interface EventView {
  readonly at: number
  readonly kind: AccessEvent
  readonly uid: number | null
  /** The name of the account, if it still exists. */
  readonly user: string | null
  readonly client: string | null
  readonly address: string | null
  readonly actor: number | null
  /** The name of the actor, if the account still exists. */
  readonly by: string | null
}

export async function listEvents({ database }: Installation, question: EventQuestion): Promise<EventView[]> {
  return database.read(async (snapshot) => {
    const events = await findEvents(snapshot, question)
    const uids = new Set(events.flatMap(({ uid, actor }) => [uid ?? [], actor ?? []].flat()))
    const names = new Map((await findAccounts(snapshot, [...uids])).map(({ uid, name }) => [uid, name]))
    const nameOf = (uid: number | null) => names.get(uid ?? 0) ?? null
    return events.map(({ at, event, uid, client, address, actor }) => {
      // The cast is safe: only `note` writes events.
      return { at, kind: event as AccessEvent, uid, user: nameOf(uid), client, address, actor, by: nameOf(actor) }
    })
  })
}
