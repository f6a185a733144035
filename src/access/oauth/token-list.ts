import { Refusal } from '../../refusal.ts'
import { findAccountByName, findAccounts } from '../../storage/access/account-rows.ts'
import { endGrants, familiesOf, type GrantHolder, latestTokens } from '../../storage/access/token-rows.ts'
import type { Snapshot } from '../../storage/database.ts'
import { principalOf } from '../caller.ts'
import { note } from '../events.ts'
import type { Installation } from '../installation.ts'
import { nameKey } from '../names.ts'
import { effectiveScope } from './clients.ts'

/** Tokens of one client, of one user, of one user with one client, or all. */
export interface TokenHolder {
  readonly client?: string | undefined
  /** A name or a uid. */
  readonly user?: string | number | undefined
}

/** The result of one consent or login, without the tokens: only their bearer knows those. */
export interface GrantedTokens {
  readonly client: string
  readonly uid: number
  readonly user: string
  /** The part of the scope that the user's role still covers. */
  readonly scope: string
  readonly created: number
  /** Time of the latest token. */
  readonly refreshed: number
  readonly ends: number
}

export async function clientTokens(
  { farm, database, clock }: Installation,
  holder: TokenHolder,
): Promise<GrantedTokens[]> {
  return database.read(async (snapshot) => {
    const families = (await familiesOf(snapshot, await holderOf(snapshot, holder))).filter(({ ends }) => ends > clock())
    const refreshed = await latestTokens(snapshot)
    const users = await findAccounts(snapshot, [...new Set(families.map(({ uid }) => uid))])
    return families.map(({ id, client, uid, scope, created, ends }) => {
      const user = users.find((account) => account.uid === uid)
      const covered = user === undefined ? '' : effectiveScope(farm, principalOf(user), scope)
      return {
        client,
        uid,
        user: user?.name ?? '',
        scope: covered,
        created,
        refreshed: refreshed.get(id) ?? created,
        ends,
      }
    })
  })
}

/** Returns the number of ended consents and logins. */
export async function revokeTokens(
  { database, clock }: Installation,
  holder: TokenHolder,
  actor?: number,
): Promise<number> {
  if (holder.client === undefined && holder.user === undefined)
    throw new Refusal('invalid-content', 'Name a client, a user or both.')
  return database.write(async (tx) => {
    const named = await holderOf(tx, holder)
    await note(tx, 'tokens-revoked', { at: clock(), ...named, actor })
    return endGrants(tx, named)
  })
}

async function holderOf(snapshot: Snapshot, { client, user }: TokenHolder): Promise<GrantHolder> {
  const ofClient = client === undefined ? {} : { client }
  if (user === undefined) return ofClient
  if (typeof user === 'number') return { ...ofClient, uid: user }
  const account = await findAccountByName(snapshot, nameKey(user))
  if (!account) throw new Refusal('not-found', `There is no account named "${user}": \`furrow user list\` lists them.`)
  return { ...ofClient, uid: account.uid }
}
