import { createHmac } from 'node:crypto'
import { olderScopes, roleScopes } from '../../farm/people/scopes.ts'
import type { Database } from '../../storage/database.ts'
import { newSecret, sealOf } from '../secrets.ts'

/** Whether what was granted belongs to the newer generation, whose clients want a number in `expires_in` and a JWT. */
export function isOfNewerGeneration(granted: string): boolean {
  const names = granted.split(' ')
  return names.some((name) => roleScopes.includes(name)) && !names.some((name) => olderScopes.includes(name))
}

/** What the tokens of this installation are signed with, and nothing else. */
export async function signatureKey(database: Database): Promise<Buffer> {
  return Buffer.from(await sealOf(database, 'access-token', ''), 'base64url')
}

/** What a token says of itself to whoever reads it; here nobody does. */
export interface Claims {
  readonly aud: string
  readonly iat: number
  readonly nbf: number
  readonly exp: number
  readonly sub: string
  readonly scope: string
}

/** RFC 7519 with HS256. Like every other token it is known by its hash alone. */
export function signedToken(claims: Claims, key: Buffer): string {
  const jti = newSecret()
  const signed = [
    { typ: 'JWT', alg: 'HS256', jti },
    { jti, ...claims },
  ]
    .map(encoded)
    .join('.')
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
