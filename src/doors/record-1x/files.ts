import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import { harmlessTypeOf } from '../../fields/harmless-type.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { bytesOf, filesByIds, type StoredFile } from '../../storage/file-rows.ts'
import { deliver } from '../http/answers/ready-answer.ts'
import { isKnown } from '../http/answers/versions.ts'
import { baseAddressOf } from '../http/base-address.ts'
import { callerOf } from '../http/caller.ts'
import { recordIdIn } from './intake/record-id.ts'
import { sendOne } from './wire/answer.ts'
import { addressOfFile } from './wire/file-texts.ts'
import { plainReference } from './wire/spelling.ts'

export function fileRoutes(app: FastifyInstance, installation: Records): void {
  app.get('/file/:id', async (request, reply) => {
    const file = await fileFor(installation, request, async (_rows, found) => found)
    const base = baseAddressOf(request, installation)
    return sendOne(request, reply, { root: 'file', json: JSON.stringify(documentOf(file, base)) })
  })
  app.get('/file/:id/:name', async (request, reply) => {
    const { name, etag, bytes } = await fileFor(installation, request, async (snapshot, { name, sha256 }) => {
      const etag = `"${sha256}"`
      return { name, etag, bytes: isKnown(request, etag) ? null : await bytesOf(snapshot, sha256) }
    })
    if (bytes === null) return deliver(reply, { status: 304, headers: { etag }, body: '' })
    return (
      reply
        .header('etag', etag)
        // Whatever it claims to be, a browser is to keep it, not to run it.
        .header('content-type', harmlessTypeOf(bytes) ?? 'application/octet-stream')
        .header('content-disposition', `attachment; filename="${name}"`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, no-cache')
        .send(bytes)
    )
  })
}

/** What is wanted of a file, on the snapshot on which it was found. */
async function fileFor<T>(
  installation: Records,
  request: FastifyRequest,
  wanted: (snapshot: Snapshot, file: StoredFile) => Promise<T>,
): Promise<T> {
  requireRight(await callerOf(request, installation), 'read-records')
  const id = recordIdIn(request)
  return installation.database.read(async (snapshot) => {
    const file = (await filesByIds(snapshot, [id])).get(id)
    if (file === undefined) throw new Refusal('not-found', `There is no file ${id}.`)
    return wanted(snapshot, file)
  })
}

const documentOf = (file: StoredFile, base: string) => ({
  fid: String(file.id),
  id: String(file.id),
  name: file.name,
  mime: file.mime,
  size: String(file.size),
  url: addressOfFile(base, file),
  timestamp: String(file.created),
  owner: plainReference(base, 'user', file.uid),
})
