import type { DoorDescription } from '../http/openapi/door-description.ts'
import { answer, inBody, operation, refusedOften } from '../http/openapi/operations.ts'
import { described, objectOf, type Schema } from '../http/openapi/schema.ts'
import { peoplePaths } from './people-paths.ts'

const seconds: Schema = { type: 'string', pattern: '^[0-9]+$' }

export const administerDescription: DoorDescription = {
  tags: [{ name: 'administer', description: 'Running the farm: people, settings, backups' }],
  paths: {
    '/administer/confirmation': {
      post: operation({
        id: 'confirmPassword',
        summary: 'Show the password again, so that the session may administer for 15 minutes',
        tag: 'administer',
        body: inBody(
          objectOf({ properties: { password: { type: 'string', format: 'password' } }, required: ['password'] }),
        ),
        responses: {
          '200': answer(
            'It was right',
            'json',
            objectOf({
              properties: { confirmed_until: described('Unix seconds', seconds) },
              required: ['confirmed_until'],
            }),
          ),
          ...refusedOften,
        },
      }),
    },
    ...peoplePaths,
  },
}
