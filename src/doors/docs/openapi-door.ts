import type { FastifyInstance } from 'fastify'
import type { ServerSettings } from '../../config.ts'
import type { Farm } from '../../farm/farm.ts'
import { sessionCookieName } from '../http/caller.ts'
import { answer, type DoorDescription, operation, refusedOften, type Schema, withObjects } from '../http/openapi.ts'
import type { ReadableDescription } from '../http/readable-description.ts'

export function openapiDoor(app: FastifyInstance, readDescription: ReadableDescription): void {
  app.get('/openapi.json', async (request, reply) =>
    reply.header('content-type', 'application/json').send(await readDescription(request)),
  )
}

export const openapiDescription: DoorDescription = {
  paths: {
    '/openapi.json': {
      get: operation({
        id: 'readOpenapi',
        summary: 'This description; without a login, or where no records may be read, that of a farm as it comes',
        tag: 'farm',
        responses: {
          '200': answer('OpenAPI 3.1', 'json', withObjects('info', 'paths', 'components')),
          ...refusedOften,
        },
        security: [{}, { oauth: [] }, { session: [] }],
      }),
    },
  },
}

/** Every authentication scheme. A write with a session also needs the CSRF token. */
export function securityOf(settings: ServerSettings): readonly Schema[] {
  const ways: readonly Schema[] = [{ oauth: [] }, { session: [], csrf: [] }]
  return settings.basicAuth === null ? ways : [...ways, { basic: [] }]
}

export function securitySchemes(farm: Farm, settings: ServerSettings, base: string): Record<string, Schema> {
  const scopes = Object.fromEntries(farm.scopes.map(({ name, label }) => [name, label]))
  const token = { tokenUrl: `${base}/oauth/token`, refreshUrl: `${base}/oauth/token`, scopes }
  return {
    oauth: {
      type: 'oauth2',
      description: 'A bearer token, the recommended way',
      flows: {
        authorizationCode: { ...token, authorizationUrl: `${base}/oauth/authorize` },
        clientCredentials: { tokenUrl: token.tokenUrl, scopes },
        ...(settings.passwordGrant ? { password: token } : {}),
      },
    },
    session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(base), description: 'From POST /user/login' },
    csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'For writes with a session' },
    ...(settings.basicAuth === null ? {} : { basic: { type: 'http', scheme: 'basic' } }),
  }
}
