import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answerAs, operation, refusedOften } from '../http/openapi/operations.ts'
import { responseRef, withObjects } from '../http/openapi/schema.ts'

export const apiDescription: DoorDescription = {
  paths: {
    '/api': {
      get: operation({
        id: 'enterApi',
        summary: 'The entry of the newer interface',
        tag: 'farm',
        responses: {
          '200': answerAs('Where to go on', 'application/vnd.api+json', withObjects('jsonapi', 'links')),
          '401': responseRef('Forbidden'),
          ...refusedOften,
        },
      }),
    },
  },
}
