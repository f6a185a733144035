import type { Settings } from '../../config.ts'
import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answerAs, form, inBody, operation, type Paths, refusedOften } from '../http/openapi/operations.ts'
import { responseRef, type Schema } from '../http/openapi/schema.ts'

const text: Schema = { type: 'string' }

/** Logging in and out, and the session (spec 5.1). */
export const sessionDescription = (settings: Settings): DoorDescription => ({
  tags: [{ name: 'access', description: 'Logging in, and the OAuth 2.0 authorization server' }],
  paths: sessionPaths(settings),
})

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
