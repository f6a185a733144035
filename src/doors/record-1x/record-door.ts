import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { ResponseCache } from '../http/answers/response-cache.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { batchRoutes } from './batch/batch.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileAdditionRoutes } from './file-additions.ts'
import { fileRoutes } from './files.ts'
import { becauseRoutes } from './past/because.ts'
import { changesRoutes } from './past/changes.ts'
import { stayRoutes } from './past/stays.ts'
import { recordRoutes } from './records.ts'
import { userRoutes } from './users.ts'
import { vocabularyRoutes } from './vocabularies.ts'
import { Documents } from './wire/documents.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, streams: OpenStreams): void {
  const responses = new ResponseCache(installation)
  farmInfoRoutes(app, installation, responses)
  const documents = new Documents(installation)
  recordRoutes(app, installation, { documents, responses })
  changesRoutes(app, installation, { documents, responses, streams })
  fileAdditionRoutes(app, installation)
  batchRoutes(app, installation)
  vocabularyRoutes(app, installation)
  userRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
  stayRoutes(app, installation)
  becauseRoutes(app, installation)
}
