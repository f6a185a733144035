import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { DocumentCache } from '../../wire-1x/document-cache.ts'
import { batchRoutes } from '../furrow/batch.ts'
import { becauseRoutes } from '../furrow/because.ts'
import { setRoutes, undoRoutes } from '../furrow/change-sets.ts'
import { changesRoutes } from '../furrow/changes.ts'
import { fileAdditionRoutes } from '../furrow/file-additions.ts'
import { historyRoutes, revertRoutes } from '../furrow/history.ts'
import { mapRoutes } from '../furrow/maps.ts'
import { fieldHistoryRoutes, reportRoutes } from '../furrow/reports/report-routes.ts'
import { sheetRoutes } from '../furrow/sheets.ts'
import { stayRoutes } from '../furrow/stays.ts'
import { trashRoutes } from '../furrow/trash.ts'
import { ResponseCache } from '../http/answers/response-cache.ts'
import { WholeAnswers } from '../http/answers/whole-answers.ts'
import type { OpenStreams } from '../http/open-streams.ts'
import { areasGeojsonRoutes } from './areas-geojson.ts'
import { farmInfoRoutes } from './farm-info.ts'
import { fileRoutes } from './files.ts'
import { recordRoutes } from './record-routes.ts'
import { userRoutes, vocabularyRoutes } from './short-lists.ts'

/** The record interface, API version 1.3. */
export function recordDoor(app: FastifyInstance, installation: Records, streams: OpenStreams): void {
  const responses = new ResponseCache(installation)
  farmInfoRoutes(app, installation, responses)
  const documents = new DocumentCache(installation)
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
