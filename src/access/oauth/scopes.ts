import type { Farm } from '../../farm/farm.ts'
import type { Scope } from '../../farm/people/scopes.ts'
import { type Principal, rightsOf } from '../caller.ts'
import type { Client } from './clients.ts'
import { OAuthRefusal } from './oauth-refusal.ts'

/** The scopes of a stored token; one that no module defines any more allows nothing. */
export function scopesNamed(farm: Farm, scope: string): Scope[] {
  const names = scope.split(' ')
  return farm.scopes.filter(({ name }) => names.includes(name))
}

/** What a client asks for, in the order in which it asks, or its default where it asks for nothing. */
export function requestedScope(farm: Farm, client: Client, asked: string | undefined): string {
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
  const own = rightsOf(principal, null)
  const covered = scopesNamed(farm, scope)
    .filter(({ rights }) => rights === 'own' || rights.every((right) => own.has(right)))
    .map(({ name }) => name)
  return scope
    .split(' ')
    .filter((name) => covered.includes(name))
    .join(' ')
}

export const beyondTheRole = (): OAuthRefusal =>
  new OAuthRefusal('invalid_scope', 'The role of this user covers none of the requested scopes')
