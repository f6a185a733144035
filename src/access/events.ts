import { insertEvent } from '../storage/access/event-rows.ts'
import type { Writing } from '../storage/database.ts'

export type AccessEvent =
  | 'account-added'
  | 'account-blocked'
  | 'account-unblocked'
  | 'account-removed'
  | 'role-changed'
  | 'password-changed'
  | 'logged-in'
  | 'logged-out'
  | 'client-added'
  | 'client-changed'
  | 'client-removed'
  | 'client-secret-rotated'
  | 'consent-given'
  | 'tokens-revoked'
  | 'code-used-twice'
  | 'refresh-token-reused'

export interface Concerned {
  readonly at: number
  readonly uid?: number
  readonly client?: string
  readonly address?: string
}

/** Leaves a trace of what happened, in the transaction in which it happened. */
export async function note(rows: Writing, event: AccessEvent, concerned: Concerned): Promise<void> {
  const { at, uid = null, client = null, address = null } = concerned
  await insertEvent(rows, { at, event, uid, client, address })
}
