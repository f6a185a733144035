import { grants } from '../../farm/people/clients.ts'
import type { Installation } from '../installation.ts'

/** RFC 8414: what this authorization server can do, and nothing that it cannot. */
export function authorizationServerMetadata({ farm, settings }: Installation, issuer: string) {
  const clientAuthentication = ['none', 'client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    scopes_supported: farm.scopes.map(({ name }) => name),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: grants.filter((grant) => grant !== 'password' || settings.passwordGrant),
    token_endpoint_auth_methods_supported: clientAuthentication,
    revocation_endpoint_auth_methods_supported: clientAuthentication,
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}
