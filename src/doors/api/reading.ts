import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { IdentifiedCaller } from '../../access/credentials.ts'
import type { Member, ResourceType } from '../../farm/newer/resource-type.ts'
import { requireEdition } from '../../storage/edition.ts'
import { farmState, nextDue, wordOf } from '../../storage/farm-state.ts'
import { isPresent } from '../../storage/history/point-in-time.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { readBudgetOf } from '../http/answers/answer-budget.ts'
import type { LastingAnswer } from '../http/answers/response-cache.ts'
import { isKnown, tagOfBytes, tagOfList, tagOfRecord, type Version } from '../http/answers/versions.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { type ApiRecords, noSuch, numberAt, relationshipAt, typeAt } from './api-records.ts'
import { type Found, searchIn } from './intake/search.ts'
import { timeIn } from './query/as-of.ts'
import { includeIn } from './query/include.ts'
import { pageIn } from './query/page.ts'
import { type Parameters, readParameters } from './query/parameters.ts'
import { asksAboutPeople } from './query/people.ts'
import { requirePresentVersion, versionIn } from './query/resource-version.ts'
import { type SparseFields, sparseFieldsIn } from './query/sparse-fields.ts'
import { recordAtRevision } from './revision.ts'
import { documentText, listText } from './wire/document.ts'
import { drawRecords } from './wire/drawing.ts'
import { identifiersOf } from './wire/identifiers.ts'
import type { ReadContext } from './wire/implied.ts'
import { included, refuseUnknownPaths } from './wire/inclusion.ts'
import { pageLinks } from './wire/page-links.ts'
import { addressOf, relationshipOf } from './wire/resource-object.ts'
import { type ShownResource, spelled } from './wire/resource-texts.ts'
import { type Drawn, type Targets, type Thing, listOf as thingsIn } from './wire/thing.ts'
import { jsonapi, mediaType } from './wire/top-level.ts'

/** A page of the resources of one type. */
export const listOf = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answered(records, request, async ({ type, parameters, standing }) => {
    requirePresentVersion(parameters)
    const page = pageIn(parameters)
    const shaping = shapingOf(records, parameters, { type })
    const { reading, base } = standing
    const tag = tagOfList(standing.version)
    const ofPeople = asksAboutPeople(records.installation.farm, request.url)
    if (!ofPeople && shaping.include.length === 0 && isKnown(request, tag)) return { tag, text: null }
    const search = () => searchIn(reading, type, { parameters, page })
    const { ids, hasMore } = ofPeople ? await search() : await found(records, request, { standing, search })
    const things = ids.map((id): Thing => ({ of: type.record, id }))
    const shown = await show(records, standing, shaping)(things)
    const links = pageLinks(base, request.url, { ...page, hasMore })
    const text = await documentOf(records, standing, { shaping, shown, data: listText(shown), links })
    return ofPeople ? { text } : tagged(shaping, tag, text)
  })

/** One resource, as it is or as it was at a revision. */
export const resource = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answered(records, request, async ({ type, parameters, standing }) => {
    const shaping = shapingOf(records, parameters, { type })
    const shown = await shownAt(records, request, { type, parameters, standing, shaping })
    const tag = tagOfRecord(shown.revision ?? 0, standing.version)
    if (shaping.include.length === 0 && isKnown(request, tag)) return { tag, text: null }
    const links = { self: { href: addressOf(standing.base, type.name, shown.id) } }
    const page = { shaping, shown: [shown], data: shown.text, links }
    return tagged(shaping, tag, await documentOf(records, standing, page))
  })

/** What a relationship of a resource leads to. */
export const related = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answered(records, request, async ({ type, parameters, standing }) => {
    const member = relationshipAt(type, request)
    const shaping = shapingOf(records, parameters, { type, member })
    const drawn = await shownAt(records, request, { type, parameters, standing, shaping: whole })
    const targets = drawn.relationships[member.name] ?? null
    const shown = await show(records, standing, shaping)(thingsIn(targets))
    const links = { self: { href: addressOf(standing.base, type.name, drawn.id, member.name) } }
    const data = Array.isArray(targets) ? listText(shown) : (shown[0]?.text ?? 'null')
    return { text: await documentOf(records, standing, { shaping, shown, data, links }) }
  })

/** The relationship itself: what it leads to by name. */
export const relationship = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answered(records, request, async ({ type, parameters, standing }) => {
    const { name } = relationshipAt(type, request)
    const drawn = await shownAt(records, request, { type, parameters, standing, shaping: whole })
    return { text: JSON.stringify(await relationshipDocument(standing.reading, standing.base, { drawn, name })) }
  })

interface NamedRelationship {
  readonly drawn: Drawn
  readonly name: string
}

/** A relationship as its own address shows it. */
export async function relationshipDocument(
  { installation, snapshot }: ReadContext,
  base: string,
  { drawn, name }: NamedRelationship,
): Promise<object> {
  const targets: Targets = drawn.relationships[name] ?? null
  const identifiers = await identifiersOf(snapshot, installation.farm, thingsIn(targets))
  return { jsonapi, ...relationshipOf(drawn, name, { targets, speller: { base, identifiers, sparse: new Map() } }) }
}

/** What is read from, at what time, and what tells whether an answer still holds. */
export interface Standing {
  readonly reading: ReadContext
  readonly version: Version
  readonly base: string
}

interface Asked {
  readonly type: ResourceType
  readonly parameters: Parameters
  readonly standing: Standing
}

/** The text of an answer, or none where the caller has it already; without a tag it has that of its bytes. */
interface Worked {
  readonly tag?: string
  readonly text: string | null
}

