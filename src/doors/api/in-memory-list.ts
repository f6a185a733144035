import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Field, Fields } from '../../fields/field.ts'
import { textKey, wholeKey } from '../../fields/key.ts'
import type { ComparisonWord } from '../../fields/kind.ts'
import { isPlain, rulesOf } from '../../fields/kinds.ts'
import { wholeNumber } from '../../fields/scalars.ts'
import { text } from '../../fields/text.ts'
import { secondsIn } from '../../fields/time.ts'
import { badQuery } from '../../records/finding/filter.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import { baseAddressOf } from '../http/origin.ts'
import { deliver } from '../http/record-answers.ts'
import { uuidAt } from './address.ts'
import { included, refuseUnknownPaths } from './documents/compound-document.ts'
import { jsonapi, mediaType, pageLinks, taggedDocument } from './documents/document.ts'
import {
  type ApiResource,
  type ConfigRef,
  configIdentifier,
  isConfig,
  keyOf,
  type ResourceRef,
  refsIn,
} from './documents/identifiers.ts'
import { addressOf, resourceObject } from './documents/resource-object.ts'
import {
  type FilterCondition,
  type FilterGroup,
  type FilterOperator,
  filterIn,
  isGroup,
} from './filter/filter-syntax.ts'
import {
  includeIn,
  type MemberPath,
  pageIn,
  type QueryParameters,
  readParameters,
  refuseAsOf,
  refuseVersionOf,
  type SortField,
  sortIn,
  sparseFieldsIn,
} from './query-parameters.ts'

/** Resources few enough to filter and sort in memory. */
interface InMemoryList {
  /** Such as `land_type--land_type`. */
  readonly type: string
  readonly searchable: Searchable
  /** All that the caller may see, sorted by id. */
  readonly all: (request: FastifyRequest) => Promise<readonly ApiResource[]>
  /** One resource by UUID, if more users may see it than the list. */
  readonly one?: (request: FastifyRequest, uuid: string) => Promise<ApiResource | undefined>
  /** Loads referenced resources. */
  readonly draw?: (things: readonly ConfigRef[]) => readonly ApiResource[]
  /** Changes a resource by UUID, and returns it. */
  readonly change?: (request: FastifyRequest, uuid: string) => Promise<ApiResource>
}

/** Addresses of a short list: the list, and each of its resources, to read and, if supported, to change. */
export function inMemoryListRoutes(app: FastifyInstance, installation: Records, list: InMemoryList): void {
  const path = `/api/${list.type.replace('--', '/')}`
  app.get(path, async (request, reply) => {
    // Checked first: a caller without access learns nothing about the query.
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
    // Sent as bytes: the HTTP library adds a charset to text, which JSON:API forbids.
    return deliver(reply, { status: 200, headers: { 'content-type': mediaType }, body: Buffer.from(body) })
  })

  function documentOfOne(data: ApiResource, request: FastifyRequest, parameters: QueryParameters): Promise<object> {
    const base = baseAddressOf(request, installation)
    const links = { self: { href: addressOf(base, list.type, data.id) } }
    return documentOf(installation, { base, parameters, list }, { data, links })
  }
}

const oneOf =
  (list: InMemoryList) =>
  async (request: FastifyRequest, uuid: string): Promise<ApiResource | undefined> =>
    (await list.all(request)).find(({ id }) => id === uuid)

function parametersFor({ type }: InMemoryList, request: FastifyRequest): QueryParameters {
  const parameters = readParameters(request.url)
  refuseVersionOf(type, parameters)
  refuseAsOf(parameters)
  return parameters
}

interface ListContext {
  readonly base: string
  readonly parameters: QueryParameters
  readonly list: InMemoryList
}

interface ListData {
  readonly data: ApiResource | readonly ApiResource[]
  readonly links: object
}

