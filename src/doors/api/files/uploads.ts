import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Member, ResourceType } from '../../../farm/newer/resource-type.ts'
import type { AttachmentField, Fields } from '../../../fields/field.ts'
import { endingOf, mimeByName } from '../../../fields/mime.ts'
import { uuidIn } from '../../../fields/scalars.ts'
import type { Records } from '../../../records/records.ts'
import { faultsRefused } from '../../../records/writing/draft.ts'
import { addFileIn, keepFileToCome } from '../../../records/writing/files.ts'
import type { WriteContext } from '../../../records/writing/write-context.ts'
import { Refusal } from '../../../refusal.ts'
import { filesSeenBy } from '../../../storage/file-rows.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import { must } from '../../../storage/sql/fragment.ts'
import { takesDryRun } from '../../http/dry-run.ts'
import type { WriteAnswer } from '../../http/idempotency.ts'
import { baseAddressOf } from '../../http/origin.ts'
import { seenBy, tagOfRecord } from '../../http/record-answers.ts'
import { numberAt, refuseOnlyRead, typeAt } from '../address.ts'
import { readUpload, type Upload } from '../body/request-body.ts'
import { resourceDocument } from '../documents/compound-document.ts'
import { refsOf } from '../documents/identifiers.ts'
import { addressOf } from '../documents/resource-object.ts'
import { resourcesOf } from '../documents/resources.ts'
import { answerWrite, readContextOf, requireWriter, versionOfWrite } from '../writing.ts'
import { fileType } from './file-requests.ts'
import { fileResource } from './file-resource.ts'

/** Uploads: for a future record, or added to an existing one. */
export function uploadRoutes(app: FastifyInstance, installation: Records): void {
  // The last segment is the name of a field, because there is no record yet.
  app.post('/api/:family/:bundle/:uuid', takesDryRun, (request, reply) => uploadForLater(installation, request, reply))
  app.post('/api/:family/:bundle/:uuid/:name', takesDryRun, (request, reply) =>
    addToRecord(installation, request, reply),
  )
}

async function uploadForLater(installation: Records, request: FastifyRequest, reply: FastifyReply) {
  refuseOnlyRead(request)
  const caller = await requireWriter({ installation }, request)
  const { uuid: name = '' } = request.params as UploadAddress
  const { field, name: called } = fileMember(typeAt({ installation }, request), name)
  const { mime, ...upload } = fitting(called, field, readUpload(request, installation.settings))
  return answerWrite({ installation }, { request, reply, caller }, async (work) => {
    const id = await keepFileToCome(work, { field, called, file: { file: 'new', mime, ...upload } })
    const file = must((await filesSeenBy(work.tx, [id], caller.uid)).get(id))
    const base = baseAddressOf(request, installation)
    const location = addressOf(base, fileType, file.uuid)
    const json = await resourceDocument(readContextOf({ installation }, work), plain(base), {
      data: fileResource(file),
      links: { self: { href: location } },
    })
    return { status: 201, headers: { location }, json }
  })
}

async function addToRecord(installation: Records, request: FastifyRequest, reply: FastifyReply) {
  const caller = await requireWriter({ installation }, request)
  const type = typeAt({ installation }, request)
  const { name = '' } = request.params as UploadAddress
  const { field, name: called, kept } = fileMember(type, name)
  const upload = fitting(called, field, readUpload(request, installation.settings))
  return answerWrite({ installation }, { request, reply, caller }, async (work) => {
    const { record } = await addFileIn(work, {
      type: type.record,
      id: await numberAt({ installation }, request, work.tx),
      field: kept,
      called,
      shown: (fields: Fields) => fields,
      file: { file: 'new', ...upload, uuid: randomUUID() },
      ...seenBy(request, installation.edition),
    })
    return filesOfField(installation, request, { work, type, record, called, kept })
  })
}

interface FileAddition {
  readonly work: WriteContext
  readonly type: ResourceType
  readonly record: StoredRecord
  readonly called: string
  readonly kept: string
}

async function filesOfField(
  installation: Records,
  request: FastifyRequest,
  { work, type, record, called, kept }: FileAddition,
): Promise<WriteAnswer> {
  const reading = readContextOf({ installation }, work)
  const base = baseAddressOf(request, installation)
  const data = await resourcesOf(reading, refsOf('file', record.values[kept]))
  const links = { self: { href: addressOf(base, type.name, record.uuid, called) } }
  const etag = tagOfRecord(record.revision, await versionOfWrite(work))
  return { status: 200, headers: { etag }, json: await resourceDocument(reading, plain(base), { data, links }) }
}

const plain = (base: string) => ({ base, include: [], sparse: new Map() })

interface UploadAddress {
  readonly uuid?: string
  readonly name?: string
}

interface FileMember {
  readonly name: string
  readonly field: AttachmentField
  /** The field that stores it. */
  readonly kept: string
}

function fileMember(type: ResourceType, name: string): FileMember {
  const member: Member | undefined = type.members.get(name)
  if (member === undefined) throw noFiles(type, name)
  const { field, source } = member
  if (field.kind === 'attachment' && source.of === 'field') return { name, field, kept: source.field }
  throw new Refusal('forbidden', `${name} of ${type.name} takes no files.`)
}

const allow = ['GET', 'HEAD', 'PATCH', 'DELETE']

/** A POST to a resource is refused with the methods that work there. */
function noFiles(type: ResourceType, name: string): Refusal {
  if (uuidIn(name) === undefined) return new Refusal('not-found', `${type.name} has no ${name}.`)
  return new Refusal('method-not-allowed', `POST does not work here; ${allow.join(', ')} do.`, { allow })
}

const imageEndings: readonly string[] = ['png', 'gif', 'jpg', 'jpeg', 'webp']

interface FittingFile extends Upload {
  readonly mime: string
}

/** Checked under its own name, whose extension gives the type. */
function fitting(called: string, field: AttachmentField, upload: Upload): FittingFile {
  const ending = endingOf(upload.name)
  if (field.accepts === 'image' && !imageEndings.includes(ending)) {
    const message = `takes images only, by the ending of their names, not ${upload.name}; put it under file`
    throw faultsRefused([{ field: called, message, allowed: imageEndings }])
  }
  return { ...upload, mime: mimeByName(upload.name) }
}
