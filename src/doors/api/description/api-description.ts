import type { DoorDescription } from '../../http/openapi/door-description.ts'
import { unchanged } from '../../http/openapi/header-parameters.ts'
import { answerAs, operation } from '../../http/openapi/operations.ts'
import { withObjects } from '../../http/openapi/schema.ts'
import { mediaType } from '../wire/top-level.ts'
import { apiSchemas, refused } from './api-schemas.ts'
import { shortListPaths } from './short-list-paths.ts'
import { subrequestPaths } from './subrequest-paths.ts'

export const apiDescription: DoorDescription = {
  tags: [{ name: 'api', description: 'The newer interface, JSON:API' }],
  paths: {
    '/api': {
      get: operation({
        id: 'enterApi',
        summary: 'The entry of the newer interface',
        tag: 'api',
        responses: {
          '200': answerAs('Where to go on', mediaType, withObjects('jsonapi', 'meta', 'links')),
          '304': unchanged,
          ...refused,
        },
      }),
    },
    ...shortListPaths(),
    ...subrequestPaths,
  },
  schemas: apiSchemas,
}
