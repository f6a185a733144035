import type { Farm } from '../../../farm/farm.ts'
import type { DoorDescription } from '../../http/openapi.ts'
import { fileAdditionDescription } from '../file-additions.ts'
import { batchPaths, batchSchemas } from './batch-paths.ts'
import { changePaths, changeSchemas } from './change-paths.ts'
import { historyPaths, historySchemas, undoPaths } from './history-paths.ts'
import { mapPaths, mapSchemas } from './map-paths.ts'
import { pastPaths, pastSchemas } from './past-paths.ts'
import { reportPaths, reportSchemas } from './report-paths.ts'
import { sheetParameters, sheetPaths, sheetSchemas } from './sheet-paths.ts'
import { trashPaths, trashSchemas } from './trash-paths.ts'

/** Furrow's own interface to the records, from the catalogue as the modules have left it. */
export function furrowDescription(farm: Farm): DoorDescription {
  const additions = fileAdditionDescription()
  return {
    tags: [
      { name: 'past', description: 'Where assets were, and why' },
      { name: 'reports', description: 'What was harvested and put on, with the logs behind each figure' },
      { name: 'files', description: 'Photos and other files' },
      { name: 'history', description: 'Who changed what together' },
      { name: 'trash', description: 'What was removed' },
    ],
    paths: {
      ...sheetPaths(farm),
      ...mapPaths(farm),
      ...additions.paths,
      ...batchPaths,
      ...changePaths,
      ...pastPaths(),
      ...reportPaths(farm),
      ...historyPaths,
      ...undoPaths,
      ...trashPaths,
    },
    schemas: {
      ...batchSchemas,
      ...mapSchemas,
      ...changeSchemas,
      ...additions.schemas,
      ...pastSchemas,
      ...reportSchemas,
      ...historySchemas,
      ...trashSchemas,
      ...sheetSchemas,
    },
    parameters: sheetParameters,
  }
}
