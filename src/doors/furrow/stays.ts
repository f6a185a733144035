import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { mebibyte } from '../../fields/byte-size.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import { timestampForm } from '../../fields/time.ts'
import { type QueryEntry, readQuery } from '../../formats/query-string.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { requireEdition, stateOfStays, wordOf } from '../../storage/farm-state.ts'
import { type PositionOfStay, type StayPage, type StayQuery, stayPage } from '../../storage/history/stay-pages.ts'
import { forever, nowhere, type StayKind } from '../../storage/history/stay-rows.ts'
import { SnapshotCache } from '../../storage/snapshot-cache.ts'
import { parameter } from '../../wire-1x/list-query.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import {
  answer,
  arrayOf,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  described,
  idRef,
  ifNoneMatch,
  inQuery,
  nullable,
  operation,
  refusedOften,
  type Schema,
  schemaRef,
  unchanged,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { deliver, isNotModified, type ReadyAnswer, tagOfList } from '../http/record-answers.ts'

/** Locations and memberships of every asset: start, end and deciding log. */
export function stayRoutes(app: FastifyInstance, installation: Records): void {
  const pages: Pages = new SnapshotCache(mostBytes)
  app.get('/stays', async (request, reply) => deliver(reply, await answerTo(request, installation, pages)))
}

const staysPerPage = 10_000

const stayKinds: readonly StayKind[] = ['movement', 'membership']

const ids = arrayOf(idRef)
const second = { type: 'integer' } as const

const column = <const S extends Schema>(description: string, item: S) => ({
  ...described(description, arrayOf(item)),
  maxItems: staysPerPage,
})

const staysSchema = described(
  'One stay for each place in the lists, in the order of asset, from and log',
  completeObject({
    asset: column('Who', idRef),
    place: column('Where; null for a bare geometry', nullable(idRef)),
    place_type: column(
      'What the place is',
      nullable({ type: 'string', enum: [resourceNames.term, resourceNames.asset] }),
    ),
    log: column('The log that says so', idRef),
    from: column('Since when, in Unix seconds', second),
    until: column('Until when, in Unix seconds; null while it lasts', nullable(second)),
    next: nullable({ type: 'string', description: 'The address of the next page' }),
  }),
)

type StaysDocument = DocumentOf<typeof staysSchema>

export const staysDescription: DoorDescription = {
  paths: {
    '/stays': {
      get: operation({
        id: 'listStays',
        summary: 'Where assets were, or which groups they belonged to, from when until when, and by which log',
        tag: 'past',
        parameters: [
          inQuery('kind', 'Movements to areas, or memberships in groups', {
            type: 'string',
            enum: stayKinds,
            default: 'movement',
          }),
          inQuery('from', 'Unix seconds: stays that lasted longer', second),
          inQuery('to', 'Unix seconds: stays that began earlier', second),
          { ...inQuery('asset', 'Only of this asset; several mean any of them', ids), style: 'form', explode: true },
          { ...inQuery('area', 'Only in this area; several mean any of them', ids), style: 'form', explode: true },
          inQuery('within', '1: also in the areas below, on every level', {
            type: 'string',
            enum: ['0', '1'],
            default: '0',
          }),
          inQuery('after', 'Where the page begins, as the next of the page before says', { type: 'string' }),
          ifNoneMatch,
        ],
        responses: {
          '200': answer('A page of stays', 'json', schemaRef('Stays')),
          '304': unchanged,
          ...refusedOften,
        },
      }),
    },
  },
  schemas: { Stays: staysSchema },
}

/** Cache of pages by address. */
type Pages = SnapshotCache<string, Buffer>

const mostBytes = 8 * mebibyte

async function answerTo(request: FastifyRequest, installation: Records, pages: Pages): Promise<ReadyAnswer> {
  requireRight(await callerOf(request, installation), 'read-records')
  const query = staysAsked(readQuery(request.url), installation.clock())
  const address = baseAddressOf(request, installation) + request.url
  const { etag, word, page } = await installation.database.read(
    async (snapshot) => {
      const state = await stateOfStays(snapshot, query.now)
      requireEdition(installation, state.edition)
      const etag = tagOfList({ state, catalogue: installation.catalogue, format: 'json' })
      const word = wordOf(state)
      if (isNotModified(request, etag)) return { etag, word, page: null }
      return { etag, word, page: pages.knownIn(word).get(address) ?? (await stayPage(snapshot, query)) }
    },
    readBudgetOf(request, installation),
  )
  if (page === null) return { status: 304, headers: { etag }, body: '' }
  const headers = { etag, 'content-type': 'application/json; charset=utf-8' }
  if (Buffer.isBuffer(page)) return { status: 200, headers, body: page }
  const next = page.last === undefined ? null : addressAfter(address, spelledPosition(page.last))
  const body = Buffer.from(JSON.stringify({ ...columnsOf(page, query), next } satisfies StaysDocument))
  pages.keep(word, address, { value: body, weight: body.length + address.length })
  return { status: 200, headers, body }
}

