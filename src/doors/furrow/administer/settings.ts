import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeSettings, viewOfSettings } from '../../../access/farm-settings.ts'
import type { Installation } from '../../../access/installation.ts'
import { offeredLayers } from '../../../farm/offered-layers.ts'
import { Refusal } from '../../../refusal.ts'
import { readFarmSettings, readLastBackup } from '../../../storage/settings.ts'
import { version } from '../../../version.ts'
import { addressesForOthers } from '../../http/addresses-for-others.ts'
import { readBody } from '../../http/body.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  nullable,
  objectOf,
  operation,
  refusedOften,
  responseRef,
  schemaRef,
  text,
} from '../../http/openapi.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { managerOf, sendPlainJson } from './requests.ts'

/** Farm settings, and facts about the server. */
export function addSettings(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/settings.json', async (request, reply) => {
    await managerOf(request, installation)
    return sendPlainJson(reply, await told(request, installation))
  })

  app.put('/administer/settings.json', async (request, reply) => {
    const { uid } = await managerOf(request, installation)
    const base = baseAddressOf(request, installation)
    await changeSettings(installation, { given: givenIn(request), base, uid, address: request.address })
    return sendPlainJson(reply, await told(request, installation))
  })
}

const whole = { type: 'integer' } as const
const digits = { type: 'string', pattern: '^[0-9]+$' } as const

const layer = completeObject({
  name: text,
  url: described('With {z}, {x} and {y}', text),
  credit: text,
  max_zoom: whole,
})

const settings = {
  name: text,
  system_of_measurement: { type: 'string', enum: ['metric', 'us'] },
  language: text,
  languages: described('Those that the farm lists besides English', { type: 'array', items: text }),
  trash_days: { anyOf: [whole, digits] },
  timezone: text,
  map_layers: { type: 'array', items: layer, maxItems: 3 },
  paper_address: described('The head of papers, as the four after it', text),
  holding_numbers: described('One, or a line for each species', text),
  certifier: text,
  certifier_number: text,
  withholding_factor: described('By how much proposed days of withholding are multiplied: 2 on organic farms', text),
  tag_days: described('After how many days Today lists an animal without a tag', text),
} as const

const farmSettingsSchema = completeObject({
  settings: completeObject(settings),
  languages: described('Those that it can be shown in', {
    type: 'array',
    items: completeObject({ language: text, native: text }),
  }),
  offered_layers: { type: 'array', items: layer },
  event_days: described('How long events are kept: an option of the server', whole),
  last_backup: described('Unix seconds; null where none is known', nullable(digits)),
  addresses: described('Where other devices reach the farm; empty where it listens on loopback only', {
    type: 'array',
    items: text,
  }),
  version: text,
})

export const settingsDescription: DoorDescription = {
  paths: {
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
  },
  schemas: { FarmSettings: farmSettingsSchema },
}

function givenIn(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const tree = readBody(request)
  if (tree !== null && typeof tree === 'object' && !Array.isArray(tree)) return tree as Record<string, unknown>
  throw new Refusal('unreadable-body', 'An object with settings was expected.')
}

async function told(
  request: FastifyRequest,
  installation: Installation,
): Promise<DocumentOf<typeof farmSettingsSchema>> {
  const { database, farm, settings } = installation
  const [kept, lastBackup] = await database.read((snapshot) =>
    Promise.all([readFarmSettings(snapshot), readLastBackup(snapshot)]),
  )
  return {
    settings: viewOfSettings(kept),
    languages: farm.languages.map(({ language, native }) => ({ language, native })),
    offered_layers: offeredLayers,
    event_days: settings.eventDays,
    last_backup: lastBackup === null ? null : String(lastBackup),
    addresses: addressesForOthers(request, installation),
    version,
  }
}
