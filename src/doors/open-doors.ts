import type { FastifyInstance } from 'fastify'
import type { Installation } from '../access/installation.ts'
import type { MoveJob } from '../records/moving/move-job.ts'
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
import { watchCertificate } from './http/tls-certificate.ts'
import { addCors } from './oauth/cors.ts'
import { oauthDoor, oauthScriptAccess } from './oauth/oauth-door.ts'
import { recordDoor } from './record-1x/record-door.ts'
import { sessionDoor, sessionScriptAccess } from './session/session-door.ts'

/** The server with all doors, not yet listening. */
export async function openDoors(
  installation: Installation,
  moves: MoveJob,
  write: WriteLine = toStandardOutput,
): Promise<FastifyInstance> {
  await moves.readTrial()
  const records = await openLastingRecords(installation, moves)
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
  furrowDoor(app, records, { ...caches, streams, moves })
  appDoor(app, records)
  const readDescription = readableDescription(records, {
    own: (base, present) => describeInterface({ ...records, present }, base),
    stock: (base) => describeStockInterface(installation.settings, base),
  })
  renewCertificate(app, installation, write)
  openapiDoor(app, readDescription)
  docsDoor(app, readDescription)
  return app
}

const certificateMs = 5_000

/** A certificate that was renewed on the disk is served without a restart. */
function renewCertificate(app: FastifyInstance, { settings, clock }: Installation, write: WriteLine): void {
  if (settings.tls === null || !('setSecureContext' in app.server)) return
  const line = (what: object) => write(`${JSON.stringify({ time: clock(), ...what })}\n`)
  // Only a server with TLS has this method.
  const stop = watchCertificate(app.server as unknown as Parameters<typeof watchCertificate>[0], {
    files: settings.tls,
    everyMs: certificateMs,
    tell: (what) => line(what === 'renewed' ? { certificate: 'renewed' } : { warning: what.message }),
  })
  app.addHook('onClose', async () => stop())
}
