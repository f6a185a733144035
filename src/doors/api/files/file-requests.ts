import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { soundFileName } from '../../../fields/file-name.ts'
import { endingOf } from '../../../fields/mime.ts'
import { shown } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/scalars.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { faultsRefused } from '../../../records/writing/draft.ts'
import { renameFileIn } from '../../../records/writing/files.ts'
import { Refusal, type RefusalFault } from '../../../refusal.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { atPresent } from '../../../storage/farm-state.ts'
import { type FileCondition, type FileOrder, fileSlice } from '../../../storage/file-pages.ts'
import { filesSeenBy, type StoredFile } from '../../../storage/file-rows.ts'
import { identitiesOf } from '../../../storage/identity.ts'
import { readBudgetOf } from '../../http/answer-budget.ts'
import { callerOf } from '../../http/caller.ts'
import { baseAddressOf } from '../../http/origin.ts'
import type { ReadyAnswer } from '../../http/record-answers.ts'
import { readTree, requireSameId, SentPlace, type SentResource, sentResource } from '../body/request-body.ts'
import { type DocumentShape, refuseUnknownPaths, resourceDocument } from '../documents/compound-document.ts'
import { pageLinks, taggedText } from '../documents/document.ts'
import { refsIn as thingsIn } from '../documents/identifiers.ts'
import type { ReadContext } from '../documents/implied-values.ts'
import { addressOf } from '../documents/resource-object.ts'
import { resourcesOf } from '../documents/resources.ts'
import { type FilterGroup, filterIn, isGroup } from '../filter/filter-syntax.ts'
import { fileCondition, fileProperties } from '../filter/user-and-file-conditions.ts'
import {
  includeIn,
  type PageSlice,
  pageIn,
  type QueryParameters,
  readParameters,
  refuseAsOf,
  refuseVersionOf,
  type SortField,
  sortIn,
  sparseFieldsIn,
} from '../query-parameters.ts'
import { relationshipDocument } from '../reading.ts'
import { answerWrite, readContextOf, requireWriter } from '../writing.ts'
import { fileResource } from './file-resource.ts'

export const fileType = 'file--file'

type FileRoute = (installation: Records, request: FastifyRequest) => Promise<ReadyAnswer>

/** A page of files that records name, or that the caller uploaded for a future record. */
export const listOfFiles: FileRoute = (installation, request) =>
  answerFiles(installation, request, async ({ reading, parameters, shaping }) => {
    const page = pageIn(parameters)
    const { files, hasMore } = await findFiles(reading, parameters, page)
    const links = pageLinks(shaping.base, request.url, { ...page, hasMore })
    return resourceDocument(reading, shaping, { data: files.map(fileResource), links })
  })

export const oneFile: FileRoute = (installation, request) =>
  answerFiles(installation, request, async ({ reading, shaping }) => {
    const resource = fileResource(await fileAt(request, reading.snapshot, reading.caller.uid))
    const links = { self: { href: addressOf(shaping.base, fileType, resource.id) } }
    return resourceDocument(reading, shaping, { data: resource, links })
  })

export const senderOfFile: FileRoute = (installation, request) =>
  answerFiles(installation, request, async ({ reading, shaping }) => {
    const { id, relationships } = fileResource(await fileAt(request, reading.snapshot, reading.caller.uid))
    const [sender = null] = await resourcesOf(reading, thingsIn(relationships.uid))
    const links = { self: { href: addressOf(shaping.base, fileType, id, 'uid') } }
    return resourceDocument(reading, shaping, { data: sender, links })
  })

export const linkToSender: FileRoute = (installation, request) =>
  answerFiles(installation, request, async ({ reading, shaping }) => {
    const drawn = fileResource(await fileAt(request, reading.snapshot, reading.caller.uid))
    return JSON.stringify(await relationshipDocument(reading, shaping.base, { drawn, name: 'uid' }))
  })

/** The file of an address, if this account may see it. */
async function fileAt(request: FastifyRequest, snapshot: Snapshot, uid: number): Promise<StoredFile> {
  const uuid = uuidIn((request.params as { uuid?: string }).uuid) ?? ''
  const identity = uuid === '' ? undefined : (await identitiesOf(snapshot, [uuid])).get(uuid)
  const number = identity?.type === 'file' ? identity.number : undefined
  const file = number === undefined ? undefined : (await filesSeenBy(snapshot, [number], uid)).get(number)
  if (file === undefined) throw new Refusal('not-found', `There is no ${fileType} with this id.`)
  return file
}

interface FileRequest {
  readonly reading: ReadContext
  readonly parameters: QueryParameters
  readonly shaping: DocumentShape
}

