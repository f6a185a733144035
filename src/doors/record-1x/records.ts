import type { FastifyInstance } from 'fastify'
import { recordTypeNames } from '../../farm/fields-of.ts'
import type { Matches } from '../../records/find.ts'
import { Documents } from './documents.ts'
import { list, show } from './reading.ts'
import type { Recollection } from './recollection.ts'
import type { RecordHouse } from './record-house.ts'
import { StateMemory } from './state-memory.ts'
import { change, drop, make } from './writing.ts'

/** About how many ids are remembered. */
const mostFound = 100_000

/** The same few routes for logs, assets and terms (spec 4). */
export function recordRoutes(app: FastifyInstance, house: RecordHouse, recollection: Recollection): void {
  const documents = new Documents(house)
  for (const type of recordTypeNames) {
    const collection = { house, documents, type, findings: new StateMemory<string, Matches>(mostFound) }
    for (const path of [`/${type}`, `/${type}.json`, `/${type}.xml`]) {
      app.get(path, (request, reply) => recollection.answer(request, reply, () => list(collection, request)))
      app.post(path, (request, reply) => make(collection, request, reply))
    }
    app.get(`/${type}/:id`, (request, reply) => recollection.answer(request, reply, () => show(collection, request)))
    app.put(`/${type}/:id`, (request, reply) => change(collection, request, reply))
    app.post(`/${type}/:id`, (request, reply) => change(collection, request, reply))
    app.delete(`/${type}/:id`, (request, reply) => drop(collection, request, reply))
  }
}
