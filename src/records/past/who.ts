import { findAccounts } from '../../storage/access/account-rows.ts'
import type { Snapshot } from '../../storage/database.ts'

/** Who made a change, as the account is kept: one that was removed is kept blocked. */
export interface Who {
  readonly uid: number
  /** Null for what the farm brought along itself. */
  readonly name: string | null
  readonly blocked: boolean
}

/** The people behind changes. */
export async function peopleBehind(
  snapshot: Snapshot,
  changes: readonly { readonly uid: number }[],
): Promise<(uid: number) => Who> {
  const accounts = await findAccounts(snapshot, [...new Set(changes.map(({ uid }) => uid))])
  const known = new Map(accounts.map(({ uid, name, blocked }) => [uid, { uid, name, blocked: blocked !== 0 }]))
  return (uid) => known.get(uid) ?? { uid, name: null, blocked: false }
}
