import { resourceNames } from '../../../farm/resource-names.ts'
import type { DoorDescription } from '../../http/openapi/door-description.ts'
import { batchPaths, batchSchemas } from './batch-paths.ts'
import { changePaths, changeSchemas } from './change-paths.ts'
import { fileAdditionPaths, fileAdditionSchemas } from './file-addition-paths.ts'
import { historyPaths, undoPaths } from './history-paths.ts'
import { historySchemas } from './history-schemas.ts'
import { listParameters } from './list-parameters.ts'
import { mapPaths, mapSchemas } from './map-paths.ts'
import { otherPaths } from './other-paths.ts'
import { otherSchemas } from './other-schemas.ts'
import { pastPaths, pastSchemas } from './past-paths.ts'
import { recordPaths } from './record-paths.ts'
import { type Catalogue, recordSchemas } from './record-schemas.ts'
import { reportPaths, reportSchemas } from './report-paths.ts'
import { sheetParameters, sheetPaths } from './sheet-paths.ts'
import { sheetSchemas } from './sheet-schemas.ts'
import { trashPaths, trashSchemas } from './trash-paths.ts'
import { valueSchemas } from './value-schemas.ts'

/** The record interface, from the catalogue as the modules have left it. */
export const recordDescription = (catalogue: Catalogue): DoorDescription => ({
  tags: [
    { name: resourceNames.log, description: 'What happened, or is to happen' },
    { name: resourceNames.asset, description: 'What the farm has' },
    { name: resourceNames.term, description: 'Areas, crops and the other vocabularies' },
    { name: 'farm', description: 'The farm itself' },
    { name: 'past', description: 'Where assets were, and why' },
    { name: 'reports', description: 'What was harvested and put on, with the logs behind each figure' },
    { name: 'files', description: 'Photos and other files' },
    { name: 'history', description: 'Who changed what together' },
    { name: 'trash', description: 'What was removed' },
  ],
  paths: {
    ...recordPaths(catalogue.farm),
    ...sheetPaths(catalogue.farm),
    ...mapPaths(catalogue.farm),
    ...fileAdditionPaths(),
    ...batchPaths,
    ...changePaths,
    ...otherPaths(),
    ...pastPaths(),
    ...reportPaths(catalogue.farm),
    ...historyPaths,
    ...undoPaths,
    ...trashPaths,
  },
  schemas: {
    ...valueSchemas,
    ...batchSchemas,
    ...mapSchemas,
    ...changeSchemas,
    ...fileAdditionSchemas,
    ...pastSchemas,
    ...reportSchemas,
    ...otherSchemas(catalogue.farm),
    ...historySchemas,
    ...trashSchemas,
    ...sheetSchemas,
    ...recordSchemas(catalogue),
  },
  parameters: { ...listParameters(catalogue.farm), ...sheetParameters },
})
