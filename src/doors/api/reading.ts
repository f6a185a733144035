import type { FastifyRequest } from 'fastify'
import { type Caller, requireRight } from '../../access/caller.ts'
import type { Member, ResourceType } from '../../farm/newer/resource-type.ts'
import { noSuchRecord } from '../../records/writing/update.ts'
import { requireEdition } from '../../storage/edition.ts'
import { farmState } from '../../storage/farm-state.ts'
import { isPresent, type PointInTime } from '../../storage/history/point-in-time.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { ReadyAnswer } from '../http/answers/ready-answer.ts'
import { isKnown, tagOfBytes, tagOfList, tagOfRecord, type Version } from '../http/answers/versions.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { type ApiRecords, noSuch, numberAt, relationshipAt, typeAt } from './api-records.ts'
import { searchIn } from './intake/search.ts'
import { timeIn } from './query/as-of.ts'
import { includeIn } from './query/include.ts'
import { pageIn } from './query/page.ts'
import { type Parameters, readParameters } from './query/parameters.ts'
import { requirePresentVersion, versionIn } from './query/resource-version.ts'
import { sparseFieldsIn } from './query/sparse-fields.ts'
import { recordAtRevision } from './revision.ts'
import { pageLinks } from './wire/page-links.ts'
import { drawThings } from './wire/draw-things.ts'
import { drawRecords } from './wire/drawing.ts'
import { identifiersOf } from './wire/identifiers.ts'
import type { Reading } from './wire/implied.ts'
import { included, refuseUnknownPaths } from './wire/inclusion.ts'
import { addressOf, relationshipOf, resourceObject } from './wire/resource-object.ts'
import { type Drawn, listOf as thingsIn, type Targets } from './wire/thing.ts'
import { jsonapi, mediaType } from './wire/top-level.ts'

/** A page of the resources of one type. */
export async function listOf(records: ApiRecords, request: FastifyRequest): Promise<ReadyAnswer> {
  const { installation } = records
  const caller = await readerOf(records, request)
  const type = typeAt(records, request)
  const parameters = readParameters(request.url)
  requirePresentVersion(parameters)
  const page = pageIn(parameters)
  const shaping = shapingOf(records, request, { parameters, type: type.name })
  return installation.database.read(async (snapshot) => {
    const reading = { installation, snapshot, time: shaping.time, caller }
    const tag = await tagOfState(reading, (version) => tagOfList(version))
    if (isKnown(request, tag)) return notModified(tag)
    const { ids, hasMore } = await searchIn(reading, type, { parameters, page })
    const found = await recordsByIds(snapshot, type.record, ids)
    const drawn = await drawRecords(reading, ids.flatMap((id) => found.get(id) ?? []))
    const links = pageLinks(shaping.base, request.url, { ...page, hasMore })
    return answer(await documentOf(reading, shaping, { data: drawn, links }), tag)
  })
}

/** One resource, as it is or as it was at a revision. */
export async function resource(records: ApiRecords, request: FastifyRequest): Promise<ReadyAnswer> {
  const { installation } = records
  const caller = await readerOf(records, request)
  const type = typeAt(records, request)
  const parameters = readParameters(request.url)
  const shaping = shapingOf(records, request, { parameters, type: type.name })
  return installation.database.read(async (snapshot) => {
    const reading = { installation, snapshot, time: shaping.time, caller }
    const drawn = await drawnAt(records, request, { reading, type, parameters })
    const tag = await tagOfState(reading, (version) => tagOfRecord(drawn.revision ?? 0, version))
    if (isKnown(request, tag)) return notModified(tag)
    const links = { self: { href: addressOf(shaping.base, type.name, drawn.id) } }
    return answer(await documentOf(reading, shaping, { data: drawn, links }), tag)
  })
}

/** What a relationship of a resource leads to. */
export async function related(records: ApiRecords, request: FastifyRequest): Promise<ReadyAnswer> {
  const { installation } = records
  const caller = await readerOf(records, request)
  const type = typeAt(records, request)
  const member = relationshipAt(type, request)
  const parameters = readParameters(request.url)
  const shaping = { ...shapingOf(records, request, { parameters, type: type.name, member }) }
  return installation.database.read(async (snapshot) => {
    const reading = { installation, snapshot, time: shaping.time, caller }
    const drawn = await drawnAt(records, request, { reading, type, parameters })
    const targets = drawn.relationships[member.name] ?? null
    const found = await drawThings(reading, thingsIn(targets))
    const links = { self: { href: addressOf(shaping.base, type.name, drawn.id, member.name) } }
    const data = Array.isArray(targets) ? found : (found[0] ?? null)
    return tagged(request, await documentOf(reading, shaping, { data, links }))
  })
}

