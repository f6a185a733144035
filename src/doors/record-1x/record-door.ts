import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { ResponseCache } from '../http/answers/response-cache.ts'
import { WholeAnswers } from '../http/answers/whole-answers.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { batchRoutes } from './batch/batch.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileAdditionRoutes } from './file-additions.ts'
import { fileRoutes } from './files.ts'
import { mapRoutes } from './maps/map-routes.ts'
import { becauseRoutes } from './past/because.ts'
import { changesRoutes } from './past/changes.ts'
import { historyRoutes } from './past/history.ts'
import { revertRoutes } from './past/revert.ts'
import { setRoutes } from './past/sets.ts'
import { stayRoutes } from './past/stays.ts'
import { trashRoutes } from './past/trash.ts'
import { undoRoutes } from './past/undo.ts'
import { recordRoutes } from './records.ts'
import { fieldHistoryRoutes } from './reports/field-history.ts'
import { reportRoutes } from './reports/report-routes.ts'
import { sheetRoutes } from './sheets/sheet-routes.ts'
import { userRoutes } from './users.ts'
import { vocabularyRoutes } from './vocabularies.ts'
import { Documents } from './wire/documents.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, streams: OpenStreams): void {
  const responses = new ResponseCache(installation)
  farmInfoRoutes(app, installation, responses)
  const documents = new Documents(installation)
  recordRoutes(app, installation, { documents, responses })
  const answers = new WholeAnswers(installation.database)
  sheetRoutes(app, installation, answers)
  changesRoutes(app, installation, { documents, responses, streams })
  fileAdditionRoutes(app, installation)
  batchRoutes(app, installation)
  vocabularyRoutes(app, installation)
  userRoutes(app, installation)
  fileRoutes(app, installation)
  areasGeojsonRoutes(app, installation)
  mapRoutes(app, installation, answers)
  stayRoutes(app, installation)
  reportRoutes(app, installation)
  fieldHistoryRoutes(app, installation)
  becauseRoutes(app, installation)
  historyRoutes(app, installation)
  revertRoutes(app, installation)
  setRoutes(app, installation)
  undoRoutes(app, installation)
  trashRoutes(app, installation)
}
