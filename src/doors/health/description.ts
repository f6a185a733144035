import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answerAs, operation, type Paths } from '../http/openapi/operations.ts'
import { responseRef } from '../http/openapi/schema.ts'

const lines = { type: 'string' }

/** For whoever watches over the server; the metrics have a port of their own. */
const paths: Paths = {
  '/healthz': {
    get: operation({
      id: 'readHealth',
      summary: 'Whether the process answers at all',
      tag: 'health',
      responses: { '200': answerAs('It does', 'text/plain', lines), '4XX': responseRef('Problem') },
      security: [],
    }),
  },
  '/readyz': {
    get: operation({
      id: 'readReadiness',
      summary: 'Whether requests should be sent here',
      tag: 'health',
      responses: {
        '200': answerAs('They should', 'text/plain', lines),
        '503': answerAs('They should not: a line for each reason, such as disk: or database:', 'text/plain', lines),
        '4XX': responseRef('Problem'),
      },
      security: [],
    }),
  },
}

export const healthDescription: DoorDescription = {
  tags: [{ name: 'health', description: 'For whoever watches over the server' }],
  paths,
}
