import { objectOf, type Schema } from '../http/openapi/schema.ts'

const text: Schema = { type: 'string' }

/** What the authorization server answers with. */
export const oauthSchemas: Readonly<Record<string, Schema>> = {
  Token: objectOf({
    properties: {
      access_token: { type: 'string', description: 'For role scopes a JWT, which nobody needs to read' },
      expires_in: {
        anyOf: [
          { type: 'string', pattern: '^[0-9]+$' },
          { type: 'integer', description: 'For role scopes, and for clients registered so' },
        ],
        description: 'Seconds',
      },
      token_type: { const: 'Bearer' },
      scope: text,
      refresh_token: text,
    },
    required: ['access_token', 'expires_in', 'token_type', 'scope'],
  }),
  Introspection: {
    type: 'object',
    properties: {
      active: { type: 'boolean' },
      scope: text,
      client_id: text,
      username: text,
      sub: text,
      token_type: text,
      iat: { type: 'integer' },
      exp: { type: 'integer' },
    },
    required: ['active'],
  },
  OAuthError: objectOf({ properties: { error: text, error_description: text }, required: ['error'] }),
}
