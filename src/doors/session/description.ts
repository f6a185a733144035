import type { Settings } from '../../config.ts'
import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answerAs, form, inBody, operation, type Paths, refusedOften } from '../http/openapi/operations.ts'
import { objectOf, responseRef, type Schema, schemaRef } from '../http/openapi/schema.ts'

const text: Schema = { type: 'string' }

/** Logging in and out, and the session (spec 5.1). */
export const sessionDescription = (settings: Settings): DoorDescription => ({
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

function sessionPaths({ restModule }: Settings): Paths {
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
    [`/${restModule}/session/token`]: { get: token('readCsrfToken') },
    '/session/token': { get: token('readCsrfTokenByShortName') },
  }
}
