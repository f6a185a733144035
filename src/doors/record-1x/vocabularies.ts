import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { readQuery } from '../http/query.ts'
import { sendList, sendOne } from './answer.ts'
import type { Document } from './document.ts'
import { fewLike } from './few.ts'
import { envelopeOf, pageOf, pagingIn } from './paging.ts'
import type { RecordHouse } from './record-house.ts'
import { recordIdIn } from './record-id.ts'
import { referenceTo } from './spelling.ts'
import { isFull } from './wishes.ts'

const resource = 'taxonomy_vocabulary'

/** The vocabularies and their numbers, which differ between installations (spec 2.4). */
export function vocabularyRoutes(app: FastifyInstance, house: RecordHouse): void {
  for (const path of [`/${resource}`, `/${resource}.json`, `/${resource}.xml`]) {
    app.get(path, async (request, reply) => {
      const all = await vocabulariesFor(house, request)
      const entries = readQuery(request.url)
      const paging = pagingIn(entries)
      const { last, list } = pageOf(fewLike(all, entries, ['vid', 'id', 'name', 'machine_name', 'description']), paging)
      const base = baseAddressOf(request, house)
      const shown = isFull(entries) ? list : list.map((one) => reference(base, one))
      return sendList(request, reply, {
        item: resource,
        envelope: envelopeOf(request, base, { ...paging, last, list: shown }),
      })
    })
  }
  app.get(`/${resource}/:id`, async (request, reply) => {
    const all = await vocabulariesFor(house, request)
    const id = recordIdIn(request)
    const tree = all.find((one) => one.vid === String(id))
    if (tree === undefined) throw new Refusal('not-found', `There is no ${resource} ${id}.`)
    return sendOne(request, reply, { root: resource, tree })
  })
}

const reference = (base: string, { vid }: Document) =>
  referenceTo(
    { base, sight: { seen: [], termNames: new Map(), files: new Map(), bytes: new Map() } },
    resource,
    Number(vid),
  )

async function vocabulariesFor(house: RecordHouse, request: FastifyRequest): Promise<readonly Document[]> {
  requireRight(await callerOf(request, house), 'read-records')
  const base = baseAddressOf(request, house)
  return [...house.vocabularies].flatMap(([machine_name, vid]): Document[] => {
    const vocabulary = house.farm.records.taxonomy_term.bundles[machine_name]
    if (vocabulary === undefined) return []
    const { title: name, description } = vocabulary
    return [{ vid: String(vid), id: String(vid), name, machine_name, description, url: `${base}/${resource}/${vid}` }]
  })
}
