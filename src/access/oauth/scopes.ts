import type { Farm } from '../../farm/farm.ts'
import type { Grant } from '../../farm/people/clients.ts'
import { roles } from '../../farm/people/roles.ts'
import { roleScopes, type Scope } from '../../farm/people/scopes.ts'
import { type Principal, rightsOf } from '../caller.ts'
import type { OAuthClient } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'

/** The scopes of a stored token; one that no module defines any more allows nothing. */
export function scopesNamed(farm: Farm, scope: string): Scope[] {
  const names = scope.split(' ')
  return farm.scopes.filter(({ name }) => names.includes(name))
}

/** What a client asks for, in the order in which it asks, or its default where it asks for nothing. */
export function requestedScope(farm: Farm, client: OAuthClient, asked: string | undefined): string {
  const names =
    asked === undefined ? client.defaultScopes : [...new Set(asked.split(' ').filter((name) => name !== ''))]
  if (names.length === 0) throw new OAuthRefusal('invalid_scope', 'This client has no default scope: ask for one')
  for (const name of names) {
    if (!farm.scopes.some((scope) => scope.name === name)) {
      throw new OAuthRefusal('invalid_scope', 'An unsupported scope was requested')
    }
    if (!client.scopes.includes(name)) {
      throw new OAuthRefusal('invalid_scope', `This client may not ask for the scope "${name}"`)
    }
  }
  return names.join(' ')
}

/** Leaves out what goes beyond the role, as it is at present; empty where nothing is left. */
export function scopeWithin(farm: Farm, principal: Principal, scope: string): string {
  const covered = coveredBy(farm, principal, scope)
  return keptOf(scope, (name) => covered.includes(name))
}

/**
 * What a grant gives of the scopes that it is asked for. A password gives a role scope by its name to whoever has a role at all: clients
 * ask for the highest for everybody, and want to be told that they got it. What they may is the account's own all the same.
 */
export function scopeGiven(farm: Farm, principal: Principal, { grant, scope }: GrantedScope): string {
  if (grant !== 'password' || principal.role === null) return scopeWithin(farm, principal, scope)
  const covered = coveredBy(farm, principal, scope)
  return keptOf(scope, (name) => covered.includes(name) || roleScopes.includes(name))
}

export interface GrantedScope {
  /** What began the family; null where nobody knows any more. */
  readonly grant: Grant | null
  readonly scope: string
}

/** What a token with these scopes comes to at present: a role scope above the role is the one of the role. */
export function effectiveScope(farm: Farm, principal: Principal, scope: string): string {
  const covered = coveredBy(farm, principal, scope)
  const own = principal.role === null ? null : roles[principal.role].newer
  const isBeyond = (name: string) => roleScopes.includes(name) && !covered.includes(name)
  const effective = scope.split(' ').map((name) => (isBeyond(name) ? (own ?? '') : name))
  return scopeWithin(farm, principal, [...new Set(effective)].join(' '))
}

function coveredBy(farm: Farm, principal: Principal, scope: string): string[] {
  const own = rightsOf(principal, null)
  return scopesNamed(farm, scope)
    .filter(({ rights }) => rights === 'own' || rights.every((right) => own.has(right)))
    .map(({ name }) => name)
}

const keptOf = (scope: string, isKept: (name: string) => boolean): string => scope.split(' ').filter(isKept).join(' ')

export const beyondTheRole = (): OAuthRefusal =>
  new OAuthRefusal('invalid_scope', 'The role of this user covers none of the requested scopes')
