import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { olderFarm } from '../../farm/older-farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { presentBundles } from '../../storage/records/all-records.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { sendShortSheet } from './sheets/short-sheet.ts'
import { type ShortList, sendOneOfShortList, sendShortList } from './short-list.ts'
import type { Document } from './wire/document.ts'
import { addressOf } from './wire/spelling.ts'

const resource = resourceNames.vocabulary

/** The vocabularies and their numbers, which differ between installations (spec 2.4). */
export function vocabularyRoutes(app: FastifyInstance, installation: Records): void {
  for (const path of [`/${resource}`, `/${resource}.json`, `/${resource}.xml`]) {
    app.get(path, async (request, reply) => sendShortList(request, reply, await vocabulariesFor(installation, request)))
  }
  app.get(`/${resource}.csv`, async (request, reply) =>
    sendShortSheet(request, reply, await vocabulariesFor(installation, request)),
  )
  app.get(`/${resource}/:id`, async (request, reply) =>
    sendOneOfShortList(request, reply, await vocabulariesFor(installation, request)),
  )
}

async function vocabulariesFor(installation: Records, request: FastifyRequest): Promise<ShortList> {
  requireRight(await callerOf(request, installation), 'read-records')
  const present = await installation.database.read(async (snapshot) => {
    requireEdition(installation, await readEdition(snapshot))
    return presentBundles(snapshot)
  })
  const base = baseAddressOf(request, installation)
  const { bundles } = olderFarm(installation.farm, present).records.term
  const all = [...installation.vocabularies].flatMap(([machine_name, vid]): Document[] => {
    const vocabulary = bundles[machine_name]
    if (vocabulary === undefined) return []
    const { title: name, description } = vocabulary
    return [
      { vid: String(vid), id: String(vid), name, machine_name, description, url: addressOf(base, 'vocabulary', vid) },
    ]
  })
  return { type: 'vocabulary', base, all, names: ['vid', 'id', 'name', 'machine_name', 'description'] }
}
