import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Field, Fields } from '../../../fields/field.ts'
import { text } from '../../../fields/text.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import { deliver } from '../../http/answers/ready-answer.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { refuseAsOf } from '../query/as-of.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterCondition, type FilterGroup, type FilterOperator, isGroup } from '../query/filter/filter-tree.ts'
import { includeIn } from '../query/include.ts'
import { pageIn } from '../query/page.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import type { Path } from '../query/path.ts'
import { refuseVersionOf } from '../query/resource-version.ts'
import { type SortKey, sortIn } from '../query/sort.ts'
import { sparseFieldsIn } from '../query/sparse-fields.ts'
import { configIdentifier } from '../wire/identifiers.ts'
import { included, refuseUnknownPaths } from '../wire/inclusion.ts'
import { pageLinks } from '../wire/page-links.ts'
import { addressOf, resourceObject } from '../wire/resource-object.ts'
import { type ConfigThing, type Drawn, isConfig, keyOf, listOf, type Thing } from '../wire/thing.ts'
import { jsonapi, mediaType, taggedDocument } from '../wire/top-level.ts'
import { byKey, keyOfSpelled } from './comparable.ts'

/** Resources of which there are so few that all of them are at hand. */
interface ShortList {
  /** `land_type--land_type` */
  readonly type: string
  readonly searchable: Searchable
  /** All that the caller may see, in the order of their ids. */
  readonly all: (request: FastifyRequest) => Promise<readonly Drawn[]>
  /** The one with that UUID, where that is seen by others than see the list. */
  readonly one?: (request: FastifyRequest, uuid: string) => Promise<Drawn | undefined>
  /** What its resources point to. */
  readonly draw?: (things: readonly ConfigThing[]) => readonly Drawn[]
  /** Changes the one with that UUID as the request asks, and answers what became of it. */
  readonly change?: (request: FastifyRequest, uuid: string) => Promise<Drawn>
}

/** The addresses of a short list: the list itself, and each of its resources, to be read and, where it says so, changed. */
export function shortListRoutes(app: FastifyInstance, installation: Records, list: ShortList): void {
  const path = `/api/${list.type.replace('--', '/')}`
  app.get(path, async (request, reply) => {
    // Who may not see it is not told what is wrong with the question.
    const all = await list.all(request)
    const parameters = parametersFor(list, request)
    const page = pageIn(parameters)
    const matches = matching(list.searchable, filterIn(parameters))
    const found = ordered(all.filter(matches), sortIn(parameters), list.searchable)
    const end = page.offset + page.limit
    const base = baseAddressOf(request, installation)
    const links = pageLinks(base, request.url, { ...page, hasMore: end < found.length })
    const shown = { data: found.slice(page.offset, end), links }
    return deliver(reply, taggedDocument(request, await documentOf(installation, { base, parameters, list }, shown)))
  })
  app.get(`${path}/:uuid`, async (request, reply) => {
    const uuid = uuidAt(request)
    const found = await (list.one ?? oneOf(list))(request, uuid)
    const parameters = parametersFor(list, request)
    if (found === undefined) throw new Refusal('not-found', `There is no ${list.type} with this id.`)
    return deliver(reply, taggedDocument(request, await documentOfOne(found, request, parameters)))
  })
  const { change } = list
  if (change === undefined) return
  app.patch(`${path}/:uuid`, async (request, reply) => {
    const changed = await change(request, uuidAt(request))
    const body = JSON.stringify({ jsonapi, ...(await documentOfOne(changed, request, new Map())) })
    // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
    return deliver(reply, { status: 200, headers: { 'content-type': mediaType }, body: Buffer.from(body) })
  })

  function documentOfOne(data: Drawn, request: FastifyRequest, parameters: Parameters): Promise<object> {
    const base = baseAddressOf(request, installation)
    const links = { self: { href: addressOf(base, list.type, data.id) } }
    return documentOf(installation, { base, parameters, list }, { data, links })
  }
}

const uuidAt = (request: FastifyRequest): string => uuidIn((request.params as { uuid?: string }).uuid) ?? ''

const oneOf =
  (list: ShortList) =>
  async (request: FastifyRequest, uuid: string): Promise<Drawn | undefined> =>
    (await list.all(request)).find(({ id }) => id === uuid)

function parametersFor({ type }: ShortList, request: FastifyRequest): Parameters {
  const parameters = readParameters(request.url)
  refuseVersionOf(type, parameters)
  refuseAsOf(parameters)
  return parameters
}

interface Asked {
  readonly base: string
  readonly parameters: Parameters
  readonly list: ShortList
}

interface Shown {
  readonly data: Drawn | readonly Drawn[]
  readonly links: object
}

