import type { Insertable, Selectable } from 'kysely'
import type { RoleName } from '../../farm/people/roles.ts'
import type { AccessTokenRow, RefreshTokenRow, TokenFamilyRow } from '../access-tables.ts'
import type { Reading, Writing } from '../database.ts'
import { insertAll } from '../insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../prepared.ts'

export type TokenFamily = Selectable<TokenFamilyRow>
export type AccessToken = Selectable<AccessTokenRow>
export type RefreshToken = Selectable<RefreshTokenRow>

/** An access token with what every request needs to know about its user. */
export interface TokenInUse extends Pick<AccessToken, 'uid' | 'client' | 'scope' | 'issued' | 'expires'> {
  name: string
  role: RoleName | null
  password_hash: string | null
  /** 1 where the client was registered here; otherwise it has to be declared to count. */
  registered: number | null
}

/** One look-up per request: a token that is known, unexpired, and whose user and client are not blocked. */
export async function findTokenInUse(rows: Reading, hash: string, now: number): Promise<TokenInUse | undefined> {
  return tokenInUse(rows, { hash, now })
}

const tokenInUse = preparedFirst((rows, { hash, now }: { readonly hash: string; readonly now: number }) =>
  rows
    .selectFrom('access_token')
    .innerJoin('account', 'account.uid', 'access_token.uid')
    .leftJoin('client', 'client.id', 'access_token.client')
    .select(['access_token.uid', 'access_token.client', 'access_token.scope'])
    .select(['access_token.issued', 'access_token.expires'])
    .select(['account.name', 'account.role', 'account.password_hash', 'client.registered'])
    .where('access_token.hash', '=', hash)
    .where('access_token.expires', '>', now)
    .where('account.blocked', '=', 0)
    .where((is) => is.or([is('client.disabled', 'is', null), is('client.disabled', '=', 0)])),
)

export async function findAccessToken(rows: Reading, hash: string): Promise<AccessToken | undefined> {
  return accessTokenWith(rows, { hash })
}

interface Hash {
  readonly hash: string
}

const accessTokenWith = preparedFirst((rows, { hash }: Hash) =>
  rows.selectFrom('access_token').selectAll().where('hash', '=', hash),
)

export async function findRefreshToken(
  rows: Reading,
  hash: string,
): Promise<(RefreshToken & Omit<TokenFamily, 'id'>) | undefined> {
  return refreshTokenWith(rows, { hash })
}

const refreshTokenWith = preparedFirst((rows, { hash }: Hash) =>
  rows
    .selectFrom('refresh_token')
    .innerJoin('token_family', 'token_family.id', 'refresh_token.family')
    .selectAll('refresh_token')
    .select([
      'token_family.client',
      'token_family.uid',
      'token_family.scope',
      'token_family.created',
      'token_family.ends',
    ])
    .where('refresh_token.hash', '=', hash),
)

export async function insertFamily(rows: Writing, family: TokenFamily): Promise<void> {
  await insertAll(rows, 'token_family', [family])
}

export async function prolongFamily(rows: Writing, family: string, ends: number): Promise<void> {
  await setEnd(rows, { family, ends })
}

const setEnd = preparedChange((rows, { family, ends }: Family & { readonly ends: number }) =>
  rows.updateTable('token_family').set({ ends }).where('id', '=', family),
)

export async function insertAccessToken(rows: Writing, token: Insertable<AccessTokenRow>): Promise<void> {
  await insertAll(rows, 'access_token', [token])
}

export async function insertRefreshToken(rows: Writing, token: Insertable<RefreshTokenRow>): Promise<void> {
  await insertAll(rows, 'refresh_token', [token])
}

/** Of many that race for the same token, true for exactly one. */
export async function spendRefreshToken(rows: Writing, hash: string, now: number): Promise<boolean> {
  return (await rotateUnrotated(rows, { hash, now })) === 1
}

const rotateUnrotated = preparedChange((rows, { hash, now }: Hash & { readonly now: number }) =>
  rows.updateTable('refresh_token').set({ rotated: now }).where('hash', '=', hash).where('rotated', 'is', null),
)

export async function deleteAccessToken(rows: Writing, hash: string): Promise<void> {
  await deleteWithHash(rows, { hash })
}

const deleteWithHash = preparedChange((rows, { hash }: Hash) =>
  rows.deleteFrom('access_token').where('hash', '=', hash),
)

export async function deleteAccessTokensOfFamily(rows: Writing, family: string): Promise<void> {
  await deleteAccessTokens(rows, { family })
}

interface Family {
  readonly family: string
}

const deleteAccessTokens = preparedChange((rows, { family }: Family) =>
  rows.deleteFrom('access_token').where('family', '=', family),
)

/** Whoever rotates or ends a family does so alone; what others did to it meanwhile is seen by what is asked afterwards. */
export async function lockFamily(rows: Writing, family: string): Promise<void> {
  await familyLocked(rows, { family })
}

const familyLocked = prepared((rows, { family }: Family) =>
  rows.selectFrom('token_family').select('id').where('id', '=', family).forUpdate(),
)

export async function endFamily(rows: Writing, family: string): Promise<void> {
  await lockFamily(rows, family)
  await deleteAccessTokens(rows, { family })
  await deleteRefreshTokens(rows, { family })
  await deleteFamily(rows, { family })
}

const deleteRefreshTokens = preparedChange((rows, { family }: Family) =>
  rows.deleteFrom('refresh_token').where('family', '=', family),
)

const deleteFamily = preparedChange((rows, { family }: Family) =>
  rows.deleteFrom('token_family').where('id', '=', family),
)

export interface GrantHolder {
  readonly uid?: number
  readonly client?: string
}

/** Families of a user, of a client, or of a user with a client, newest first. */
export async function familiesOf(rows: Reading, holder: GrantHolder): Promise<readonly TokenFamily[]> {
  return familiesHeld(rows, holder)
}

const familiesHeld = prepared((rows, { uid, client }: GrantHolder) => {
  let families = rows.selectFrom('token_family').selectAll()
  if (uid !== undefined) families = families.where('uid', '=', uid)
  if (client !== undefined) families = families.where('client', '=', client)
  return families.orderBy('created', 'desc').orderBy('id')
})

/** Ends every token and code of a user, of a client, or of a user with a client; answers how many families ended. */
export async function endGrants(rows: Writing, holder: GrantHolder): Promise<number> {
  const families = await familiesOf(rows, holder)
  for (const family of families) await endFamily(rows, family.id)
  await deleteCodes(rows, holder)
  return families.length
}

const deleteCodes = preparedChange((rows, { uid, client }: GrantHolder) => {
  let codes = rows.deleteFrom('authorization_code')
  if (uid !== undefined) codes = codes.where('uid', '=', uid)
  if (client !== undefined) codes = codes.where('client', '=', client)
  return codes
})
