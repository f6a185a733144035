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

/** A program that may ask for tokens (spec 5.2), as the catalogue or a module declares it. */
export interface ClientDeclaration {
  readonly id: string
  readonly label: string
  readonly grants: readonly Grant[]
  readonly scopes: readonly string[]
  readonly defaultScopes: readonly string[]
  readonly redirectUris: readonly string[]
  readonly origins: readonly string[]
  readonly pkce: 'required' | 'optional'
  /** It came with the newer generation: a module that declares one of the same id takes its place. */
  readonly only?: 'newer'
  /** How `expires_in` is written: by the generation that the granted scopes belong to, unless the client has a form of its own. */
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

/** The offline app of the newer generation. From where its scripts come is for the operator to say. */
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