async function answered(
  records: ApiRecords,
  request: FastifyRequest,
  work: (asked: Asked) => Promise<Worked>,
): Promise<LastingAnswer> {
  const { installation } = records
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const type = typeAt(records, request)
  const parameters = readParameters(request.url)
  const time = timeIn(parameters, installation.clock())
  const base = baseAddressOf(request, installation)
  return installation.database.read(
    async (snapshot) => {
      const reading = { installation, snapshot, time, caller }
      const version = await versionAt(reading)
      const due = await nextDue(snapshot, 'asset', time)
      const worked = await work({ type, parameters, standing: { reading, version, base } })
      return lasting(request, { ...worked, until: untilFor(caller, due) })
    },
    readBudgetOf(request, installation),
  )
}

const untilFor = ({ expires = 0 }: IdentifiedCaller, due: number): number => Math.min(expires, due)

interface Lasting extends Worked {
  readonly until: number
}

function lasting(request: FastifyRequest, { tag, text, until }: Lasting): LastingAnswer {
  // As bytes: to a text the HTTP library would add a charset, which JSON:API forbids.
  const body = Buffer.from(text ?? '')
  const etag = tag ?? tagOfBytes(body)
  if (text === null || isKnown(request, etag)) return { status: 304, headers: { etag }, body: '', until }
  return { status: 200, headers: { 'content-type': mediaType, etag }, body, until }
}

/** Users and files may be shown otherwise without any change of a record: what includes any is known by its bytes. */
const tagged = ({ include }: Shaping, tag: string, text: string): Worked =>
  include.length === 0 ? { tag, text } : { text }

/** What is shown of a record follows from all records, and from the time that has come. */
export async function versionAt({ installation, snapshot, time }: ReadContext): Promise<Version> {
  const state = await farmState(snapshot, 'asset', time)
  requireEdition(installation, state.edition)
  const asOf = isPresent(time) ? undefined : time.second
  return { state, catalogue: installation.catalogue, format: 'json', asOf }
}

/** How a document is to look. */
interface Shaping {
  readonly include: ReturnType<typeof includeIn>
  readonly sparse: SparseFields
}

const whole: Shaping = { include: [], sparse: new Map() }

interface Shaped {
  readonly type: ResourceType
  /** Where what a relationship leads to is shown, and included from. */
  readonly member?: Member
}

function shapingOf({ installation }: ApiRecords, parameters: Parameters, { type, member }: Shaped): Shaping {
  const include = includeIn(parameters)
  const paths = member === undefined ? include : include.map((path) => [member.name, ...path])
  refuseUnknownPaths(installation.farm, type.name, paths)
  return { include, sparse: sparseFieldsIn(parameters) }
}

interface Search {
  readonly standing: Standing
  readonly search: () => Promise<Found>
}

/** The same address finds the same for as long as the farm is in the same state. */
async function found({ found }: ApiRecords, { url }: FastifyRequest, { standing, search }: Search): Promise<Found> {
  if (!isPresent(standing.reading.time)) return search()
  const word = wordOf(standing.version.state)
  const known = found.knownIn(word).get(url)
  if (known !== undefined) return known
  const fresh = await search()
  found.keep(word, url, { value: fresh, weight: fresh.ids.length + url.length })
  return fresh
}

const show =
  ({ texts }: ApiRecords, { reading, version, base }: Standing, { sparse }: Shaping) =>
  (things: readonly Thing[]): Promise<readonly ShownResource[]> =>
    texts.of(reading, things, { base, sparse, state: version.state })

interface One extends Asked {
  readonly shaping: Shaping
}

async function shownAt(records: ApiRecords, request: FastifyRequest, one: One): Promise<ShownResource> {
  const { type, parameters, standing, shaping } = one
  const { reading, base } = standing
  const id = await numberAt(records, request, reading.snapshot)
  const version = versionIn(parameters)
  if (version === 'present') {
    const [shown] = await show(records, standing, shaping)([{ of: type.record, id }])
    if (shown === undefined) throw noSuch(type, request)
    return shown
  }
  const record = await recordAtRevision(reading.snapshot, { type: type.record, id }, version.revision)
  const [shown] = record === undefined ? [] : await spelledRecords(reading, [record], { base, sparse: shaping.sparse })
  if (shown === undefined) throw noSuch(type, request)
  return shown
}

interface Spelled {
  readonly base: string
  readonly sparse: SparseFields
}

const spelledRecords = async (
  reading: ReadContext,
  records: readonly StoredRecord[],
  spelling: Spelled,
): Promise<readonly ShownResource[]> => spelled(reading, await drawRecords(reading, records), spelling)

interface Page {
  readonly shaping: Shaping
  readonly shown: readonly ShownResource[]
  readonly data: string
  readonly links: object
}

/** The document of some resources, with what is to be included. */
async function documentOf(records: ApiRecords, standing: Standing, page: Page): Promise<string> {
  const { shaping, shown, data, links } = page
  const beside =
    shaping.include.length === 0 ? [] : await included(shown, shaping.include, show(records, standing, shaping))
  return documentText({ data, included: beside, links })
}

/** The document of one resource that is at hand. */
export async function documentOfRecord(
  reading: ReadContext,
  base: string,
  record: StoredRecord,
): Promise<string | undefined> {
  const [shown] = await spelledRecords(reading, [record], { base, sparse: new Map() })
  if (shown === undefined) return undefined
  const links = { self: { href: addressOf(base, shown.type, shown.id) } }
  return documentText({ data: shown.text, links })
}
