import { findSessionAccounts } from '../storage/access/session-rows.ts'
import { findTokensInUse } from '../storage/access/token-rows.ts'
import type { IdentifiedCaller } from './credentials.ts'
import type { Installation } from './installation.ts'
import { isDeclared } from './oauth/clients.ts'
import { hashOf } from './secrets.ts'

/**
 * The bonds of callers whose credential and role are still valid, for answers that outlast a request. One lookup for
 * all.
 */
export async function stillAdmitted(
  installation: Installation,
  callers: readonly IdentifiedCaller[],
): Promise<ReadonlySet<string>> {
  const byHash = new Map(callers.map((caller) => [hashOf(caller.bond), caller]))
  const hashesOf = (isOne: (caller: IdentifiedCaller) => boolean) =>
    [...byHash].flatMap(([hash, caller]) => (isOne(caller) ? [hash] : []))
  const now = installation.clock()
  const [tokens, sessions] = await Promise.all([
    installation.database.ask((snapshot) => findTokensInUse(snapshot, hashesOf(isBearer), now)),
    installation.database.ask((snapshot) =>
      findSessionAccounts(
        snapshot,
        hashesOf((caller) => !isBearer(caller)),
        now,
      ),
    ),
  ])
  const declared = tokens.filter(({ registered, client }) => registered === 1 || isDeclared(installation, client))
  return new Set(
    [...declared, ...sessions].flatMap(({ hash, uid, role }) => {
      const caller = byHash.get(hash)
      return caller !== undefined && caller.uid === uid && caller.role === role ? [caller.bond] : []
    }),
  )
}

const isBearer = ({ carrier }: IdentifiedCaller): boolean => carrier === 'bearer'
