import { type Right, type RoleName, rightsOfAnyAccount, roles } from '../farm/people/roles.ts'
import { type Scope, scopes as stockScopes } from '../farm/people/scopes.ts'
import { Refusal } from '../refusal.ts'
import { lockAccountsToName } from '../storage/access/account-rows.ts'
import type { Transaction } from '../storage/database.ts'

export interface Caller {
  readonly uid: number
  readonly name: string
  readonly role: RoleName | null
  readonly rights: ReadonlySet<Right>
  readonly carrier: 'bearer' | 'cookie' | 'basic'
  /** The client that a bearer token was given to. */
  readonly client: string | null
}

export interface Principal {
  readonly role: RoleName | null
  /** A service account is a client's own: it has no page, no password and no sessions. */
  readonly isService: boolean
}

/** Who has no password cannot log in: such an account is a client's own. */
export function principalOf(account: { role: RoleName | null; password_hash: string | null }): Principal {
  return { role: account.role, isService: account.password_hash === null }
}

/** What a principal may: the rights of the role, cut to what the scopes of a token allow (null: no token, no cut). */
export function rightsOf(principal: Principal, scopes: readonly Scope[] | null): ReadonlySet<Right> {
  const own = principal.role === null ? rightsOfAnyAccount : roles[principal.role].rights
  const allowed = principal.isService ? own.filter((right) => right !== 'own-account') : own
  if (scopes === null) return new Set(allowed)
  return new Set(allowed.filter((right) => scopes.some((scope) => covers(scope, right))))
}

const covers = ({ rights }: Scope, right: Right): boolean =>
  rights === 'own' ? right !== 'administer' : rights.includes(right)

/** What a caller is shown of removed records: those who may restore them read the trash, others only that there was one. */
export type TrashView = 'shown' | 'withheld'

export const trashViewOf = ({ rights }: Caller): TrashView => (rights.has('write-records') ? 'shown' : 'withheld')

type KnownAccount = Pick<Caller, 'uid' | 'name' | 'role'>

/** Somebody who is known by account and came without a token: the role alone decides. */
export function callerWith({ uid, name, role }: KnownAccount, carrier: 'cookie' | 'basic'): Caller {
  const rights = [...rightsOf({ role, isService: false }, null)].filter((right) => right !== 'administer')
  return { uid, name, role, rights: new Set(rights), carrier, client: null }
}

/** Likewise, in a session whose password was shown a short while ago. */
export function confirmedCaller(known: KnownAccount): Caller {
  return { ...callerWith(known, 'cookie'), rights: rightsOf({ role: known.role, isService: false }, null) }
}

/** Asked before anything is changed or told; `why` says what takes the right, where that is not plain. */
export function requireRight(caller: Caller, right: Right, why?: string): void {
  if (caller.rights.has(right)) return
  const ofRole = rightsOf({ role: caller.role, isService: false }, null)
  if (caller.carrier === 'bearer' && ofRole.has(right)) {
    const scope = narrowestScopeWith(right)
    const lacking = `This token does not cover that: it takes the scope ${scope}.`
    throw new Refusal('forbidden', why === undefined ? lacking : `${why} ${lacking}`, {
      challenge: { error: 'insufficient_scope', scope },
    })
  }
  if (right === 'administer' && ofRole.has(right)) throw unconfirmed(caller)
  throw new Refusal('forbidden', why ?? `${words[right]} takes another role than ${caller.role ?? 'none'}.`)
}

const unconfirmed = ({ carrier }: Caller): Refusal =>
  carrier === 'cookie'
    ? new Refusal('unconfirmed', 'Show your password again: POST {"password": "…"} to /administer/confirmation.')
    : new Refusal('forbidden', `${words.administer} takes a session, or a token with the scope farm_admin.`)

const words: Readonly<Record<Right, string>> = {
  'read-info': 'Reading about the farm',
  enter: 'Entering',
  'read-records': 'Reading records',
  'write-records': 'Changing records',
  configure: 'Configuring the farm',
  'own-account': 'Managing an account of one’s own',
  administer: 'Administering the farm',
}

function narrowestScopeWith(right: Right): string {
  const holding = stockScopes.filter(({ rights }) => rights !== 'own' && rights.includes(right))
  const [narrowest] = holding.toSorted((one, other) => one.rights.length - other.rights.length)
  return narrowest?.name ?? 'user_access'
}

/** Who is about to sign a change may have been blocked or removed since they were asked who they are. */
export async function requireStillThere(tx: Transaction, { uid }: Pick<Caller, 'uid'>): Promise<void> {
  const [account] = await lockAccountsToName(tx, [uid])
  if (!account || account.blocked) throw new Refusal('unauthenticated', 'This account was blocked or removed.')
}
