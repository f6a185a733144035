import type { FastifyInstance } from 'fastify'
import type { Installation } from '../access/installation.ts'
import { openLastingRecords } from '../records/records.ts'
import { DocumentCache } from '../wire-1x/document-cache.ts'
import { apiDoor, apiScriptAccess } from './api/api-door.ts'
import { apiRefusalForm } from './api/errors.ts'
import { appDoor, appScriptAccess } from './app/app-door.ts'
import { describeInterface, describeStockInterface } from './description.ts'
import { docsDoor, docsScriptAccess } from './docs/docs-door.ts'
import { openapiDoor } from './docs/openapi-door.ts'
import { administerScriptAccess } from './furrow/administer/administer-door.ts'
import { furrowDoor } from './furrow/furrow-door.ts'
import { mapImport } from './furrow/maps.ts'
import { sheetImport } from './furrow/sheet-import.ts'
import { healthDoor } from './health/health-door.ts'
import { OpenStreams } from './http/concurrency.ts'
import { databaseLine, toStandardOutput, type WriteLine } from './http/in-flight.ts'
import { readableDescription } from './http/readable-description.ts'
import { ResponseCache } from './http/response-cache.ts'
import { openServer } from './http/server.ts'
import { addCors } from './oauth/cors.ts'
import { oauthDoor, oauthScriptAccess } from './oauth/oauth-door.ts'
import { recordDoor } from './record-1x/record-door.ts'
import { sessionDoor, sessionScriptAccess } from './session/session-door.ts'

/** The server with all doors, not yet listening. */
export async function openDoors(
  installation: Installation,
  write: WriteLine = toStandardOutput,
): Promise<FastifyInstance> {
  const records = await openLastingRecords(installation)
  const app = openServer(records, write, [apiRefusalForm])
  addCors(app, records, [
    ...sessionScriptAccess,
    ...appScriptAccess,
    ...administerScriptAccess,
    ...docsScriptAccess,
    ...oauthScriptAccess,
    ...apiScriptAccess,
  ])
  installation.database.onReachability?.((reached) => write(databaseLine(reached, installation.clock)))
  const streams = new OpenStreams()
  healthDoor(app, records, streams)
  sessionDoor(app, records)
  oauthDoor(app, records)
  apiDoor(app, records)
  const caches = { documents: new DocumentCache(records), responses: new ResponseCache(records) }
  recordDoor(app, records, { ...caches, imports: [sheetImport, mapImport] })
  furrowDoor(app, records, { ...caches, streams })
  appDoor(app, records)
  const readDescription = readableDescription(records, {
    own: (base, present) => describeInterface({ ...records, present }, base),
    stock: (base) => describeStockInterface(installation.settings, base),
  })
  openapiDoor(app, readDescription)
  docsDoor(app, readDescription)
  return app
}
