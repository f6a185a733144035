import {
  answer,
  answerAs,
  completeObject,
  type DoorDescription,
  described,
  inBody,
  nullable,
  objectOf,
  operation,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
} from '../../http/openapi.ts'

import { peoplePaths } from './people-paths.ts'

const seconds: Schema = { type: 'string', pattern: '^[0-9]+$' }

const text: Schema = { type: 'string' }
const whole: Schema = { type: 'integer' }

const layer = completeObject({
  name: text,
  url: described('With {z}, {x} and {y}', text),
  credit: text,
  max_zoom: whole,
})

const settings: Readonly<Record<string, Schema>> = {
  name: text,
  system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
  language: text,
  languages: described('Those that the farm lists besides English', { type: 'array', items: text }),
  trash_days: { anyOf: [whole, seconds] },
  timezone: text,
  map_layers: { type: 'array', items: layer, maxItems: 3 },
}

const farmSettings = completeObject({
  settings: completeObject(settings),
  languages: described('Those that it can be shown in', {
    type: 'array',
    items: completeObject({ language: text, native: text }),
  }),
  offered_layers: { type: 'array', items: layer },
  event_days: described('How long events are kept: an option of the server', whole),
  last_backup: described('Unix seconds; null where none is known', nullable(seconds)),
  addresses: described('Where other devices reach the farm; empty where it listens on loopback only', {
    type: 'array',
    items: text,
  }),
  version: text,
})

const verdict = completeObject({
  sound: described('Null where the doctor did not come to an end', nullable({ type: 'boolean' })),
  sentence: text,
  findings: { type: 'array', items: text },
  at: described('Unix seconds', seconds),
})

const password = completeObject({ password: { type: 'string', format: 'password' } })

export const administerDescription: DoorDescription = {
  tags: [{ name: 'administer', description: 'Running the farm: people, settings, backups' }],
  paths: {
    '/administer/confirmation': {
      post: operation({
        id: 'confirmPassword',
        summary: 'Show the password again, so that the session may administer for 15 minutes',
        tag: 'administer',
        body: inBody(password),
        responses: {
          '200': answer(
            'It was right',
            'json',
            completeObject({ confirmed_until: described('Unix seconds', seconds) }),
          ),
          ...refusedOften,
        },
      }),
    },
    ...peoplePaths,
    '/administer/settings.json': {
      get: operation({
        id: 'readSettings',
        summary: 'What the farm says about itself, when it was backed up, and where other devices reach it',
        tag: 'administer',
        responses: { '200': answer('The settings', 'json', schemaRef('FarmSettings')), ...refusedOften },
      }),
      put: operation({
        id: 'changeSettings',
        summary: 'Change some settings: all that were sent or, with every fault named, none',
        tag: 'administer',
        body: { 'application/json': { schema: objectOf({ properties: settings }) } },
        responses: {
          '200': answer('The settings as they are now', 'json', schemaRef('FarmSettings')),
          '422': responseRef('Invalid'),
          ...refusedOften,
        },
      }),
    },
    '/administer/backup': {
      post: operation({
        id: 'downloadBackup',
        summary: 'Make, verify and download a backup of everything; with the password, for sessions only',
        tag: 'administer',
        body: inBody(password),
        responses: {
          '200': answerAs('The archive that `furrow restore` takes', 'application/gzip', {
            type: 'string',
            format: 'binary',
          }),
          '409': responseRef('Problem'),
          ...refusedOften,
        },
      }),
    },
    '/administer/doctor.json': {
      get: operation({
        id: 'askDoctor',
        summary: 'What `furrow doctor` says of the farm, within a minute',
        tag: 'administer',
        responses: { '200': answer('Its verdict', 'json', verdict), ...refusedOften },
      }),
    },
  },
  schemas: { FarmSettings: farmSettings },
}
