import type { FastifyInstance } from 'fastify'
import { sealOf } from '../access/secrets.ts'
import { openKeeping } from '../records/keeping.ts'
import { apiDoor } from './api/api-door.ts'
import { healthDoor } from './health/health-door.ts'
import type { House } from './http/house.ts'
import type { WriteLine } from './http/request-log.ts'
import { openServer } from './http/server.ts'
import { oauthDoor } from './oauth/oauth-door.ts'
import { openapiDoor } from './openapi/openapi-door.ts'
import { recordDoor } from './record-1x/record-door.ts'
import { sessionDoor } from './session/session-door.ts'

/** The server with every way in, not yet listening. */
export async function openDoors(house: House, write?: WriteLine): Promise<FastifyInstance> {
  const keeping = await openKeeping(house)
  const edition = (await sealOf(house.database, 'edition', JSON.stringify(house.farm.records))).slice(0, 8)
  const app = openServer(house, write)
  healthDoor(app, house)
  sessionDoor(app, house)
  oauthDoor(app, house)
  apiDoor(app, house)
  recordDoor(app, { ...house, ...keeping, edition })
  openapiDoor(app, { ...house, ...keeping })
  return app
}
