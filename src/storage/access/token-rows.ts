import type { Insertable, Selectable } from 'kysely'
import type { RoleName } from '../../farm/people/roles.ts'
import type { Database, Snapshot, Transaction } from '../database.ts'
import { versionInSql } from '../farm-state.ts'
import type { AccessTokenRow, RefreshTokenRow, TokenFamilyRow } from '../sql/access-tables.ts'
import { ask, fragment, inSlices } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange, preparedFirst, preparedSending } from '../sql/prepared.ts'

type TokenFamily = Selectable<TokenFamilyRow>
type AccessToken = Selectable<AccessTokenRow>
type RefreshToken = Selectable<RefreshTokenRow>

/** An access token with what every request needs to know about its user. */
interface TokenInUse extends Pick<AccessToken, 'uid' | 'client' | 'scope' | 'issued' | 'expires'> {
  name: string
  role: RoleName | null
  password_hash: string | null
  /** 1 where the client was registered here; otherwise it has to be declared to count. */
  registered: number | null
}

/** One look-up per request: a token that is known, unexpired, and whose user and client are not blocked. */
export async function findTokenInUse(snapshot: Snapshot, hash: string, now: number): Promise<TokenInUse | undefined> {
  return tokenInUse(snapshot, { hash, now })
}

const tokenInUse = preparedFirst((snapshot, { hash, now }: { readonly hash: string; readonly now: number }) =>
  snapshot
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

/** A token, and the version of the database that it was found in (versionInSql). */
export interface VersionedToken {
  readonly token: TokenInUse | undefined
  readonly version: string
}

interface LookupRequest {
  readonly hash: string
  readonly resolve: (lookup: VersionedToken) => void
  readonly reject: (error: unknown) => void
}

/** Questions that are under way at a time. Requests that come meanwhile share the next one. */
const mostQuestions = 2

/** Looks up the tokens of requests on PostgreSQL. A question is sent after the request came, so it sees earlier commits. */
class TokenLookups {
  readonly #database: Database
  #waiting: LookupRequest[] = []
  #underWay = 0

  constructor(database: Database) {
    this.#database = database
  }

  of(hash: string): Promise<VersionedToken> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hash, resolve, reject })
      if (this.#underWay < mostQuestions) this.#ask()
    })
  }

  async #ask(): Promise<void> {
    const those = this.#waiting
    this.#waiting = []
    this.#underWay += 1
    try {
      const hashes = new Set(those.map(({ hash }) => hash))
      const found = await this.#database.ask((snapshot) => tokensByHash(snapshot, [...hashes]))
      const tokens = new Map<string | null, TokenInUse>(found.map((row) => [row.hash, row]))
      const version = found[0]?.version ?? ''
      for (const { hash, resolve } of those) resolve({ token: tokens.get(hash), version })
    } catch (error) {
      for (const { reject } of those) reject(error)
    } finally {
      this.#underWay -= 1
      if (this.#waiting.length > 0) this.#ask()
    }
  }
}

const lookups = new WeakMap<Database, TokenLookups>()

/** The token with this hash, expired or not, whose user and client are not blocked. PostgreSQL only. */
export function lookUpToken(database: Database, hash: string): Promise<VersionedToken> {
  const known = lookups.get(database) ?? new TokenLookups(database)
  lookups.set(database, known)
  return known.of(hash)
}

/** One row at least; without a hash if no token was found. */
const tokensByHash = (snapshot: Snapshot, hashes: readonly string[]) =>
  ask<TokenInUse & { readonly hash: string | null; readonly version: string }>(
    snapshot,
    fragment`select ${versionInSql} as version, token.* from (select 1) as one left join (
      select access_token.hash, access_token.uid, access_token.client, access_token.scope, access_token.issued,
        access_token.expires, account.name, account.role, account.password_hash, client.registered
      from access_token join account on account.uid = access_token.uid left join client on client.id = access_token.client
      where access_token.hash = any(string_to_array(${hashes.join()}, ',')) and account.blocked = 0
        and (client.disabled is null or client.disabled = 0)) as token on true`,
  )

/** The same for many at once, by their hashes. */
export async function findTokensInUse(
  snapshot: Snapshot,
  hashes: readonly string[],
  now: number,
): Promise<readonly (Pick<TokenInUse, 'uid' | 'client' | 'role' | 'registered'> & { readonly hash: string })[]> {
  return inSlices(hashes, (slice) => tokensInUse(snapshot, { hashes: slice, now }))
}

const tokensInUse = prepared(
  (snapshot, { hashes, now }: { readonly hashes: readonly string[]; readonly now: number }) =>
    snapshot
      .selectFrom('access_token')
      .innerJoin('account', 'account.uid', 'access_token.uid')
      .leftJoin('client', 'client.id', 'access_token.client')
      .select(['access_token.hash', 'access_token.uid', 'access_token.client', 'account.role', 'client.registered'])
      .where('access_token.hash', 'in', hashes)
      .where('access_token.expires', '>', now)
      .where('account.blocked', '=', 0)
      .where((is) => is.or([is('client.disabled', 'is', null), is('client.disabled', '=', 0)])),
)

export async function findAccessToken(snapshot: Snapshot, hash: string): Promise<AccessToken | undefined> {
  return accessTokenWith(snapshot, { hash })
}

interface Hash {
  readonly hash: string
}

