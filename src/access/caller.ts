import { type Right, type RoleName, rightsOfAnyAccount, roles } from '../farm/people/roles.ts'
import { type Scope, scopes as stockScopes } from '../farm/people/scopes.ts'
import { Refusal } from '../refusal.ts'

export interface Caller {
  readonly uid: number
  readonly name: string
  readonly role: RoleName | null
  readonly rights: ReadonlySet<Right>
  readonly carrier: 'bearer' | 'cookie' | 'basic'
  /** The client of a bearer token. */
  readonly client: string | null
}

export interface Principal {
  readonly role: RoleName | null
  /** A service account belongs to a client: it has no page, no password and no sessions. */
  readonly isService: boolean
}

/** An account without a password is a service account and cannot log in. */
export function principalOf(account: { role: RoleName | null; password_hash: string | null }): Principal {
  return { role: account.role, isService: account.password_hash === null }
}

/** The rights of the role, reduced to the scopes of a token. Null: no token, no reduction. */
export function rightsOf(principal: Principal, scopes: readonly Scope[] | null): ReadonlySet<Right> {
  const own = principal.role === null ? rightsOfAnyAccount : roles[principal.role].rights
  const allowed = principal.isService ? own.filter((right) => right !== 'own-account') : own
  if (scopes === null) return new Set(allowed)
  return new Set(allowed.filter((right) => scopes.some((scope) => covers(scope, right))))
}

const covers = ({ rights }: Scope, right: Right): boolean =>
  rights === 'own' ? right !== 'administer' : rights.includes(right)

/** Users with the right to restore records see the trash; others see only that a record was removed. */
export type TrashView = 'shown' | 'withheld'

export const trashViewOf = ({ rights }: Caller): TrashView => (rights.has('write-records') ? 'shown' : 'withheld')

type KnownAccount = Pick<Caller, 'uid' | 'name' | 'role'>

/** A caller known by account, without a token: the role alone decides. */
export function callerWith({ uid, name, role }: KnownAccount, carrier: 'cookie' | 'basic'): Caller {
  const rights = [...rightsOf({ role, isService: false }, null)].filter((right) => right !== 'administer')
  return { uid, name, role, rights: new Set(rights), carrier, client: null }
}

/** A caller in a session whose password was confirmed recently. */
export function confirmedCaller(known: KnownAccount): Caller {
  return { ...callerWith(known, 'cookie'), rights: rightsOf({ role: known.role, isService: false }, null) }
}

/** Call it before anything is changed or shown. `why` explains the right where that is not obvious. */
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

/** The account was blocked or removed since the request was authenticated. */
export const blockedOrRemoved = (): Refusal => new Refusal('unauthenticated', 'This account was blocked or removed.')
