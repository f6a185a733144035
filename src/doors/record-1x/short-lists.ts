import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listAccounts } from '../../access/accounts.ts'
import { requireRight } from '../../access/caller.ts'
import { olderFarm } from '../../farm/older-farm.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import type { Records } from '../../records/records.ts'
import { readEdition, requireEdition } from '../../storage/edition.ts'
import { presentBundles } from '../../storage/records/all-records.ts'
import type { WireDocument } from '../../wire-1x/record-template.ts'
import { type ShortList, sendOneOfShortList, sendShortList } from '../../wire-1x/short-lists.ts'
import { addressOf } from '../../wire-1x/spelling.ts'
import { sendShortSheet } from '../furrow/sheets.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'

/** Who can be named as an author or owner (spec 2.7): id and name of all, the mail address of oneself only. */
export function userRoutes(app: FastifyInstance, installation: Records): void {
  for (const path of ['/user', '/user.json', '/user.xml']) {
    app.get(path, async (request, reply) => sendShortList(request, reply, await usersFor(installation, request)))
  }
  app.get('/user.csv', async (request, reply) => sendShortSheet(request, reply, await usersFor(installation, request)))
  app.get('/user/:id', async (request, reply) =>
    sendOneOfShortList(request, reply, await usersFor(installation, request)),
  )
}

async function usersFor(installation: Records, request: FastifyRequest): Promise<ShortList> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const base = baseAddressOf(request, installation)
  const all = (await listAccounts(installation)).map(({ uid, name, mail }) => {
    const user = { uid: String(uid), id: String(uid), name, url: `${base}/user/${uid}` }
    return uid === caller.uid ? { ...user, mail } : user
  })
  return { type: 'user', base, all, names: ['uid', 'id', 'name'] }
}

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
  const all = [...installation.vocabularies].flatMap(([machine_name, vid]): WireDocument[] => {
    const vocabulary = bundles[machine_name]
    if (vocabulary === undefined) return []
    const { title: name, description } = vocabulary
    return [
      { vid: String(vid), id: String(vid), name, machine_name, description, url: addressOf(base, 'vocabulary', vid) },
    ]
  })
  return { type: 'vocabulary', base, all, names: ['vid', 'id', 'name', 'machine_name', 'description'] }
}
