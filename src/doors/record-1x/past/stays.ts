import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { type StayPage, stayPage } from '../../../history/stays.ts'
import type { Records } from '../../../records/records.ts'
import { requireEdition } from '../../../storage/edition.ts'
import { stateOfStays } from '../../../storage/farm-state.ts'
import type { StaysAsked } from '../../../storage/history/stay-pages.ts'
import { nowhere, type StayKind } from '../../../storage/history/stay-rows.ts'
import { deliver, type ReadyAnswer } from '../../http/answers/ready-answer.ts'
import { isKnown, tagOfList } from '../../http/answers/versions.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import { spelledPosition, staysAsked } from './stays-query.ts'

/** Where every asset was and which groups it belonged to, from when until when, and by which log. */
export function stayRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/stays', async (request, reply) => deliver(reply, await answerTo(request, installation)))
}

async function answerTo(request: FastifyRequest, installation: Records): Promise<ReadyAnswer> {
  requireRight(await callerOf(request, installation), 'read-records')
  const asked = staysAsked(readQuery(request.url), installation.clock())
  const { etag, page } = await installation.database.read(async (snapshot) => {
    const state = await stateOfStays(snapshot, asked.now)
    requireEdition(installation, state.edition)
    const etag = tagOfList({ state, catalogue: installation.catalogue, format: 'json' })
    return { etag, page: isKnown(request, etag) ? null : await stayPage(snapshot, asked) }
  })
  if (page === null) return { status: 304, headers: { etag }, body: '' }
  const next = page.last === undefined ? null : addressAfter(request, installation, spelledPosition(page.last))
  const headers = { etag, 'content-type': 'application/json; charset=utf-8' }
  return { status: 200, headers, body: JSON.stringify({ ...columnsOf(page, asked), next }) }
}

const resourceOfPlace: Readonly<Record<StayKind, string>> = {
  movement: resourceNames.term,
  membership: resourceNames.asset,
}

/** What ends later than now has not ended. */
const columnsOf = ({ stays }: StayPage, { kind, now }: StaysAsked) => ({
  asset: stays.map(({ asset }) => String(asset)),
  place: stays.map(({ place }) => (place === nowhere ? null : String(place))),
  place_type: stays.map(({ place }) => (place === nowhere ? null : resourceOfPlace[kind])),
  log: stays.map(({ log }) => String(log)),
  from: stays.map(({ began }) => String(began)),
  until: stays.map(({ ended }) => (ended > now ? null : String(ended))),
})

/** The same question, from behind the last stay on. */
function addressAfter(request: FastifyRequest, installation: Records, position: string): string {
  const [path = '', query = ''] = request.url.split('?', 2)
  const segments = query.split('&').filter((segment) => segment !== '' && !/^after(=|$)/.test(segment))
  return `${baseAddressOf(request, installation)}${path.replace(/\/$/, '')}?${[...segments, `after=${position}`].join('&')}`
}
