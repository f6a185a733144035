import type { FastifyInstance } from 'fastify'
import type { Farm } from '../../farm/farm.ts'
import type { MoveJob } from '../../records/moving/move-job.ts'
import type { Records } from '../../records/records.ts'
import type { DoorDescription } from '../http/openapi.ts'
import { SpooledAnswers } from '../http/spooled-answers.ts'
import { administerDoor } from './administer/administer-door.ts'
import { batchDescription, batchRoutes } from './batch.ts'
import { becauseDescription, becauseRoutes } from './because.ts'
import { changeSetsDescription, setRoutes } from './change-sets.ts'
import { type ChangesParts, changesDescription, changesRoutes } from './changes.ts'
import { fileAdditionDescription, fileAdditionRoutes } from './file-additions.ts'
import { historyDescription, historyRoutes, revertRoutes } from './history.ts'
import { mapDescription, mapRoutes } from './maps.ts'
import { inspectionRoutes } from './reports/inspection-document.ts'
import { registerRoutes } from './reports/register-document.ts'
import { reportDescription } from './reports/report-description.ts'
import { addReportLinks } from './reports/report-links.ts'
import { fieldHistoryRoutes, reportRoutes } from './reports/report-routes.ts'
import { sheetImportDescription } from './sheet-import.ts'
import { sheetDescription, sheetRoutes } from './sheets.ts'
import { stayRoutes, staysDescription } from './stays.ts'
import { trashRoutes } from './trash.ts'
import { trashDescription } from './trash-documents.ts'
import { undoDescription, undoRoutes } from './undo.ts'

interface FurrowParts extends ChangesParts {
  readonly moves: MoveJob
}

/** Furrow's own interface, beside that of 1.x. */
export function furrowDoor(app: FastifyInstance, installation: Records, parts: FurrowParts): void {
  const answers = new SpooledAnswers(installation.database)
  sheetRoutes(app, installation, answers)
  mapRoutes(app, installation, answers)
  changesRoutes(app, installation, parts)
  fileAdditionRoutes(app, installation)
  batchRoutes(app, installation)
  stayRoutes(app, installation)
  reportRoutes(app, installation)
  fieldHistoryRoutes(app, installation)
  registerRoutes(app, installation)
  inspectionRoutes(app, installation)
  becauseRoutes(app, installation)
  historyRoutes(app, installation)
  revertRoutes(app, installation)
  setRoutes(app, installation)
  undoRoutes(app, installation)
  trashRoutes(app, installation)
  addReportLinks(app, installation)
  administerDoor(app, installation, parts.moves)
}

const tags = [
  { name: 'past', description: 'Where assets were, and why' },
  { name: 'reports', description: 'What was harvested and put on, with the logs behind each figure' },
  { name: 'files', description: 'Photos and other files' },
  { name: 'history', description: 'Who changed what together' },
  { name: 'trash', description: 'What was removed' },
]

/** Its OpenAPI description, from the catalogue with all modules. */
export const furrowDescriptions = (farm: Farm): readonly DoorDescription[] => [
  { tags, ...sheetDescription(farm) },
  mapDescription(farm),
  fileAdditionDescription,
  batchDescription,
  changesDescription,
  staysDescription,
  becauseDescription,
  reportDescription(farm),
  historyDescription,
  changeSetsDescription,
  undoDescription,
  trashDescription,
  sheetImportDescription,
]
