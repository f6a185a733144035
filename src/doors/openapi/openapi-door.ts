import type { FastifyInstance } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Keeping } from '../../records/keeping.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import type { House } from '../http/house.ts'
import type { Schema } from '../http/openapi/schema.ts'

/** The description of the interface, for whoever may read records; the scope `farm_info` is for the info record alone. */
export function openapiDoor(app: FastifyInstance, house: House & Keeping, describe: (base: string) => Schema): void {
  let known = { base: '', edition: '', text: '' }
  app.get('/openapi.json', async (request, reply) => {
    requireRight(await callerOf(request, house), 'read-records')
    await house.database.ask(async (rows) => requireEdition(house, await readEdition(rows)))
    const base = baseAddressOf(request, house)
    const { edition } = house
    if (known.base !== base || known.edition !== edition)
      known = { base, edition, text: JSON.stringify(describe(base)) }
    return reply.header('content-type', 'application/json').send(known.text)
  })
}
