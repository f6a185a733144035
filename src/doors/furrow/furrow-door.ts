import type { FastifyInstance } from 'fastify'
import type { Records } from '../../records/records.ts'
import { SpooledAnswers } from '../http/spooled-answers.ts'
import { administerDoor } from './administer/administer-door.ts'
import { batchRoutes } from './batch.ts'
import { becauseRoutes } from './because.ts'
import { setRoutes, undoRoutes } from './change-sets.ts'
import { type ChangesParts, changesRoutes } from './changes.ts'
import { fileAdditionRoutes } from './file-additions.ts'
import { historyRoutes, revertRoutes } from './history.ts'
import { mapRoutes } from './maps.ts'
import { addReportLinks } from './reports/report-links.ts'
import { fieldHistoryRoutes, reportRoutes } from './reports/report-routes.ts'
import { sheetRoutes } from './sheets.ts'
import { stayRoutes } from './stays.ts'
import { trashRoutes } from './trash.ts'

/** Furrow's own interface, beside that of the first generation. */
export function furrowDoor(app: FastifyInstance, installation: Records, parts: ChangesParts): void {
  const answers = new SpooledAnswers(installation.database)
  sheetRoutes(app, installation, answers)
  mapRoutes(app, installation, answers)
  changesRoutes(app, installation, parts)
  fileAdditionRoutes(app, installation)
  batchRoutes(app, installation)
  stayRoutes(app, installation)
  reportRoutes(app, installation)
  fieldHistoryRoutes(app, installation)
  becauseRoutes(app, installation)
  historyRoutes(app, installation)
  revertRoutes(app, installation)
  setRoutes(app, installation)
  undoRoutes(app, installation)
  trashRoutes(app, installation)
  addReportLinks(app, installation)
  administerDoor(app, installation)
}
