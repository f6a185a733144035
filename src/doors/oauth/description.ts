import { grants } from '../../farm/people/clients.ts'
import {
  answer,
  type DoorDescription,
  form,
  inBody,
  objectOf,
  operation,
  type Paths,
  responseRef,
  type Schema,
  schemaRef,
} from '../http/openapi.ts'

const text: Schema = { type: 'string' }

/** The authorization server (spec 5.2). */
export const oauthDescription = (): DoorDescription => ({
  paths: { ...oauthPaths('/oauth'), ...deprecated(oauthPaths('/oauth2')), ...metadata },
  schemas: oauthSchemas,
})

const client = { client_id: text, client_secret: text }

const oauthRefused: Schema = {
  '400': responseRef('OAuthError'),
  '401': responseRef('OAuthError'),
  '4XX': responseRef('OAuthError'),
  '5XX': responseRef('OAuthError'),
}

const tokenRequest = form(
  {
    grant_type: { type: 'string', enum: grants },
    ...client,
    code: text,
    redirect_uri: text,
    code_verifier: text,
    refresh_token: text,
    username: text,
    password: { type: 'string', format: 'password' },
    scope: { type: 'string', description: 'Scopes, with a space between' },
  },
  ['grant_type'],
)

const tokenQuestion = form({ ...client, token: text, token_type_hint: text }, ['token'])

const authorizationParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
]

function oauthPaths(prefix: string): Paths {
  const word = prefix === '/oauth' ? '' : 'ByOldName'
  return {
    [`${prefix}/authorize`]: {
      get: operation({
        id: `authorize${word}`,
        summary: 'Ask the user, in a browser, to let a client in',
        tag: 'access',
        parameters: authorizationParameters.map((name) => ({ name, in: 'query', schema: text })),
        responses: { '200': responseRef('Page'), '302': responseRef('Redirect'), '4XX': responseRef('Page') },
        security: [],
      }),
    },
    [`${prefix}/token`]: {
      post: operation({
        id: `token${word}`,
        summary: 'Get or refresh a token',
        tag: 'access',
        body: inBody(tokenRequest),
        responses: { '200': answer('The token', 'json', schemaRef('Token')), ...oauthRefused },
        security: [],
      }),
    },
    [`${prefix}/revoke`]: {
      post: operation({
        id: `revoke${word}`,
        summary: 'End a token and all that came from it (RFC 7009)',
        tag: 'access',
        body: inBody(tokenQuestion),
        responses: {
          '200': answer('It is ended', 'json', objectOf({ properties: { revoked: { const: true } } })),
          ...oauthRefused,
        },
        security: [],
      }),
    },
    [`${prefix}/introspect`]: {
      post: operation({
        id: `introspect${word}`,
        summary: 'Ask about a token of one’s own (RFC 7662)',
        tag: 'access',
        body: inBody(tokenQuestion),
        responses: { '200': answer('About the token', 'json', schemaRef('Introspection')), ...oauthRefused },
        security: [],
      }),
    },
  }
}

const deprecated = (paths: Paths): Paths =>
  Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, one]) => [method, { ...(one as Schema), deprecated: true }]),
      ),
    ]),
  )

const metadata: Paths = {
  '/.well-known/oauth-authorization-server': {
    get: operation({
      id: 'readAuthorizationServer',
      summary: 'What the authorization server can do (RFC 8414)',
      tag: 'access',
      responses: {
        '200': answer('Its metadata', 'json', form({ issuer: { type: 'string', format: 'uri' } }, ['issuer'])),
        '4XX': responseRef('Problem'),
      },
      security: [],
    }),
  },
}

/** What the authorization server answers with. */
const oauthSchemas: Readonly<Record<string, Schema>> = {
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
