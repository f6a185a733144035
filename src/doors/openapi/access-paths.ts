import type { Settings } from '../../config.ts'
import { grants } from '../../farm/people/clients.ts'
import { answer, answerAs, operation, type Paths, refusedOften } from './operations.ts'
import { objectOf, responseRef, type Schema, schemaRef } from './schema.ts'

const text: Schema = { type: 'string' }

/** The authorization server and the older session (spec 5). */
export function accessPaths(settings: Settings): Paths {
  return { ...oauthPaths('/oauth'), ...deprecated(oauthPaths('/oauth2')), ...metadata, ...sessionPaths(settings) }
}

const inBody = (schema: Schema): Schema => ({
  'application/x-www-form-urlencoded': { schema },
  'application/json': { schema },
})

const form = (properties: Readonly<Record<string, Schema>>, required: readonly string[]): Schema => ({
  type: 'object',
  properties,
  required,
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

function sessionPaths({ restModule }: Settings): Paths {
  const login = form({ name: text, pass: { type: 'string', format: 'password' }, form_id: { const: 'user_login' } }, [
    'name',
    'pass',
  ])
  const token = (id: string) =>
    operation({
      id,
      summary: 'The CSRF token that writes with a session carry in X-CSRF-Token',
      tag: 'access',
      responses: { '200': answerAs('The token', 'text/plain', text), ...refusedOften },
    })
  return {
    '/user/login': {
      get: operation({
        id: 'showLogin',
        summary: 'The login form',
        tag: 'access',
        responses: {
          '200': responseRef('Page'),
          '302': responseRef('Redirect'),
          ...refusedOften,
          '403': responseRef('RefusedPage'),
        },
        security: [],
      }),
      post: operation({
        id: 'logIn',
        summary: 'Begin a session: 302 with a cookie, or 200 with the form again',
        tag: 'access',
        body: inBody(login),
        responses: {
          '200': responseRef('Page'),
          '302': responseRef('Redirect'),
          '429': responseRef('Page'),
          ...refusedOften,
        },
        security: [],
      }),
    },
    '/user/logout': {
      get: operation({
        id: 'logOut',
        summary: 'End the session; a browser that has none is shown a page',
        tag: 'access',
        responses: { '200': responseRef('Page'), '302': responseRef('Redirect'), ...refusedOften },
      }),
    },
    [`/${restModule}/session/token`]: { get: token('readCsrfToken') },
    '/session/token': { get: token('readCsrfTokenByShortName') },
  }
}
