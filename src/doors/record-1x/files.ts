import type { FastifyInstance, FastifyRequest } from 'fastify'
import { requireRight } from '../../access/caller.ts'
import type { Records } from '../../records/records.ts'
import { Refusal } from '../../refusal.ts'
import type { Snapshot } from '../../storage/database.ts'
import { filesSeenBy, type StoredFile } from '../../storage/file-rows.ts'
import { addressOfFile } from '../../wire-1x/record-documents.ts'
import { plainReference } from '../../wire-1x/spelling.ts'
import { callerOf } from '../http/caller.ts'
import { downloadOf, sendDownload } from '../http/download.ts'
import { baseAddressOf } from '../http/origin.ts'
import { sendOne } from '../http/record-answers.ts'
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