async function documentOf(installation: Records, asked: Asked, { data, links }: Shown): Promise<object> {
  const { base, parameters, list } = asked
  const paths = includeIn(parameters)
  refuseUnknownPaths(installation.farm, list.type, paths)
  const primary = 'thing' in data ? [data] : data
  const draw = async (things: readonly Thing[]) => list.draw?.(things.filter(isConfig)) ?? []
  const beside = paths.length === 0 ? [] : await included(primary, paths, draw)
  const targets = [...primary, ...beside].flatMap(({ relationships }) => Object.values(relationships).flatMap(listOf))
  const identifiers = new Map(targets.filter(isConfig).map((thing) => [keyOf(thing), configIdentifier(thing)]))
  const speller = { base, identifiers, sparse: sparseFieldsIn(parameters) }
  const spelled = primary.map((drawn) => resourceObject(drawn, speller))
  return {
    data: 'thing' in data ? spelled[0] : spelled,
    ...(beside.length === 0 ? {} : { included: beside.map((drawn) => resourceObject(drawn, speller)) }),
    links,
  }
}

/** The resources in the order that is asked for; what is equal in it, and what nothing is asked of, stays as it is. */
function ordered(drawn: readonly Drawn[], keys: readonly SortKey[], searchable: Searchable): readonly Drawn[] {
  const orders = keys.map(({ path, direction, parameter }) => {
    const { field, spelledOf } = searched(searchable, path, parameter)
    const keyOf = (one: Drawn) => keyOfSpelled(field, spelledOf(one) ?? '') ?? ''
    return (one: Drawn, other: Drawn) => byKey(keyOf(one), keyOf(other)) * (direction === 'asc' ? 1 : -1)
  })
  return drawn.toSorted((one, other) => {
    for (const order of orders) {
      const difference = order(one, other)
      if (difference !== 0) return difference
    }
    return 0
  })
}

type Matches = (drawn: Drawn) => boolean

/** Whether a resource is what a filter asks for. */
function matching(searchable: Searchable, { conjunction, members }: FilterGroup): Matches {
  const all = members.map((member) => (isGroup(member) ? matching(searchable, member) : holding(searchable, member)))
  return conjunction === 'AND' || all.length === 0
    ? (drawn) => all.every((matches) => matches(drawn))
    : (drawn) => all.some((matches) => matches(drawn))
}

function holding(searchable: Searchable, { path, operator, values, parameter }: FilterCondition): Matches {
  const { field, spelledOf } = searched(searchable, path, parameter)
  const wanted = values.map((value) => requiredKey(field, value, parameter))
  return (drawn) => {
    const spelled = spelledOf(drawn)
    const isNull = spelled === null || spelled === undefined || spelled === ''
    if (operator === 'IS NULL') return isNull
    if (operator === 'IS NOT NULL') return !isNull
    return !isNull && compares[operator](keyOfSpelled(field, spelled) ?? '', wanted)
  }
}

function requiredKey(field: Field, value: string, parameter: string): string {
  const key = keyOfSpelled(field, value)
  if (key !== undefined) return key
  throw badQuery(parameter, `${JSON.stringify(value)} is not ${forms[field.kind] ?? 'a value that it can have'}`)
}

const forms: Readonly<Partial<Record<Field['kind'], string>>> = {
  timestamp: 'a time: Unix seconds, "2024-06-10T05:30:00Z" or "2024-06-10"',
  whole: 'a whole number',
  'yes-no': '1 or 0',
}

type Compare = (key: string, wanted: readonly string[]) => boolean

const first = ([wanted = '']: readonly string[]): string => wanted

const isBetween: Compare = (key, [from = '', to = '']) => byKey(key, from) >= 0 && byKey(key, to) <= 0

const compares: Readonly<Record<Exclude<FilterOperator, 'IS NULL' | 'IS NOT NULL'>, Compare>> = {
  '=': (key, wanted) => key === first(wanted),
  '<>': (key, wanted) => key !== first(wanted),
  '>': (key, wanted) => byKey(key, first(wanted)) > 0,
  '>=': (key, wanted) => byKey(key, first(wanted)) >= 0,
  '<': (key, wanted) => byKey(key, first(wanted)) < 0,
  '<=': (key, wanted) => byKey(key, first(wanted)) <= 0,
  STARTS_WITH: (key, wanted) => key.startsWith(first(wanted)),
  CONTAINS: (key, wanted) => key.includes(first(wanted)),
  ENDS_WITH: (key, wanted) => key.endsWith(first(wanted)),
  IN: (key, wanted) => wanted.includes(key),
  'NOT IN': (key, wanted) => !wanted.includes(key),
  BETWEEN: isBetween,
  'NOT BETWEEN': (key, wanted) => !isBetween(key, wanted),
}

/** The attributes that resources can be filtered and sorted by, beside their UUID. */
type Searchable = Fields

interface Searched {
  readonly field: Field
  readonly spelledOf: (drawn: Drawn) => unknown
}

const uuid = text('UUID')

/** What a path of a filter or an order leads to. */
function searched(searchable: Searchable, path: Path, parameter: string): Searched {
  const [name = '', ...further] = path
  if (name === 'id' && further.length === 0) return { field: uuid, spelledOf: ({ id }) => id }
  const field = further.length === 0 && Object.hasOwn(searchable, name) ? searchable[name] : undefined
  if (field !== undefined) return { field, spelledOf: ({ attributes }) => attributes[name] }
  throw badQuery(parameter, `there is no ${path.join('.')} to ask for`, ['id', ...Object.keys(searchable)])
}