const resourceOfPlace: Readonly<Record<StayKind, string>> = {
  movement: resourceNames.term,
  membership: resourceNames.asset,
}

/** A stay that ends in the future has no end yet. */
const columnsOf = ({ stays }: StayPage, { kind, now }: StayQuery) => ({
  asset: stays.map(({ asset }) => String(asset)),
  place: stays.map(({ place }) => (place === nowhere ? null : String(place))),
  place_type: stays.map(({ place }) => (place === nowhere ? null : resourceOfPlace[kind])),
  log: stays.map(({ log }) => String(log)),
  from: stays.map(({ began }) => began),
  until: stays.map(({ ended }) => (ended > now ? null : ended)),
})

/** The address of the next page. */
function addressAfter(address: string, position: string): string {
  const [path = '', query = ''] = address.split('?', 2)
  const segments = query.split('&').filter((segment) => segment !== '' && !/^after(=|$)/.test(segment))
  return `${path.replace(/\/$/, '')}?${[...segments, `after=${position}`].join('&')}`
}

const names: readonly string[] = ['kind', 'from', 'to', 'asset', 'area', 'within', 'after']
const severalTimes: readonly string[] = ['asset', 'area']

function staysAsked(entries: readonly QueryEntry[], now: number): StayQuery {
  for (const entry of entries) refuseStrange(entry)
  const from = timeIn(entries, 'from') ?? -forever
  const query: StayQuery = {
    kind: kindIn(entries),
    now,
    // A current stay has no end, whatever is planned, so it overlaps every later period.
    from: Math.min(from, now),
    to: timeIn(entries, 'to') ?? forever,
    assets: idsIn(entries, 'asset'),
    areas: idsIn(entries, 'area'),
    within: isWithin(entries) ? 'these and all below' : 'these areas',
    after: positionIn(entries),
    limit: staysPerPage,
  }
  if (query.to <= from) throw badQuery('to', 'must be later than from')
  if (query.areas.length > 0 && query.kind === 'membership')
    throw badQuery('area', 'is for movements; who was in a group is query with /farm_asset.json?group=ID&as_of=TIME')
  if (isWithin(entries) && query.areas.length === 0) throw badQuery('within', 'goes with area; say which')
  return query
}

function refuseStrange({ name, brackets }: QueryEntry): void {
  if (!names.includes(name)) throw badQuery(name, 'is nothing that stays can be query for', names)
  const isList = severalTimes.includes(name) && brackets.every((bracket) => /^\d*$/.test(bracket))
  if (brackets.length > 0 && !isList) throw badQuery(name, 'takes no brackets')
}

function kindIn(entries: readonly QueryEntry[]): StayKind {
  const given = parameter(entries, 'kind') ?? 'movement'
  const kind = stayKinds.find((one) => one === given)
  if (kind === undefined)
    throw badQuery('kind', `must be movement or membership, not ${JSON.stringify(given)}`, stayKinds)
  return kind
}

function timeIn(entries: readonly QueryEntry[], name: 'from' | 'to'): number | undefined {
  const given = parameter(entries, name)
  if (given === undefined) return undefined
  const second = wholeNumber(given)
  if (second === undefined) throw badQuery(name, `must be ${timestampForm}, not ${JSON.stringify(given)}`)
  return second
}

/** Several ids are alternatives. */
const idsIn = (entries: readonly QueryEntry[], name: 'asset' | 'area'): readonly number[] =>
  entries
    .filter((entry) => entry.name === name)
    .map(({ value }) => {
      const id = wholeNumber(value)
      if (id === undefined) throw badQuery(name, `${JSON.stringify(value)} is not an id`)
      return id
    })

function isWithin(entries: readonly QueryEntry[]): boolean {
  const given = parameter(entries, 'within')
  if (given !== undefined && given !== '0' && given !== '1') throw badQuery('within', 'must be 0 or 1', ['0', '1'])
  return given === '1'
}

const spelledPosition = ({ asset, began, log, place }: PositionOfStay): string => [asset, began, log, place].join('.')

function positionIn(entries: readonly QueryEntry[]): PositionOfStay | undefined {
  const given = parameter(entries, 'after')
  if (given === undefined) return undefined
  const numbers = given.split('.').map(wholeNumber)
  const [asset, began, log, place] = numbers
  if (numbers.length !== 4 || asset === undefined || began === undefined || log === undefined || place === undefined)
    throw badQuery('after', 'is taken from the next of an earlier page, as it stands there')
  return { asset, began, log, place }
}
