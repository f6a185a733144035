import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { asOlderFields, recordTypeNames } from '../../farm/fields-of.ts'
import { resourceNames } from '../../farm/resource-names.ts'
import { faultOfNewUuid, uuidIn } from '../../fields/scalars.ts'
import { readQuery } from '../../formats/query-string.ts'
import type { Records } from '../../records/records.ts'
import { faultsRefused, versionOf } from '../../records/writing/draft.ts'
import { type AddedFile, addFileIn } from '../../records/writing/files.ts'
import type { WriteContext } from '../../records/writing/write-context.ts'
import { Refusal } from '../../refusal.ts'
import { atPresent, stateOfWrite } from '../../storage/farm-state.ts'
import { parameter, refuseAsOf } from '../../wire-1x/list-query.ts'
import { callerOf } from '../http/caller.ts'
import { takesDryRun } from '../http/dry-run.ts'
import { sentFileOrForm } from '../http/file-upload.ts'
import { carryOut, repeated, type WriteAnswer } from '../http/idempotency.ts'
import { formatOfRead } from '../http/negotiation.ts'
import {
  answer,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  idRef,
  ifMatch,
  operation,
  type Paths,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  uuidRef,
  webAddress,
  writeHeaders,
  writeParameters,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { answerWith, seenBy, tagOfRecord } from '../http/record-answers.ts'
import { located, recordParameter } from '../http/record-parameters.ts'
import { recordIdAt, requireRecordId } from '../http/record-path.ts'

/** Fields that accept one file at a time. */
const fileFields = ['images', 'files'] as const
type FileField = (typeof fileFields)[number]

/** Adds one raw file per request: a photo need not wait for others, nor be sent again with them. */
export function fileAdditionRoutes(app: FastifyInstance, installation: Records): void {
  for (const type of recordTypeNames) {
    for (const field of fileFields) {
      app.post(`/${resourceNames[type]}/:id/${field}`, takesDryRun, (request, reply) =>
        add({ installation, type, field }, request, reply),
      )
    }
  }
}

interface Place {
  readonly installation: Records
  readonly type: RecordTypeName
  readonly field: FileField
}

async function add(place: Place, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { installation, type, field } = place
  const caller = await callerOf(request, installation)
  requireRight(caller, 'write-records')
  refuseAsOf(readQuery(request.url))
  requireRecordId(request)
  const uuid = uuidAsked(request)
  const file = sentFileOrForm(request, installation.settings)
  if (field === 'images' && !/^image\//i.test(file.mime))
    throw new Refusal('unsupported-media-type', `Here are images only, not ${file.mime}: add it to the files.`)
  const json = await carryOut(installation, { request, reply, caller }, async (work) => {
    const added = await addFileIn(work, {
      type,
      id: await recordIdAt(request, type, work.tx),
      field,
      called: field,
      shown: asOlderFields,
      file: { file: 'new', ...file, uuid },
      ...seenBy(request, installation.edition),
    })
    return answerTo(work, request, { ...added, uuid })
  })
  const { headers, body } = answerWith(formatOfRead(request), { root: 'file', json })
  return reply.headers(headers).send(body)
}

function uuidAsked(request: FastifyRequest): string {
  const given = parameter(readQuery(request.url), 'uuid')
  if (given === undefined) return randomUUID()
  const message = faultOfNewUuid(given)
  if (message !== undefined) throw faultsRefused([{ field: 'uuid', message }])
  return uuidIn(given) ?? randomUUID()
}

interface FileAnswer extends AddedFile {
  readonly uuid: string
}

async function answerTo(
  { installation, tx, set }: WriteContext,
  request: FastifyRequest,
  { file, record, earlier, uuid }: FileAnswer,
): Promise<WriteAnswer> {
  const { type, revision } = record
  const uri = `${baseAddressOf(request, installation)}/file/${file}`
  const version = versionOf(revision, installation.edition)
  const { edition } = installation
  const state = await stateOfWrite(tx, type, { edition, set, time: atPresent(installation.clock()) })
  const etag = tagOfRecord(revision, { state, catalogue: installation.catalogue, format: formatOfRead(request) })
  const headers = { etag, location: uri }
  const document: AddedFileDocument = { id: String(file), uuid, uri, resource: 'file', version }
  return {
    ...(earlier === undefined
      ? { status: 201, headers }
      : { status: 200, headers: { ...headers, ...repeated(earlier) } }),
    json: JSON.stringify(document),
  }
}

const addedFileSchema = completeObject({
  id: idRef,
  uuid: uuidRef,
  uri: webAddress,
  resource: { type: 'string', const: 'file' },
  version: { ...schemaRef<string>('Version'), description: 'Of the record, as it is now' },
})

type AddedFileDocument = DocumentOf<typeof addedFileSchema>

const uuidParameter: Schema = {
  name: 'uuid',
  in: 'query',
  description: 'The one that the file is to have: under the same it is added once',
  schema: uuidRef,
}

const contentDisposition: Schema = {
  name: 'Content-Disposition',
  in: 'header',
  description: 'With filename or filename*: what the file is called',
  schema: { type: 'string' },
}

const binary: Schema = { type: 'string', format: 'binary' }
const fileForm = completeObject({ file: binary })

const words: Readonly<Record<(typeof fileFields)[number], { readonly one: string; readonly type: string }>> = {
  images: { one: 'Image', type: 'image/*' },
  files: { one: 'File', type: '*/*' },
}

const names = { log: 'Log', asset: 'Asset', term: 'Term' } as const

function fileAdditionPaths(): Paths {
  const paths: Paths = {}
  for (const type of recordTypeNames) {
    for (const field of fileFields) {
      const { one, type: mediaType } = words[field]
      paths[`/${resourceNames[type]}/{id}/${field}`] = {
        parameters: [recordParameter],
        post: operation({
          id: `add${names[type]}${one}`,
          summary: `Add one ${one.toLowerCase()} to what the record has`,
          tag: 'files',
          parameters: [uuidParameter, contentDisposition, ifMatch, ...writeParameters],
          body: { [mediaType]: { schema: binary }, 'multipart/form-data': { schema: fileForm } },
          responses: {
            '200': addedFile('The file, where it was added under its UUID before, also if it was taken away since'),
            '201': addedFile('The file that was added'),
            '404': responseRef('NotFound'),
            '409': responseRef('UuidTaken'),
            '422': responseRef('Invalid'),
            ...refusedOften,
          },
        }),
      }
    }
  }
  return paths
}

const addedFile = (description: string): Schema => ({
  ...answer(description, 'both', schemaRef('AddedFile')),
  headers: { ...located, ...writeHeaders },
})

export const fileAdditionDescription: DoorDescription = {
  paths: fileAdditionPaths(),
  schemas: { AddedFile: addedFileSchema },
}
