import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { newerInterfaceVersion, version } from '../../version.ts'
import { deliver } from '../http/answers/ready-answer.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { configTypeNames } from './config/config-types.ts'
import { linkedTypes } from './linked-types.ts'
import { readParameters } from './query/parameters.ts'
import { addressOf } from './wire/resource-object.ts'
import { taggedDocument } from './wire/top-level.ts'

/** Where a client begins: who is asking, what farm this is, and where its resources are. */
export function entryRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/api', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    readParameters(request.url)
    const { farm, database } = installation
    const { settings, uuid, types } = await database.read(async (snapshot) => ({
      settings: await readFarmSettings(snapshot),
      uuid: (await accountsByIds(snapshot, [caller.uid])).get(caller.uid)?.uuid ?? '',
      types: (await linkedTypes(farm, snapshot)).map(({ name }) => name),
    }))
    const { name, system_of_measurement } = settings
    const base = baseAddressOf(request, installation)
    const linked = [...types, ...others].map((type) => [type, { href: addressOf(base, type) }])
    const entry = {
      data: [],
      meta: {
        links: { me: { meta: { id: uuid }, href: addressOf(base, 'user--user', uuid) } },
        farm: { name, url: base, version: newerInterfaceVersion, system_of_measurement },
        furrow: { version },
      },
      links: { self: { href: `${base}/api` }, ...Object.fromEntries(linked) },
    }
    return deliver(reply, taggedDocument(request, entry))
  })
}

const others = ['file--file', 'user--user', ...configTypeNames]
