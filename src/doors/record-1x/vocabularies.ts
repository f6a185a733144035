import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import type { RecordHouse } from '../http/record-house.ts'
import type { Document } from './document.ts'
import { type Few, sendFew, sendOneOfFew } from './few.ts'
import { addressOf } from './spelling.ts'

const resource = resourceNames.vocabulary

/** The vocabularies and their numbers, which differ between installations (spec 2.4). */
export function vocabularyRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const path of [`/${resource}`, `/${resource}.json`, `/${resource}.xml`]) {
    app.get(path, async (request, reply) => sendFew(request, reply, await vocabulariesFor(house, request)))
  }
  app.get(`/${resource}/:id`, async (request, reply) =>
    sendOneOfFew(request, reply, await vocabulariesFor(house, request)),
  )
}

async function vocabulariesFor(house: RecordHouse, request: FastifyRequest): Promise<Few> {
  requireRight(await callerOf(request, house), 'read-records')
  await house.database.ask(async (rows) => requireEdition(house, await readEdition(rows)))
  const base = baseAddressOf(request, house)
  const all = [...house.vocabularies].flatMap(([machine_name, vid]): Document[] => {
    const vocabulary = house.farm.records.term.bundles[machine_name]
    if (vocabulary === undefined) return []
    const { title: name, description } = vocabulary
    return [
      { vid: String(vid), id: String(vid), name, machine_name, description, url: addressOf(base, 'vocabulary', vid) },
    ]
  })
  return { type: 'vocabulary', base, all, names: ['vid', 'id', 'name', 'machine_name', 'description'] }
}
