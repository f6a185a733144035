import { randomUUID } from 'node:crypto'
import { personalTokenClient } from '../farm/people/clients.ts'
import { type Scope, takesNaming } from '../farm/people/scopes.ts'
import { unprintable } from '../fields/text.ts'
import { lockAccountToChange } from '../storage/access/account-rows.ts'
import { sweepExpired } from '../storage/access/expiry.ts'
import { findSessionAccount } from '../storage/access/session-rows.ts'
import { endFamily, familiesOf, insertAccessToken, insertFamily } from '../storage/access/token-rows.ts'
import { type Principal, principalOf } from './caller.ts'
import type { IdentifiedCaller } from './credentials.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { clientToAdmit, effectiveScope, scopeWithin } from './oauth/clients.ts'
import { hashOf, newSecret } from './secrets.ts'
import { isConfirmedAt } from './sessions.ts'

export const personalTokenLimits = { nameLength: 100, days: { least: 1, most: 366 }, most: 20 } as const

export interface PersonalTokenRequest {
  readonly name: string
  /** Names with a space between them. */
  readonly scope: string
  readonly days: string
}

/** Why no token was made: what was asked for is faulty, there are enough, or the password was not shown lately. */
export type PersonalTokenFault = 'name' | 'scope' | 'days' | 'most' | 'unconfirmed' | 'disabled'

/** The token is told here and never again: what is kept is its hash. */
export async function makePersonalToken(
  installation: Installation,
  { uid, bond }: IdentifiedCaller,
  { name, scope, days }: PersonalTokenRequest,
): Promise<{ readonly token: string } | { readonly fault: PersonalTokenFault }> {
  const label = name.trim()
  if (label === '' || label.length > personalTokenLimits.nameLength || unprintable.test(label)) return { fault: 'name' }
  const lasting = /^\d{1,3}$/.test(days) ? Number(days) : 0
  if (lasting < personalTokenLimits.days.least || lasting > personalTokenLimits.days.most) return { fault: 'days' }
  const now = installation.clock()
  return installation.database.write(async (tx) => {
    const client = await clientToAdmit(installation, tx, personalTokenClient.id)
    if (client === null || client.disabled) return { fault: 'disabled' }
    const account = await lockAccountToChange(tx, uid)
    const session = await findSessionAccount(tx, hashOf(bond), now)
    if (!account || session?.uid !== uid || !isConfirmedAt(session, now)) return { fault: 'unconfirmed' }
    if (!isOffered(installation, principalOf(account), scope)) return { fault: 'scope' }
    await sweepExpired(tx, now)
    const others = await familiesOf(tx, { uid, client: client.id })
    if (others.filter(({ ends }) => ends > now).length >= personalTokenLimits.most) return { fault: 'most' }
    const token = `furrow_${newSecret()}`
    const family = randomUUID()
    const expires = now + lasting * 86_400
    const given = { client: client.id, uid, scope }
    await insertFamily(tx, { id: family, ...given, grant_type: null, created: now, ends: expires, label })
    await insertAccessToken(tx, { hash: hashOf(token), family, ...given, issued: now, expires })
    await note(tx, 'personal-token-made', { at: now, uid })
    return { token }
  })
}

function isOffered({ farm }: Installation, principal: Principal, scope: string): boolean {
  const names = scope.split(' ')
  const isNameless = (name: string) => farm.scopes.some((known) => known.name === name && !takesNaming(known))
  return names.every(isNameless) && scopeWithin(farm, principal, scope) === scope
}

/** Scopes that a token of this role may have. */
export const scopesForPersonalTokens = (installation: Installation, principal: Principal): readonly Scope[] =>
  installation.farm.scopes.filter(({ name }) => isOffered(installation, principal, name))

export interface PersonalToken {
  readonly id: string
  readonly created: number
  readonly ends: number
  readonly name: string
  /** Scopes of the token that the role of its owner still covers. */
  readonly scopes: readonly string[]
}

export async function listPersonalTokens(
  { farm, database, clock }: Installation,
  { uid, role }: Pick<IdentifiedCaller, 'uid' | 'role'>,
): Promise<PersonalToken[]> {
  const families = await database.read((snapshot) => familiesOf(snapshot, { uid, client: personalTokenClient.id }))
  const alive = families.filter(({ ends }) => ends > clock())
  return alive.map(({ id, label, scope, created, ends }) => ({
    id,
    name: label ?? '',
    scopes: effectiveScope(farm, { role, isService: false }, scope).split(' ').filter(Boolean),
    created,
    ends,
  }))
}

/** One of the user's own; a second time there is nothing left to end. */
export async function endPersonalToken({ database, clock }: Installation, uid: number, id: string): Promise<void> {
  await database.write(async (tx) => {
    const own = await familiesOf(tx, { uid, client: personalTokenClient.id })
    if (!own.some((family) => family.id === id)) return
    await endFamily(tx, id)
    await note(tx, 'personal-token-ended', { at: clock(), uid })
  })
}
