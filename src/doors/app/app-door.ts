import type { FastifyInstance, FastifyRequest } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import { listedLanguages } from '../../access/locales.ts'
import { csrfTokenFor } from '../../access/secrets.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/farm-state.ts'
import { readFarmSettings, readFarmUuid, readMapLayers } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { callerOf } from '../http/caller.ts'
import { answer, type DoorDescription, operation, refusedOften, schemaRef } from '../http/openapi.ts'
import { baseAddressOf, type ScriptAccess } from '../http/origin.ts'
import { addApp, layersFor } from './app-files.ts'
import { addCatalogue, catalogueDescription } from './catalogue.ts'
import { appSchemas, type Me } from './documents.ts'
import { addSharedReport } from './shared-report.ts'

/** The app is for people; scripts can read the same data from the API. */
export const appScriptAccess: readonly ScriptAccess[] = [
  { paths: /^\/app(?:\/|$)/, openTo: 'nobody' },
  { paths: /^\/shared-report(?:\.|$)/, openTo: 'nobody' },
]

/** The app's files, and the documents it loads first. */
export function appDoor(app: FastifyInstance, installation: Records): void {
  addMe(app, installation)
  addCatalogue(app, installation)
  addSharedReport(app, installation)
  if (installation.settings.app) addApp(app, installation)
}

function addMe(app: FastifyInstance, installation: Records): void {
  app.get('/me.json', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    const me = await tellMe(request, caller, installation)
    return reply
      .headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
      .send(JSON.stringify(me))
  })
}

const meDescription: DoorDescription = {
  paths: {
    '/me.json': {
      get: operation({
        id: 'readMe',
        summary: 'Who is asking and what they may do, and the farm that is asked',
        tag: 'farm',
        responses: {
          '200': answer('The account, the farm, and the time there', 'json', schemaRef('Me')),
          ...refusedOften,
        },
      }),
    },
  },
}

export const appDescriptions: readonly DoorDescription[] = [
  meDescription,
  catalogueDescription,
  { schemas: appSchemas },
]

async function tellMe(request: FastifyRequest, caller: IdentifiedCaller, installation: Records): Promise<Me> {
  const { database, farm, clock, catalogue } = installation
  const csrfToken = caller.carrier === 'cookie' ? await csrfTokenFor(database, caller.bond) : null
  return database.read(async (snapshot) => {
    requireEdition(installation, await readEdition(snapshot))
    const account = (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)
    const settings = await readFarmSettings(snapshot)
    const { name, system_of_measurement, timezone, language, withholding_factor } = settings
    const layers = caller.rights.has('read-info') ? await readMapLayers(snapshot) : []
    return {
      account: {
        id: String(caller.uid),
        name: caller.name,
        role: caller.role,
        language: account?.language ?? language,
      },
      rights: [...caller.rights],
      csrf_token: csrfToken,
      farm: {
        uuid: await readFarmUuid(snapshot),
        name,
        system_of_measurement,
        timezone,
        withholding_factor,
        language,
        languages: listedLanguages(farm, settings).map((one) => one.language),
      },
      map_layers: layersFor(baseAddressOf(request, installation), layers),
      time: String(clock()),
      edition: installation.edition,
      catalogue,
      version,
    }
  })
}
