import { resourceNames } from '../../../farm/resource-names.ts'
import type { DoorDescription } from '../../http/openapi/door-description.ts'
import { listParameters } from '../../http/openapi/record-parameters.ts'
import { type ImportsDescription, recordPaths } from './record-paths.ts'
import { type DescribedCatalogue, recordSchemas } from './record-schemas.ts'
import { valueSchemas } from './value-schemas.ts'

/** The record interface, from the catalogue as the modules have left it, and what its addresses take in place of records. */
export const recordDescription = (catalogue: DescribedCatalogue, imports: ImportsDescription): DoorDescription => ({
  tags: [
    { name: resourceNames.log, description: 'What happened, or is to happen' },
    { name: resourceNames.asset, description: 'What the farm has' },
    { name: resourceNames.term, description: 'Areas, crops and the other vocabularies' },
    { name: 'farm', description: 'The farm itself' },
  ],
  paths: recordPaths(catalogue.farm, imports),
  schemas: { ...valueSchemas, ...recordSchemas(catalogue) },
  parameters: listParameters(catalogue.farm),
})
