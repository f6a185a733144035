import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Member, ResourceType } from '../../farm/newer/resource-type.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import {
  type FarmState,
  farmMoment,
  isPresent,
  type PointInTime,
  requireEdition,
  wordOf,
} from '../../storage/farm-state.ts'
import { revisionOf, toldBy } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { readBudgetOf } from '../http/answer-budget.ts'
import { callerOf } from '../http/caller.ts'
import { baseAddressOf } from '../http/origin.ts'
import { type AnswerVersion, isNotModified, tagOfBytes, tagOfList, tagOfRecord } from '../http/record-answers.ts'
import type { LastingAnswer } from '../http/response-cache.ts'
import { type ApiRecords, noSuch, numberAt, relationshipAt, typeAt } from './address.ts'
import { documentText, included, listText, refuseUnknownPaths } from './documents/compound-document.ts'
import { jsonapi, mediaType, pageLinks } from './documents/document.ts'
import {
  type ApiResource,
  identifiersOf,
  type ResourceRef,
  type Targets,
  refsIn as thingsIn,
} from './documents/identifiers.ts'
import type { ReadContext } from './documents/implied-values.ts'
import { addressOf, relationshipOf, resourceTexts, type ShownResource } from './documents/resource-object.ts'
import { resourcesOfRecords } from './documents/resources.ts'
import { dependsOnUsers, type SearchResult, searchRecords } from './filter/search.ts'
import {
  includeIn,
  pageIn,
  type QueryParameters,
  readParameters,
  requirePresentVersion,
  type SparseFields,
  sparseFieldsIn,
  timeIn,
  versionIn,
} from './query-parameters.ts'

/** A page of the resources of one type. */
export const listResources = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answerRead(records, request, async ({ type, parameters, standing }) => {
    requirePresentVersion(parameters)
    const page = pageIn(parameters)
    const shaping = shapingOf(records, parameters, { type })
    const { reading, base } = standing
    const tag = tagOfList(standing.version)
    const ofPeople = dependsOnUsers(records.installation.farm, request.url)
    if (!ofPeople && shaping.include.length === 0 && isNotModified(request, tag)) return { tag, text: null }
    const search = () => searchRecords(reading, type, { parameters, page })
    const { ids, hasMore } = ofPeople ? await search() : await cachedSearch(records, request, { standing, search })
    const things = ids.map((id): ResourceRef => ({ of: type.record, id }))
    const shown = await show(records, standing, shaping)(things)
    const links = pageLinks(base, request.url, { ...page, hasMore })
    const text = await documentOf(records, standing, { shaping, shown, data: listText(shown), links })
    return ofPeople ? { text } : tagged(shaping, tag, text)
  })

/** One resource, current or at a revision. */
export const readResource = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answerRead(records, request, async ({ type, parameters, standing }) => {
    const shaping = shapingOf(records, parameters, { type })
    const shown = await shownAt(records, request, { type, parameters, standing, shaping })
    const tag = tagOfRecord(shown.revision ?? 0, standing.version)
    if (shaping.include.length === 0 && isNotModified(request, tag)) return { tag, text: null }
    const links = { self: { href: addressOf(standing.base, type.name, shown.id) } }
    const page = { shaping, shown: [shown], data: shown.text, links }
    return tagged(shaping, tag, await documentOf(records, standing, page))
  })

/** The targets of a relationship. */
export const readRelated = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answerRead(records, request, async ({ type, parameters, standing }) => {
    const member = relationshipAt(type, request)
    const shaping = shapingOf(records, parameters, { type, member })
    const resource = await shownAt(records, request, { type, parameters, standing, shaping: whole })
    const targets = resource.relationships[member.name] ?? null
    const shown = await show(records, standing, shaping)(thingsIn(targets))
    const links = { self: { href: addressOf(standing.base, type.name, resource.id, member.name) } }
    const data = Array.isArray(targets) ? listText(shown) : (shown[0]?.text ?? 'null')
    return { text: await documentOf(records, standing, { shaping, shown, data, links }) }
  })

/** The relationship itself, with identifiers of its targets. */
export const readRelationship = (records: ApiRecords, request: FastifyRequest): Promise<LastingAnswer> =>
  answerRead(records, request, async ({ type, parameters, standing }) => {
    const { name } = relationshipAt(type, request)
    const drawn = await shownAt(records, request, { type, parameters, standing, shaping: whole })
    return { text: JSON.stringify(await relationshipDocument(standing.reading, standing.base, { drawn, name })) }
  })

