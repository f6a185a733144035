import { request as ask, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import type { MoveFinding } from '../../programs/move-in/findings.ts'
import type { ShownResources } from '../../programs/move-in/source.ts'
import { callerWith } from '../access/caller.ts'
import { downloadOf, sendDownload } from '../doors/http/download.ts'
import type { openServer } from '../doors/http/server.ts'
import { printable } from '../fields/text.ts'
import type { Records } from '../records/records.ts'
import { atPresent } from '../storage/farm-state.ts'
import { fingerprint, type StoredFile } from '../storage/file-rows.ts'
import type { Report } from '../storage/report.ts'
import { addressOfFile } from '../wire-1x/record-documents.ts'

/** Stored files that the farm does not serve. Each is requested over HTTP at its address, as clients do. */
export async function unservedFiles(
  records: Records,
  files: readonly StoredFile[],
  report: Report,
): Promise<readonly MoveFinding[]> {
  if (files.length === 0) return []
  const door = await doorFor(records, new Map(files.map((file) => [file.id, file])))
  const findings: MoveFinding[] = []
  try {
    for (const [index, file] of files.entries()) {
      const trouble = await troubleWith(door, file)
      if (trouble !== undefined)
        findings.push({
          kind: 'lost',
          why: 'is not sent',
          sentence: printable(`file ${file.id} (${file.name}) is here, but ${trouble}`),
        })
      report('files fetched', index + 1, files.length)
    }
  } finally {
    await door.close()
  }
  return findings
}

/** Records as /api shows them to a manager: the targets of relationships without links. */
export const shownResources: ShownResources = async (records, { type, ids }) => {
  const { resourcesOf } = await import('../doors/api/documents/resources.ts')
  const { resourceTexts } = await import('../doors/api/documents/resource-object.ts')
  return records.database.read(async (snapshot) => {
    const caller = callerWith({ uid: 0, name: '', role: 'manager' }, 'cookie')
    const reading = { installation: records, snapshot, time: atPresent(records.clock()), caller }
    const things = ids.map((id) => ({ of: type, id }))
    const texts = await resourceTexts(reading, await resourcesOf(reading, things), { base: '', sparse: new Map() })
    return texts.map(({ text }) => {
      const { type: name, id, attributes, relationships = {} } = JSON.parse(text)
      const targets = Object.entries(relationships as Record<string, { data: unknown }>).map(([member, { data }]) => [
        member,
        data,
      ])
      return { type: name, id, attributes, relationships: Object.fromEntries(targets) }
    })
  })
}

type FileDoor = ReturnType<typeof openServer>

/** An HTTP server that listens nowhere: only this process can reach it, so no login is needed. */
async function doorFor(records: Records, files: ReadonlyMap<number, StoredFile>): Promise<FileDoor> {
  // Imported only here: the command starts faster without the HTTP library.
  const { openServer } = await import('../doors/http/server.ts')
  const app = openServer(records, () => {})
  app.get<{ Params: { id: string } }>('/file/:id/:name', async (request, reply) => {
    const file = files.get(Number(request.params.id))
    if (file === undefined) return reply.code(404).send()
    return sendDownload(reply, await records.database.read((snapshot) => downloadOf(request, snapshot, file)))
  })
  await app.ready()
  return app
}

async function troubleWith({ server }: FileDoor, file: StoredFile): Promise<string | undefined> {
  const { pathname } = new URL(addressOfFile('http://localhost', file))
  const [here, there] = duplexPair()
  server.emit('connection', Object.assign(there, { remoteAddress: '127.0.0.1' }) as unknown as Socket)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: 'localhost', connection: 'close' }
    const sent = ask({ path: pathname, headers, createConnection: () => here })
    sent.on('response', resolve).on('error', reject).end()
  })
  const pieces: Buffer[] = []
  for await (const piece of answer) pieces.push(piece)
  if (answer.statusCode !== 200) return `is answered with ${answer.statusCode}`
  return fingerprint(Buffer.concat(pieces)) === file.sha256 ? undefined : 'other bytes are sent'
}
