import type { ServerSettings } from '../../config.ts'
import {
  answer,
  answerAs,
  type DoorDescription,
  form,
  inBody,
  objectOf,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
} from '../http/openapi.ts'

const text: Schema = { type: 'string' }

/** Logging in and out, and the session (spec 5.1). */
export const sessionDescription = (settings: ServerSettings): DoorDescription => ({
  tags: [{ name: 'access', description: 'Logging in, and the OAuth 2.0 authorization server' }],
  paths: sessionPaths(settings),
  schemas: { Login: login },
})

const login = objectOf({
  properties: {
    current_user: objectOf({
      properties: { uid: text, name: text, roles: { type: 'array', items: text } },
      required: ['uid', 'name', 'roles'],
    }),
    csrf_token: text,
    logout_token: text,
  },
  required: ['current_user', 'csrf_token', 'logout_token'],
})

function sessionPaths({ restModule }: ServerSettings): Paths {
  const typed = form({ name: text, pass: { type: 'string', format: 'password' }, form_id: { const: 'user_login' } }, [
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
        summary:
          'Begin a session: 302 with a cookie, or 200 with the form again; with _format=json 200 and who it is, or 400',
        tag: 'access',
        parameters: [{ name: '_format', in: 'query', schema: { const: 'json' } }],
        body: inBody(typed),
        responses: {
          '200': {
            description: 'The form again; or, with _format=json, who has logged in',
            content: { 'text/html': { schema: text }, 'application/json': { schema: schemaRef('Login') } },
          },
          '302': responseRef('Redirect'),
          '429': responseRef('RefusedPage'),
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
      post: operation({
        id: 'endSession',
        summary: 'End the session, as a program that has the logout token of its login',
        tag: 'access',
        parameters: [{ name: 'token', in: 'query', schema: text }],
        responses: { '204': { description: 'It is ended' }, ...refusedOften },
      }),
    },
    ...linkPaths,
    [`/${restModule}/session/token`]: { get: token('readCsrfToken') },
    '/session/token': { get: token('readCsrfTokenByShortName') },
  }
}

const page = (id: string, summary: string): Schema =>
  operation({
    id,
    summary,
    tag: 'access',
    responses: { '200': responseRef('Page'), ...refusedOften, '403': responseRef('RefusedPage') },
    security: [],
  })

const keyed = (id: string, summary: string, more: Readonly<Record<string, Schema>>): Schema =>
  operation({
    id,
    summary,
    tag: 'access',
    body: inBody(form({ key: text, password: { type: 'string', format: 'password' }, ...more }, ['key', 'password'])),
    responses: {
      '200': answer(
        'Done; a session has begun, and this is where a person goes on',
        'json',
        objectOf({ properties: { go_on: text }, required: ['go_on'] }),
      ),
      ...refusedOften,
      '404': responseRef('NotFound'),
      '409': responseRef('Conflict'),
      '422': responseRef('Invalid'),
    },
    security: [],
  })

/** Where links lead that managers make; the key stands behind the # of the address. */
const linkPaths: Paths = {
  '/invitation': { get: page('showInvitation', 'The form of whoever was invited; it is the same for everybody') },
  '/invitation.json': {
    post: keyed('acceptInvitation', 'Make the account that an invitation gives, and log in', {
      name: text,
      language: text,
    }),
  },
  '/new-password': { get: page('showNewPassword', 'The form of whoever was sent a link to a new password') },
  '/new-password.json': {
    post: keyed('acceptPasswordLink', 'Set a new password; every session and token of the account ends', {}),
  },
}
