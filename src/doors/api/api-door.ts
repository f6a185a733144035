import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import type { Door } from '../http/server.ts'
import { sendDocument } from './wire/top-level.ts'

/** The newer interface: so far its entry document, which links to what is served. */
export const apiDoor: Door = (app, installation) => addEntry(app, installation)

function addEntry(app: FastifyInstance, installation: Installation): void {
  app.get('/api', async (request, reply) => {
    const caller = await callerOf(request, installation)
    requireRight(caller, 'enter')
    const [farm, accounts] = await installation.database.read(async (snapshot) => [
      await readFarmSettings(snapshot),
      await accountsByIds(snapshot, [caller.uid]),
    ])
    const base = baseAddressOf(request, installation)
    const entry = {
      data: [],
      meta: {
        farm: { name: farm.name, url: base, version, system_of_measurement: farm.system_of_measurement },
        links: { me: { meta: { id: accounts.get(caller.uid)?.uuid }, href: `${base}/user/${caller.uid}.json` } },
      },
      links: { self: { href: `${base}/api` }, info: { href: `${base}/farm.json` } },
    }
    return sendDocument(reply, entry)
  })
}
