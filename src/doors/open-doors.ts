import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { openLastingKeeping } from '../records/lasting-keeping.ts'
import { apiDoor } from './api/api-door.ts'
import { describeInterface } from './description.ts'
import { docsDoor } from './docs/docs-door.ts'
import { docsScriptAccess } from './docs/script-access.ts'
import { healthDoor } from './health/health-door.ts'
import type { House } from './http/house.ts'
import { readableDescription } from './http/openapi/readable-description.ts'
import { databaseLine, toStandardOutput, type WriteLine } from './http/request-log.ts'
import { openServer } from './http/server.ts'
import { addCors } from './oauth/cors.ts'
import { oauthDoor } from './oauth/oauth-door.ts'
import { oauthScriptAccess } from './oauth/script-access.ts'
import { openapiDoor } from './openapi/openapi-door.ts'
import { recordDoor } from './record-1x/record-door.ts'
import { sessionScriptAccess } from './session/script-access.ts'
import { sessionDoor } from './session/session-door.ts'

/** The server with every way in, not yet listening. */
export async function openDoors(house: House, write: WriteLine = toStandardOutput): Promise<FastifyInstance> {
  const kept = await openLastingKeeping(house)
  const catalogue = createHash('sha256').update(JSON.stringify(house.farm.records)).digest('base64url').slice(0, 8)
  const app = openServer(kept, write)
  addCors(app, kept, [...sessionScriptAccess, ...docsScriptAccess, ...oauthScriptAccess])
  house.database.onReachability?.((reached) => write(databaseLine(reached, house.clock)))
  healthDoor(app, kept)
  sessionDoor(app, kept)
  oauthDoor(app, kept)
  apiDoor(app, kept)
  // Not copied: what is known of the farm is looked up when it is used.
  recordDoor(app, Object.assign(kept, { catalogue }))
  const readDescription = readableDescription(kept, (base) => describeInterface(kept, base))
  openapiDoor(app, readDescription)
  docsDoor(app, readDescription)
  return app
}
