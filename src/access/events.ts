import { findAccounts } from '../storage/access/account-rows.ts'
import { findEvents, insertEvent } from '../storage/access/event-rows.ts'
import type { Writing } from '../storage/database.ts'
import type { Ground } from './ground.ts'

export const accessEvents = [
  'account-added',
  'account-blocked',
  'account-unblocked',
  'account-removed',
  'role-changed',
  'password-changed',
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
  'code-used-twice',
  'refresh-token-reused',
] as const

export type AccessEvent = (typeof accessEvents)[number]

export interface Concerned {
  readonly at: number
  readonly uid?: number | undefined
  readonly client?: string | undefined
  readonly address?: string | undefined
}

/** Leaves a trace of what happened, in the transaction in which it happened. */
export async function note(rows: Writing, event: AccessEvent, concerned: Concerned): Promise<void> {
  const { at, uid = null, client = null, address = null } = concerned
  await insertEvent(rows, { at, event, uid, client, address })
}

export interface EventQuestion {
  /** Empty: of every kind. */
  readonly kinds: readonly AccessEvent[]
  readonly since: number
  readonly most: number
}

export interface EventView {
  readonly at: number
  readonly kind: string
  readonly uid: number | null
  /** The name of the account, if it is still there. */
  readonly user: string | null
  readonly client: string | null
  readonly address: string | null
}

/** The latest events, newest first. */
export async function listEvents({ database }: Ground, question: EventQuestion): Promise<EventView[]> {
  return database.read(async (rows) => {
    const events = await findEvents(rows, question)
    const uids = new Set(events.flatMap(({ uid }) => uid ?? []))
    const names = new Map((await findAccounts(rows, [...uids])).map(({ uid, name }) => [uid, name]))
    return events.map(({ at, event, uid, client, address }) => {
      return { at, kind: event, uid, user: names.get(uid ?? 0) ?? null, client, address }
    })
  })
}
