import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { mebibyte } from '../../../fields/byte-size.ts'
import { type StayPage, stayPage } from '../../../history/stays.ts'
import type { Records } from '../../../records/records.ts'
import { requireEdition } from '../../../storage/edition.ts'
import { stateOfStays, wordOf } from '../../../storage/farm-state.ts'
import type { StaysAsked } from '../../../storage/history/stay-pages.ts'
import { nowhere, type StayKind } from '../../../storage/history/stay-rows.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import { deliver, type ReadyAnswer } from '../../http/answers/ready-answer.ts'
import { SnapshotCache } from '../../http/answers/snapshot-cache.ts'
import { isKnown, tagOfList } from '../../http/answers/versions.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { readQuery } from '../../http/query.ts'
import { spelledPosition, staysAsked } from './stays-query.ts'

/** Where every asset was and which groups it belonged to, from when until when, and by which log. */
export function stayRoutes(app: FastifyInstance, installation: Records): void {
  const pages: Pages = new SnapshotCache(mostBytes)
  app.get('/stays', async (request, reply) => deliver(reply, await answerTo(request, installation, pages)))
}

/** Pages that were told before, by their addresses. */
type Pages = SnapshotCache<string, Buffer>

const mostBytes = 8 * mebibyte

async function answerTo(request: FastifyRequest, installation: Records, pages: Pages): Promise<ReadyAnswer> {
  requireRight(await callerOf(request, installation), 'read-records')
  const asked = staysAsked(readQuery(request.url), installation.clock())
  const address = baseAddressOf(request, installation) + request.url
  const { etag, word, page } = await installation.database.read(
    async (snapshot) => {
      const state = await stateOfStays(snapshot, asked.now)
      requireEdition(installation, state.edition)
      const etag = tagOfList({ state, catalogue: installation.catalogue, format: 'json' })
      const word = wordOf(state)
      if (isKnown(request, etag)) return { etag, word, page: null }
      return { etag, word, page: pages.knownIn(word).get(address) ?? (await stayPage(snapshot, asked)) }
    },
    readBudgetOf(request, installation),
  )
  if (page === null) return { status: 304, headers: { etag }, body: '' }
  const headers = { etag, 'content-type': 'application/json; charset=utf-8' }
  if (Buffer.isBuffer(page)) return { status: 200, headers, body: page }
  const next = page.last === undefined ? null : addressAfter(address, spelledPosition(page.last))
  const body = Buffer.from(JSON.stringify({ ...columnsOf(page, asked), next }))
  pages.keep(word, address, { value: body, weight: body.length + address.length })
  return { status: 200, headers, body }
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
  from: stays.map(({ began }) => began),
  until: stays.map(({ ended }) => (ended > now ? null : ended)),
})

/** The same question, from behind the last stay on. */
function addressAfter(address: string, position: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const segments = query.split('&').filter((segment) => segment !== '' && !/^after(=|$)/.test(segment))
  return `${path.replace(/\/$/, '')}?${[...segments, `after=${position}`].join('&')}`
}
