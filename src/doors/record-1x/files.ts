import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { filesSeenBy, type StoredFile } from '../../storage/file-rows.ts'
import { addressOfFile } from '../../wire-1x/record-documents.ts'
import { plainReference, type WireReference } from '../../wire-1x/spelling.ts'
import { callerOf } from '../http/caller.ts'
import { downloadOf, sendDownload } from '../http/download.ts'
import {
  answer,
  answerAs,
  completeObject,
  type DocumentOf,
  type DoorDescription,
  idRef,
  ifNoneMatch,
  operation,
  type Paths,
  pathVariants,
  refusedOften,
  responseRef,
  type Schema,
  schemaRef,
  secondsRef,
  text,
  unchanged,
  webAddress,
  wholeRef,
} from '../http/openapi.ts'
import { baseAddressOf } from '../http/origin.ts'
import { sendOne } from '../http/record-answers.ts'
import { idParameter } from '../http/record-parameters.ts'
import { recordIdIn } from '../http/record-path.ts'

export function fileRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/file/:id', async (request, reply) => {
    const file = await fileFor(installation, request, async (_rows, found) => found)
    const base = baseAddressOf(request, installation)
    return sendOne(request, reply, { root: 'file', json: JSON.stringify(documentOf(file, base)) })
  })
  // Names may have slashes, and addresses had them as they are: the number alone says which file it is.
  app.get('/file/:id/*', async (request, reply) => {
    const download = await fileFor(installation, request, (snapshot, file) => downloadOf(request, snapshot, file))
    return sendDownload(reply, download)
  })
}

const fileSchema = completeObject({
  fid: idRef,
  id: idRef,
  name: text,
  mime: text,
  size: wholeRef,
  url: webAddress,
  timestamp: secondsRef,
  owner: schemaRef<WireReference>('Reference'),
})

type FileDocument = DocumentOf<typeof fileSchema>

function filePaths(): Paths {
  const info = pathVariants.map(({ extension, formats, word }) => [
    `/file/{id}${extension}`,
    {
      parameters: [idParameter],
      get: operation({
        id: `readFileInfo${word}`,
        summary: 'What a file is called and how large it is',
        tag: 'files',
        parameters: [ifNoneMatch],
        responses: {
          '200': answer('About the file', formats, schemaRef('FileInfo')),
          '304': unchanged,
          '404': responseRef('NotFound'),
          ...refusedOften,
        },
      }),
    },
  ])
  const name: Schema = { name: 'name', in: 'path', required: true, schema: { type: 'string' } }
  const download = operation({
    id: 'downloadFile',
    summary: 'Download a file',
    tag: 'files',
    parameters: [ifNoneMatch],
    responses: {
      '200': answerAs('Its bytes; known harmless types under their own name', '*/*', {}),
      '304': unchanged,
      '404': responseRef('NotFound'),
      ...refusedOften,
    },
  })
  return { ...Object.fromEntries(info), '/file/{id}/{name}': { parameters: [idParameter, name], get: download } }
}

export const filesDescription: DoorDescription = { paths: filePaths(), schemas: { FileInfo: fileSchema } }

/** What is wanted of a file, on the snapshot on which it was found. */
async function fileFor<T>(
  installation: Records,
  request: FastifyRequest,
  wanted: (snapshot: Snapshot, file: StoredFile) => Promise<T>,
): Promise<T> {
  const caller = await callerOf(request, installation)
  requireRight(caller, 'read-records')
  const id = recordIdIn(request)
  return installation.database.read(async (snapshot) => {
    const file = (await filesSeenBy(snapshot, [id], caller.uid)).get(id)
    if (file === undefined) throw new Refusal('not-found', `There is no file ${id}.`)
    return wanted(snapshot, file)
  })
}

const documentOf = (file: StoredFile, base: string): FileDocument => ({
  fid: String(file.id),
  id: String(file.id),
  name: file.name,
  mime: file.mime,
  size: String(file.size),
  url: addressOfFile(base, file),
  timestamp: String(file.created),
  owner: plainReference(base, 'user', file.uid),
})