/** The relationship itself: what it leads to by name. */
export async function relationship(records: ApiRecords, request: FastifyRequest): Promise<ReadyAnswer> {
  const { installation } = records
  const caller = await readerOf(records, request)
  const type = typeAt(records, request)
  const member = relationshipAt(type, request)
  const parameters = readParameters(request.url)
  const { time } = shapingOf(records, request, { parameters, type: type.name })
  return installation.database.read(async (snapshot) => {
    const reading = { installation, snapshot, time, caller }
    const drawn = await drawnAt(records, request, { reading, type, parameters })
    return tagged(request, await relationshipDocument(reading, request, { drawn, name: member.name }))
  })
}

interface NamedRelationship {
  readonly drawn: Drawn
  readonly name: string
}

/** A relationship as its own address shows it. */
export async function relationshipDocument(
  { installation, snapshot }: Reading,
  request: FastifyRequest,
  { drawn, name }: NamedRelationship,
): Promise<object> {
  const targets: Targets = drawn.relationships[name] ?? null
  const identifiers = await identifiersOf(snapshot, installation.farm, thingsIn(targets))
  const speller = { base: baseAddressOf(request, installation), identifiers, sparse: new Map() }
  return { jsonapi, ...relationshipOf(drawn, name, { targets, speller }) }
}

async function readerOf({ installation }: ApiRecords, request: FastifyRequest): Promise<Caller> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  return caller
}

/** How a document is to look. */
export interface Shaping {
  readonly base: string
  readonly time: PointInTime
  readonly include: ReturnType<typeof includeIn>
  readonly sparse: ReturnType<typeof sparseFieldsIn>
}

interface Asked {
  readonly parameters: Parameters
  readonly type: string
  /** Where what a relationship leads to is shown, and included from. */
  readonly member?: Member
}

export function shapingOf(
  { installation }: ApiRecords,
  request: FastifyRequest,
  { parameters, type, member }: Asked,
): Shaping {
  const include = includeIn(parameters)
  refuseUnknownPaths(installation.farm, type, member === undefined ? include : include.map((path) => [member.name, ...path]))
  return {
    base: baseAddressOf(request, installation),
    time: timeIn(parameters, installation.clock()),
    include,
    sparse: sparseFieldsIn(parameters),
  }
}

interface One {
  readonly reading: Reading
  readonly type: ResourceType
  readonly parameters: Parameters
}

async function drawnAt(records: ApiRecords, request: FastifyRequest, { reading, type, parameters }: One): Promise<Drawn> {
  const { snapshot } = reading
  const id = await numberAt(records, request, snapshot)
  const version = versionIn(parameters)
  const record =
    version === 'present'
      ? (await recordsByIds(snapshot, type.record, [id])).get(id)
      : await recordAtRevision(snapshot, { type: type.record, id }, version.revision)
  if (record === undefined) throw noSuchRecord(type.name, id)
  const [drawn] = await drawRecords(reading, [record])
  if (drawn === undefined) throw noSuch(type, request)
  return drawn
}

interface Primary {
  readonly data: Drawn | null | readonly Drawn[]
  readonly links: object
}

/** The document of some resources, with what is to be included. */
export async function documentOf(reading: Reading, shaping: Shaping, { data, links }: Primary): Promise<object> {
  const primary = data === null ? [] : 'thing' in data ? [data] : data
  const beside =
    shaping.include.length === 0
      ? []
      : await included(primary, shaping.include, (things) => drawThings(reading, things))
  const all = [...primary, ...beside]
  const things = all.flatMap(({ relationships }) => Object.values(relationships).flatMap(thingsIn))
  const identifiers = await identifiersOf(reading.snapshot, reading.installation.farm, things)
  const speller = { base: shaping.base, identifiers, sparse: shaping.sparse }
  const spelled = primary.map((drawn) => resourceObject(drawn, speller))
  return {
    jsonapi,
    data: Array.isArray(data) ? spelled : (spelled[0] ?? null),
    ...(beside.length === 0 ? {} : { included: beside.map((drawn) => resourceObject(drawn, speller)) }),
    links,
  }
}

/** What is shown of a record follows from all records, and from the time that has come. */
export async function tagOfState(
  { installation, snapshot, time }: Reading,
  tagOf: (version: Version) => string,
): Promise<string> {
  const state = await farmState(snapshot, 'asset', time)
  requireEdition(installation, state.edition)
  const asOf = isPresent(time) ? undefined : time.second
  return tagOf({ state, catalogue: installation.catalogue, format: 'json', asOf })
}

const headers = { 'content-type': mediaType }

const answer = (document: object, etag: string): ReadyAnswer => ({
  status: 200,
  headers: { ...headers, etag },
  // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
  body: Buffer.from(JSON.stringify(document)),
})

const notModified = (etag: string): ReadyAnswer => ({ status: 304, headers: { etag }, body: '' })

function tagged(request: FastifyRequest, document: object): ReadyAnswer {
  const body = Buffer.from(JSON.stringify(document))
  const etag = tagOfBytes(body)
  return isKnown(request, etag) ? notModified(etag) : { status: 200, headers: { ...headers, etag }, body }
}
