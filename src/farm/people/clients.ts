export const grants = ['authorization_code', 'refresh_token', 'password', 'client_credentials'] as const

export type Grant = (typeof grants)[number]

const idLength = 60
const idForm = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._~-]{0,${idLength - 1}}$`)

export const isClientId = (id: string): boolean => idForm.test(id)

/** Completes the sentence "a client id has …". */
export const clientIdForm = `1 to ${idLength} letters, digits and . _ ~ -`

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
  /** How `expires_in` is written: a string, as the interface promises, unless the client wants RFC 6749 to the letter. */
  readonly expiresIn?: 'string' | 'number'
  /** Seconds. */
  readonly accessLifetime?: number
  readonly refreshLifetime?: number
  readonly codeLifetime?: number
}

export const farmClient: ClientDeclaration = {
  id: 'farm',
  label: 'Farm client',
  grants: ['password', 'refresh_token'],
  scopes: ['user_access', 'farm_info', 'farm_manager', 'farm_worker', 'farm_viewer'],
  defaultScopes: ['user_access'],
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