interface NamedRelationship {
  readonly drawn: ApiResource
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

/** The snapshot and time of a read, and the version that validates cached answers. */
interface ReadState {
  readonly reading: ReadContext
  readonly version: AnswerVersion
  readonly base: string
}

interface ReadRequest {
  readonly type: ResourceType
  readonly parameters: QueryParameters
  readonly standing: ReadState
}

/** The text of an answer; undefined if the client has it already. Without a tag, the ETag is that of the bytes. */
interface AnswerText {
  readonly tag?: string
  readonly text: string | null
}

async function answerRead(
  records: ApiRecords,
  request: FastifyRequest,
  work: (asked: ReadRequest) => Promise<AnswerText>,
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
      // A shown record depends on all records, and on the current time.
      const { state, due, version: read } = await farmMoment(snapshot, 'asset', time)
      requireEdition(installation, state.edition)
      const version = answerVersion(installation, state, time)
      const worked = await work({ type, parameters, standing: { reading, version, base } })
      return lastingAnswer(request, { ...worked, until: Math.min(caller.expires ?? 0, due), version: read })
    },
    readBudgetOf(request, installation),
  )
}

type LastingText = AnswerText & Pick<LastingAnswer, 'until' | 'version'>

function lastingAnswer(request: FastifyRequest, { tag, text, ...span }: LastingText): LastingAnswer {
  // Sent as bytes: the HTTP library adds a charset to text, which JSON:API forbids.
  const body = Buffer.from(text ?? '')
  const etag = tag ?? tagOfBytes(body)
  if (text === null || isNotModified(request, etag)) return { status: 304, headers: { etag }, body: '', ...span }
  return { status: 200, headers: { 'content-type': mediaType, etag }, body, ...span }
}

/**
 * Users and files can change without a change of a record, so documents that include them get the ETag of their bytes.
 */
const tagged = ({ include }: ResponseShape, tag: string, text: string): AnswerText =>
  include.length === 0 ? { tag, text } : { text }

export const answerVersion = ({ catalogue }: Records, state: FarmState, time: PointInTime): AnswerVersion => ({
  state,
  catalogue,
  format: 'json',
  asOf: isPresent(time) ? undefined : time.second,
})

interface ResponseShape {
  readonly include: ReturnType<typeof includeIn>
  readonly sparse: SparseFields
}

const whole: ResponseShape = { include: [], sparse: new Map() }

interface ShapeSource {
  readonly type: ResourceType
  /** The relationship whose targets are shown and included from. */
  readonly member?: Member
}

function shapingOf(
  { installation }: ApiRecords,
  parameters: QueryParameters,
  { type, member }: ShapeSource,
): ResponseShape {
  const include = includeIn(parameters)
  const paths = member === undefined ? include : include.map((path) => [member.name, ...path])
  refuseUnknownPaths(installation.farm, type.name, paths)
  return { include, sparse: sparseFieldsIn(parameters) }
}

interface Search {
  readonly standing: ReadState
  readonly search: () => Promise<SearchResult>
}

/** Cached by address while the version of the farm is the same. */
async function cachedSearch(
  { found }: ApiRecords,
  { url }: FastifyRequest,
  { standing, search }: Search,
): Promise<SearchResult> {
  if (!isPresent(standing.reading.time)) return search()
  const word = wordOf(standing.version.state)
  const known = found.knownIn(word).get(url)
  if (known !== undefined) return known
  const fresh = await search()
  found.keep(word, url, { value: fresh, weight: fresh.ids.length + url.length })
  return fresh
}

const show =
  ({ texts }: ApiRecords, { reading, version, base }: ReadState, { sparse }: ResponseShape) =>
  (things: readonly ResourceRef[]): Promise<readonly ShownResource[]> =>
    texts.of(reading, things, { base, sparse, state: version.state })

interface SingleRequest extends ReadRequest {
  readonly shaping: ResponseShape
}

async function shownAt(records: ApiRecords, request: FastifyRequest, one: SingleRequest): Promise<ShownResource> {
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

interface SpellOptions {
  readonly base: string
  readonly sparse: SparseFields
}

const spelledRecords = async (
  reading: ReadContext,
  records: readonly StoredRecord[],
  spelling: SpellOptions,
): Promise<readonly ShownResource[]> => resourceTexts(reading, await resourcesOfRecords(reading, records), spelling)

interface Page {
  readonly shaping: ResponseShape
  readonly shown: readonly ShownResource[]
  readonly data: string
  readonly links: object
}

/** The document of some resources, with inclusions. */
async function documentOf(records: ApiRecords, standing: ReadState, page: Page): Promise<string> {
  const { shaping, shown, data, links } = page
  const beside =
    shaping.include.length === 0 ? [] : await included(shown, shaping.include, show(records, standing, shaping))
  return documentText({ data, included: beside, links })
}

/** The document of one loaded resource. */
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

interface Which {
  readonly type: RecordTypeName
  readonly id: number
}

/** A record at a revision; undefined if there is none, or if the revision removed it. */
async function recordAtRevision(snapshot: Snapshot, which: Which, revision: number): Promise<StoredRecord | undefined> {
  const entry = await revisionOf(snapshot, which, revision)
  return (entry && toldBy(entry)) ?? undefined
}
