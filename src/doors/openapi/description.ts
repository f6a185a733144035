import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answer, operation, refusedOften } from '../http/openapi/operations.ts'
import { withObjects } from '../http/openapi/schema.ts'

export const openapiDescription: DoorDescription = {
  paths: {
    '/openapi.json': {
      get: operation({
        id: 'readOpenapi',
        summary: 'This description',
        tag: 'farm',
        responses: {
          '200': answer('OpenAPI 3.1', 'json', withObjects('info', 'paths', 'components')),
          ...refusedOften,
        },
      }),
    },
  },
}