async function documentOf(installation: Records, asked: ListContext, { data, links }: ListData): Promise<object> {
  const { base, parameters, list } = asked
  const paths = includeIn(parameters)
  refuseUnknownPaths(installation.farm, list.type, paths)
  const primary = 'thing' in data ? [data] : data
  const draw = async (things: readonly ResourceRef[]) => list.draw?.(things.filter(isConfig)) ?? []
  const beside = paths.length === 0 ? [] : await included(primary, paths, draw)
  const targets = [...primary, ...beside].flatMap(({ relationships }) => Object.values(relationships).flatMap(refsIn))
  const identifiers = new Map(targets.filter(isConfig).map((thing) => [keyOf(thing), configIdentifier(thing)]))
  const speller = { base, identifiers, sparse: sparseFieldsIn(parameters) }
  const spelled = primary.map((drawn) => resourceObject(drawn, speller))
  return {
    data: 'thing' in data ? spelled[0] : spelled,
    ...(beside.length === 0 ? {} : { included: beside.map((drawn) => resourceObject(drawn, speller)) }),
    links,
  }
}

/** A stable sort by the requested keys. */
function ordered(
  drawn: readonly ApiResource[],
  keys: readonly SortField[],
  searchable: Searchable,
): readonly ApiResource[] {
  const orders = keys.map(({ path, direction, parameter }) => {
    const { field, spelledOf } = searched(searchable, path, parameter)
    const keyOf = (one: ApiResource) => keyOfSpelled(field, spelledOf(one) ?? '') ?? ''
    return (one: ApiResource, other: ApiResource) => byKey(keyOf(one), keyOf(other)) * (direction === 'asc' ? 1 : -1)
  })
  return drawn.toSorted((one, other) => {
    for (const order of orders) {
      const difference = order(one, other)
      if (difference !== 0) return difference
    }
    return 0
  })
}

type Matches = (drawn: ApiResource) => boolean

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
  throw badQuery(parameter, `${JSON.stringify(value)} is not ${spelledKeys[comparisonOf(field)].form}`)
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

/** Filterable and sortable attributes, beside the UUID. */
type Searchable = Fields

interface SearchedAttribute {
  readonly field: Field
  readonly spelledOf: (drawn: ApiResource) => unknown
}

const uuid = text('UUID')

function searched(searchable: Searchable, path: MemberPath, parameter: string): SearchedAttribute {
  const [name = '', ...further] = path
  if (name === 'id' && further.length === 0) return { field: uuid, spelledOf: ({ id }) => id }
  const field = further.length === 0 && Object.hasOwn(searchable, name) ? searchable[name] : undefined
  if (field !== undefined) return { field, spelledOf: ({ attributes }) => attributes[name] }
  throw badQuery(parameter, `there is no ${path.join('.')} to ask for`, ['id', ...Object.keys(searchable)])
}

/** The comparison key of an attribute or of a given value; undefined for a value of the wrong kind. */
const keyOfSpelled = (field: Field, spelled: unknown): string | undefined =>
  spelledKeys[comparisonOf(field)].key(spelled)

/** Compound and repeated values are compared as JSON. */
function comparisonOf(field: Field): ComparisonWord {
  const compares = isPlain(field) ? rulesOf(field).newer.compares : 'text'
  return typeof compares === 'string' ? compares : 'text'
}

interface SpelledKey {
  readonly form: string
  readonly key: (spelled: unknown) => string | undefined
}

const asText: SpelledKey = { form: 'a value that it can have', key: (spelled) => textKey(String(spelled)) }

const spelledKeys: Readonly<Record<ComparisonWord, SpelledKey>> = {
  text: asText,
  decimal: asText,
  time: {
    form: 'a time: Unix seconds, "2024-06-10T05:30:00Z" or "2024-06-10"',
    key: (spelled) => keyOfNumber(secondsIn(spelled) ?? secondsIn(`${spelled}T00:00:00Z`)),
  },
  number: { form: 'a whole number', key: (spelled) => keyOfNumber(wholeNumber(spelled)) },
  'yes or no': { form: '1 or 0', key: (spelled) => yesAndNo.get(String(spelled)) },
}

const keyOfNumber = (number: number | undefined): string | undefined =>
  number === undefined ? undefined : wholeKey(number)

const yesAndNo: ReadonlyMap<string, string> = new Map([
  ['1', '1'],
  ['true', '1'],
  ['0', '0'],
  ['false', '0'],
])

/** Keys are compared as bytes. */
const byKey = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
