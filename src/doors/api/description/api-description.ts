import type { Farm } from '../../../farm/farm.ts'
import type { DoorDescription } from '../../http/openapi/door-description.ts'
import { ifNoneMatch, unchanged } from '../../http/openapi/header-parameters.ts'
import { answerAs, operation } from '../../http/openapi/operations.ts'
import { withObjects } from '../../http/openapi/schema.ts'
import { mediaType } from '../wire/top-level.ts'
import { apiSchemas, refused } from './api-schemas.ts'
import { filePaths } from './file-paths.ts'
import { resourcePaths } from './resource-paths.ts'
import { resourceSchemas } from './resource-schemas.ts'
import { schemaPaths } from './schema-paths.ts'
import { subrequestPaths } from './subrequest-paths.ts'
import { typeParameters } from './type-parameters.ts'

/** The newer interface, from the catalogue as the modules have left it. */
export const apiDescription = (farm: Farm): DoorDescription => ({
  tags: [{ name: 'api', description: 'The newer interface, JSON:API' }],
  paths: {
    '/api': {
      get: operation({
        id: 'enterApi',
        summary: 'The entry of the newer interface',
        tag: 'api',
        parameters: [ifNoneMatch],
        responses: {
          '200': answerAs('Where to go on', mediaType, withObjects('jsonapi', 'meta', 'links')),
          '304': unchanged,
          ...refused,
        },
      }),
    },
    ...subrequestPaths,
    ...filePaths(farm),
    ...resourcePaths,
    ...schemaPaths,
  },
  parameters: typeParameters(farm),
  schemas: { ...apiSchemas, ...resourceSchemas },
})
