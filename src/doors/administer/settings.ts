import type { FastifyInstance, FastifyRequest } from 'fastify'
import { changeSettings, viewOfSettings } from '../../access/farm-settings.ts'
import type { Installation } from '../../access/installation.ts'
import { offeredLayers } from '../../farm/offered-layers.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings, readLastBackup } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { readBody } from '../http/body.ts'
import { addressesForOthers } from '../http/listening-addresses.ts'
import { administering, sendJson } from './administering.ts'

/** What the farm says about itself, and what whoever runs it wants to know of the server. */
export function addSettings(app: FastifyInstance, installation: Installation): void {
  app.get('/administer/settings.json', async (request, reply) => {
    await administering(request, installation)
    return sendJson(reply, await told(request, installation))
  })

  app.put('/administer/settings.json', async (request, reply) => {
    const { uid } = await administering(request, installation)
    const base = baseAddressOf(request, installation)
    await changeSettings(installation, { given: givenIn(request), base, uid, address: request.address })
    return sendJson(reply, await told(request, installation))
  })
}

function givenIn(request: FastifyRequest): Readonly<Record<string, unknown>> {
  const tree = readBody(request)
  if (tree !== null && typeof tree === 'object' && !Array.isArray(tree)) return tree as Record<string, unknown>
  throw new Refusal('unreadable-body', 'An object with settings was expected.')
}

async function told(request: FastifyRequest, installation: Installation) {
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
