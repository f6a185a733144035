import type { FastifyRequest } from 'fastify'
import { requireRight } from '../../../access/caller.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { Refusal } from '../../../refusal.ts'
import type { Snapshot } from '../../../storage/database.ts'
import { type FileCondition, type FileOrder, fileSlice } from '../../../storage/file-pages.ts'
import { filesSeenBy, type StoredFile } from '../../../storage/file-rows.ts'
import { atPresent } from '../../../storage/history/point-in-time.ts'
import { identitiesOf } from '../../../storage/identity.ts'
import { readBudgetOf } from '../../http/answers/answer-budget.ts'
import type { ReadyAnswer } from '../../http/answers/ready-answer.ts'
import { baseAddressOf } from '../../http/base-address.ts'
import { callerOf } from '../../http/caller.ts'
import { askableOfFile, fileCondition } from '../intake/filter/files-like.ts'
import { refuseAsOf } from '../query/as-of.ts'
import { filterIn } from '../query/filter/filter.ts'
import { type FilterGroup, isGroup } from '../query/filter/filter-tree.ts'
import { includeIn } from '../query/include.ts'
import { type PageAsked, pageIn } from '../query/page.ts'
import { type Parameters, readParameters } from '../query/parameters.ts'
import { refuseVersionOf } from '../query/resource-version.ts'
import { type SortKey, sortIn } from '../query/sort.ts'
import { sparseFieldsIn } from '../query/sparse-fields.ts'
import { relationshipDocument } from '../reading.ts'
import { drawnDocument, type Shaping } from '../wire/document.ts'
import { drawThings } from '../wire/draw-things.ts'
import type { ReadContext } from '../wire/implied.ts'
import { refuseUnknownPaths } from '../wire/inclusion.ts'
import { pageLinks } from '../wire/page-links.ts'
import { addressOf } from '../wire/resource-object.ts'
import { listOf as thingsIn } from '../wire/thing.ts'
import { taggedText } from '../wire/top-level.ts'
import { drawFile } from './file-resource.ts'

export const fileType = 'file--file'

type Answering = (installation: Records, request: FastifyRequest) => Promise<ReadyAnswer>

/** A page of the files that records name, or that the caller has sent for a record to come. */
export const listOfFiles: Answering = (installation, request) =>
  answered(installation, request, async ({ reading, parameters, shaping }) => {
    const page = pageIn(parameters)
    const { files, hasMore } = await findFiles(reading, parameters, page)
    const links = pageLinks(shaping.base, request.url, { ...page, hasMore })
    return drawnDocument(reading, shaping, { data: files.map(drawFile), links })
  })

export const oneFile: Answering = (installation, request) =>
  answered(installation, request, async ({ reading, shaping }) => {
    const drawn = drawFile(await fileAt(request, reading.snapshot, reading.caller.uid))
    const links = { self: { href: addressOf(shaping.base, fileType, drawn.id) } }
    return drawnDocument(reading, shaping, { data: drawn, links })
  })

/** Who has sent a file. */
export const senderOfFile: Answering = (installation, request) =>
  answered(installation, request, async ({ reading, shaping }) => {
    const { id, relationships } = drawFile(await fileAt(request, reading.snapshot, reading.caller.uid))
    const [sender = null] = await drawThings(reading, thingsIn(relationships.uid))
    const links = { self: { href: addressOf(shaping.base, fileType, id, 'uid') } }
    return drawnDocument(reading, shaping, { data: sender, links })
  })

export const linkToSender: Answering = (installation, request) =>
  answered(installation, request, async ({ reading, shaping }) => {
    const drawn = drawFile(await fileAt(request, reading.snapshot, reading.caller.uid))
    return JSON.stringify(await relationshipDocument(reading, shaping.base, { drawn, name: 'uid' }))
  })

/** The file that an address names, if this account may know of it. */
export async function fileAt(request: FastifyRequest, snapshot: Snapshot, uid: number): Promise<StoredFile> {
  const uuid = uuidIn((request.params as { uuid?: string }).uuid) ?? ''
  const identity = uuid === '' ? undefined : (await identitiesOf(snapshot, [uuid])).get(uuid)
  const number = identity?.type === 'file' ? identity.number : undefined
  const file = number === undefined ? undefined : (await filesSeenBy(snapshot, [number], uid)).get(number)
  if (file === undefined) throw new Refusal('not-found', `There is no ${fileType} with this id.`)
  return file
}

interface Asked {
  readonly reading: ReadContext
  readonly parameters: Parameters
  readonly shaping: Shaping
}

/** What is shown of files may change without any change of a record: answers are known by their bytes. */
async function answered(
  installation: Records,
  request: FastifyRequest,
  work: (asked: Asked) => Promise<string>,
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

/** The files that a query asks for, one page of them. One more than that is looked for, to tell whether there are more. */
async function findFiles(reading: ReadContext, parameters: Parameters, page: PageAsked): Promise<FoundFiles> {
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

function orderBy({ path, direction, parameter }: SortKey): FileOrder {
  const name = path.join('.')
  const askable = Object.hasOwn(askableOfFile, name) ? askableOfFile[name] : undefined
  if (askable !== undefined) return { by: askable.property, direction }
  throw badQuery(parameter, `file--file cannot be sorted by ${name}`, Object.keys(askableOfFile))
}