const accessTokenWith = preparedFirst((snapshot, { hash }: Hash) =>
  snapshot.selectFrom('access_token').selectAll().where('hash', '=', hash),
)

export async function findRefreshToken(
  snapshot: Snapshot,
  hash: string,
): Promise<(RefreshToken & Omit<TokenFamily, 'id' | 'label'>) | undefined> {
  return refreshTokenWith(snapshot, { hash })
}

const refreshTokenWith = preparedFirst((snapshot, { hash }: Hash) =>
  snapshot
    .selectFrom('refresh_token')
    .innerJoin('token_family', 'token_family.id', 'refresh_token.family')
    .selectAll('refresh_token')
    .select([
      'token_family.client',
      'token_family.uid',
      'token_family.scope',
      'token_family.grant_type',
      'token_family.created',
      'token_family.ends',
    ])
    .where('refresh_token.hash', '=', hash),
)

export async function insertFamily(tx: Transaction, family: TokenFamily): Promise<void> {
  await insertAll(tx, 'token_family', [family])
}

export async function prolongFamily(tx: Transaction, family: string, ends: number): Promise<void> {
  await setEnd(tx, { family, ends })
}

const setEnd = preparedSending((tx, { family, ends }: Family & { readonly ends: number }) =>
  tx.updateTable('token_family').set({ ends }).where('id', '=', family),
)

export async function insertAccessToken(tx: Transaction, token: Insertable<AccessTokenRow>): Promise<void> {
  await insertAll(tx, 'access_token', [token])
}

export async function insertRefreshToken(tx: Transaction, token: Insertable<RefreshTokenRow>): Promise<void> {
  await insertAll(tx, 'refresh_token', [token])
}

/** If several requests race, true for exactly one. */
export async function spendRefreshToken(tx: Transaction, hash: string, now: number): Promise<boolean> {
  return (await rotateUnrotated(tx, { hash, now })) === 1
}

const rotateUnrotated = preparedChange((tx, { hash, now }: Hash & { readonly now: number }) =>
  tx.updateTable('refresh_token').set({ rotated: now }).where('hash', '=', hash).where('rotated', 'is', null),
)

export async function deleteAccessToken(tx: Transaction, hash: string): Promise<void> {
  await deleteWithHash(tx, { hash })
}

const deleteWithHash = preparedSending((tx, { hash }: Hash) => tx.deleteFrom('access_token').where('hash', '=', hash))

export async function deleteAccessTokensOfFamily(tx: Transaction, family: string): Promise<void> {
  await deleteAccessTokens(tx, { family })
}

interface Family {
  readonly family: string
}

const deleteAccessTokens = preparedSending((tx, { family }: Family) =>
  tx.deleteFrom('access_token').where('family', '=', family),
)

/** Locks a family for rotation or revocation; later queries see what others did meanwhile. */
export async function lockFamily(tx: Transaction, family: string): Promise<void> {
  await familyLocked(tx, { family })
}

const familyLocked = prepared((snapshot, { family }: Family) =>
  snapshot.selectFrom('token_family').select('id').where('id', '=', family).forUpdate(),
)

export async function endFamily(tx: Transaction, family: string): Promise<void> {
  await lockFamily(tx, family)
  await deleteAccessTokens(tx, { family })
  await deleteRefreshTokens(tx, { family })
  await deleteFamily(tx, { family })
}

const deleteRefreshTokens = preparedSending((tx, { family }: Family) =>
  tx.deleteFrom('refresh_token').where('family', '=', family),
)

const deleteFamily = preparedSending((tx, { family }: Family) => tx.deleteFrom('token_family').where('id', '=', family))

export interface GrantHolder {
  readonly uid?: number
  readonly client?: string
}

/** Families of a user, of a client, or of a user with a client, newest first. */
export async function familiesOf(snapshot: Snapshot, holder: GrantHolder): Promise<readonly TokenFamily[]> {
  return familiesHeld(snapshot, holder)
}

const familiesHeld = prepared((snapshot, { uid, client }: GrantHolder) => {
  let families = snapshot.selectFrom('token_family').selectAll()
  if (uid !== undefined) families = families.where('uid', '=', uid)
  if (client !== undefined) families = families.where('client', '=', client)
  return families.orderBy('created', 'desc').orderBy('id')
})

/** Time of the newest refreshable token of each family. */
export async function latestTokens(snapshot: Snapshot): Promise<ReadonlyMap<string, number>> {
  return new Map((await latestByFamily(snapshot)).map(({ family, issued }) => [family, issued]))
}

const latestByFamily = prepared((snapshot) =>
  snapshot
    .selectFrom('refresh_token')
    .select(({ fn }) => ['family', fn.max('issued').as('issued')])
    .groupBy('family'),
)

/** Ends every token and code of a user, of a client, or of a user with a client; answers how many families ended. */
export async function endGrants(tx: Transaction, holder: GrantHolder): Promise<number> {
  const families = await familiesOf(tx, holder)
  for (const family of families) await endFamily(tx, family.id)
  await deleteCodes(tx, holder)
  return families.length
}

const deleteCodes = preparedChange((tx, { uid, client }: GrantHolder) => {
  let codes = tx.deleteFrom('authorization_code')
  if (uid !== undefined) codes = codes.where('uid', '=', uid)
  if (client !== undefined) codes = codes.where('client', '=', client)
  return codes
})