/** Files can change without a change of a record, so the ETag is that of the bytes. */
async function answerFiles(
  installation: Records,
  request: FastifyRequest,
  work: (asked: FileRequest) => Promise<string>,
): Promise<ReadyAnswer> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const parameters = readParameters(request.url)
  refuseVersionOf(fileType, parameters)
  refuseAsOf(parameters)
  const include = includeIn(parameters)
  refuseUnknownPaths(installation.farm, fileType, include)
  const shaping = { base: baseAddressOf(request, installation), include, sparse: sparseFieldsIn(parameters) }
  const time = atPresent(installation.clock())
  const text = await installation.database.read(
    (snapshot) => work({ reading: { installation, snapshot, time, caller }, parameters, shaping }),
    readBudgetOf(request, installation),
  )
  return taggedText(request, text)
}

interface FoundFiles {
  readonly files: readonly StoredFile[]
  readonly hasMore: boolean
}

/** One page of the files of a query. Fetches one more, to know whether a next page exists. */
async function findFiles(reading: ReadContext, parameters: QueryParameters, page: PageSlice): Promise<FoundFiles> {
  const { snapshot, caller } = reading
  const found = await fileSlice(snapshot, {
    condition: await groupCondition(reading, filterIn(parameters)),
    order: sortIn(parameters).map(orderBy),
    seenBy: caller.uid,
    offset: page.offset,
    limit: page.limit + 1,
  })
  return { files: found.slice(0, page.limit), hasMore: found.length > page.limit }
}

async function groupCondition(reading: ReadContext, { conjunction, members }: FilterGroup): Promise<FileCondition> {
  const conditions: FileCondition[] = []
  for (const member of members)
    conditions.push(
      isGroup(member)
        ? await groupCondition(reading, member)
        : await fileCondition(reading, [{ names: member.path, asked: member }]),
    )
  return { on: conjunction === 'AND' || conditions.length === 0 ? 'all' : 'either', conditions }
}

function orderBy({ path, direction, parameter }: SortField): FileOrder {
  const name = path.join('.')
  const askable = Object.hasOwn(fileProperties, name) ? fileProperties[name] : undefined
  if (askable !== undefined) return { by: askable.property, direction }
  throw badQuery(parameter, `file--file cannot be sorted by ${name}`, Object.keys(fileProperties))
}

/** Renames a file. Other attributes are accepted unchanged and have no effect. */
export async function changeFile(installation: Records, request: FastifyRequest, reply: FastifyReply) {
  const caller = await requireWriter({ installation }, request)
  refuseMatch(request)
  const resource = sentResource(readTree(request))
  return answerWrite({ installation }, { request, reply, caller }, async (work) => {
    const file = await fileAt(request, work.tx, caller.uid)
    requireSameId(resource, file.uuid)
    const name = nameIn(resource, file)
    if (name !== file.name) await renameFileIn(work, { id: file.id, name })
    const drawn = fileResource(await fileAt(request, work.tx, caller.uid))
    const base = baseAddressOf(request, installation)
    const links = { self: { href: addressOf(base, fileType, drawn.id) } }
    const shaping = { base, include: [], sparse: new Map() }
    return {
      status: 200,
      headers: {},
      json: await resourceDocument(readContextOf({ installation }, work), shaping, { data: drawn, links }),
    }
  })
}

/** Files cannot be removed: a file goes with the last record that names it. */
export async function refuseFileRemoval(installation: Records, request: FastifyRequest): Promise<never> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  await installation.database.read((snapshot) => fileAt(request, snapshot, caller.uid))
  throw new Refusal('forbidden', 'A file is not removed by itself: take it out of the records that name it.')
}

/** Files have no revisions, so `If-Match` is refused. */
function refuseMatch({ headers }: FastifyRequest): void {
  const match = headers['if-match']?.trim()
  if (match !== undefined && match !== '*')
    throw new Refusal('bad-request', 'A file has no revisions: leave If-Match out.')
}

function nameIn({ attributes, relationships }: SentResource, file: StoredFile): string {
  const { name: before } = file
  const known = Object.keys(fileResource(file).attributes)
  const faults: RefusalFault[] = []
  const placeOf = (...path: string[]) => new SentPlace(['data', ...path], { faults, words: () => [] })
  for (const name of Object.keys(attributes))
    if (!known.includes(name)) placeOf('attributes', name).fault(`${fileType} has no such attribute`, known)
  for (const name of Object.keys(relationships))
    if (name !== 'uid') placeOf('relationships', name).fault(`${fileType} has no such relationship`, ['uid'])
  const sent = attributes.filename ?? before
  const name = sent === before ? before : soundName(sent, before, placeOf('attributes', 'filename'))
  if (faults.length > 0) throw faultsRefused(faults)
  return name ?? before
}

function soundName(sent: unknown, before: string, place: SentPlace): string | undefined {
  if (typeof sent !== 'string') return place.fault(`must be a text, not ${shown(sent)}`)
  const sound = soundFileName(sent)
  if (sound === undefined || sound !== sent.normalize('NFC'))
    return place.fault(
      `may have no slash, no control character, no dot in front, and 255 bytes, such as ${sound ?? before}`,
    )
  if (endingOf(sound) !== endingOf(before)) return place.fault(`must end as before, in .${endingOf(before)}`)
  return sound
}
