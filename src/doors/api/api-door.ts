import type { FastifyInstance } from 'fastify'
import { accountsByIds } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import type { Installation } from '../../access/installation.ts'
import { Refusal } from '../../refusal.ts'
import { readFarmSettings } from '../../storage/settings.ts'
import { version } from '../../version.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { answerTo } from '../http/rim.ts'
import type { Door } from '../http/server.ts'

/** The newer interface: so far its entry document, which links to what is served. */
export const apiDoor: Door = (app, installation) => {
  app.register(async (scope) => {
    scope.setErrorHandler((thrown, request, reply) => reply.send(answerTo(inItsWords(thrown), request, reply)))
    addEntry(scope, installation)
  })
}

/** Clients of the records refresh their token on 403 and on nothing else; those of the newer interface know 401. */
function inItsWords(thrown: unknown): unknown {
  if (!(thrown instanceof Refusal) || thrown.refusal !== 'unauthenticated') return thrown
  return new Refusal('unauthenticated-api', thrown.message, { challenge: thrown.details.challenge ?? {} })
}

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
      jsonapi: { version: '1.1', meta: { links: { self: { href: 'https://jsonapi.org/format/1.1/' } } } },
      data: [],
      meta: {
        farm: { name: farm.name, url: base, version, system_of_measurement: farm.system_of_measurement },
        links: { me: { meta: { id: accounts.get(caller.uid)?.uuid }, href: `${base}/user/${caller.uid}.json` } },
      },
      links: { self: { href: `${base}/api` }, info: { href: `${base}/farm.json` } },
    }
    // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
    return reply.header('content-type', 'application/vnd.api+json').send(Buffer.from(JSON.stringify(entry)))
  })
}
