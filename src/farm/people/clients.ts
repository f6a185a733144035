import { olderScopes, roleScopes } from './scopes.ts'

export const grants = ['authorization_code', 'refresh_token', 'password', 'client_credentials'] as const

export type Grant = (typeof grants)[number]

const idLength = 60
const idForm = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,${idLength - 1}}$`)

export const isClientId = (id: string): boolean => idForm.test(id)

/** Completes the sentence "a client id has …". */
export const clientIdForm = `1 to ${idLength} letters, digits and . _ ~ -`

export const formsOfExpiresIn = ['by-scope', 'string', 'number'] as const

export type ExpiresIn = (typeof formsOfExpiresIn)[number]

/** A program that can request tokens (spec 5.2), as the catalogue or a module declares it. */
export interface ClientDeclaration {
  readonly id: string
  readonly label: string
  readonly grants: readonly Grant[]
  readonly scopes: readonly string[]
  readonly defaultScopes: readonly string[]
  readonly redirectUris: readonly string[]
  readonly origins: readonly string[]
  readonly pkce: 'required' | 'optional'
  /** A client of /api: a module that declares the same id replaces it. */
  readonly only?: 'newer'
  /** The form of `expires_in`. Default: by the generation of the granted scopes. */
  readonly expiresIn?: ExpiresIn
  /** Seconds. */
  readonly accessLifetime?: number
  readonly refreshLifetime?: number
  readonly codeLifetime?: number
}

export const farmClient: ClientDeclaration = {
  id: 'farm',
  label: 'Farm client',
  grants: ['password', 'refresh_token'],
  scopes: [...olderScopes, ...roleScopes],
  defaultScopes: ['user_access'],
  redirectUris: [],
  origins: [],
  pkce: 'optional',
}

/** The offline app of /api. The operator sets the origin of its scripts. */
export const fieldkitClient: ClientDeclaration = {
  id: 'fieldkit',
  only: 'newer',
  label: 'Field Kit',
  grants: ['password', 'refresh_token'],
  scopes: roleScopes,
  defaultScopes: roleScopes,
  redirectUris: [],
  origins: [],
  pkce: 'optional',
}

/** What the tokens belong to that people make for their own scripts: it is given none by any grant, and disabling it ends them all. */
export const personalTokenClient: ClientDeclaration = {
  id: 'personal-tokens',
  label: 'Personal tokens',
  grants: ['refresh_token'],
  scopes: [...olderScopes, ...roleScopes],
  defaultScopes: [],
  redirectUris: [],
  origins: [],
  pkce: 'required',
}

/** For trying the authorization code flow on one's own machine (spec 5.2). */
export function developmentClient(id: string): ClientDeclaration {
  return {
    id,
    label: 'Development client',
    grants: ['authorization_code', 'refresh_token'],
    scopes: farmClient.scopes,
    defaultScopes: farmClient.defaultScopes,
    redirectUris: ['http://localhost/api/authorized'],
    origins: [],
    pkce: 'optional',
  }
}
