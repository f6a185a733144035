import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IdentifiedCaller } from '../../../access/credentials.ts'
import { note } from '../../../access/events.ts'
import type { Installation } from '../../../access/installation.ts'
import { checkLogin } from '../../../access/login.ts'
import type { ServerSettings } from '../../../config.ts'
import { Refusal } from '../../../refusal.ts'
import { programStart } from '../../../shipped-folders.ts'
import { readForm } from '../../http/body.ts'
import { visitorOf } from '../../http/caller.ts'
import { answerAs, type DoorDescription, inBody, operation, refusedOften, responseRef } from '../../http/openapi.ts'
import { password } from './description.ts'
import { managerOf } from './requests.ts'

/**
 * The whole farm, as `furrow backup` writes and verifies it. The request itself must contain the password, and no token
 * is accepted: a backup reveals more than any right covers.
 */
export function addBackup(app: FastifyInstance, installation: Installation): void {
  let isRunning = false
  app.post('/administer/backup', async (request, reply) => {
    const caller = await managerOf(request, installation)
    await requirePassword(request, caller, installation)
    if (isRunning)
      throw new Refusal('backup-running', 'A backup is being made already: wait until it is done.', {
        retryAfterSeconds: 30,
      })
    isRunning = true
    const { size, bytes } = await makeBackup(installation, untilGone(reply)).catch((error) => {
      isRunning = false
      throw error
    })
    bytes.once('close', () => {
      isRunning = false
    })
    const concerned = { at: installation.clock(), uid: caller.uid, address: request.address }
    await installation.database
      .write((tx) => note(tx, 'backup-downloaded', concerned))
      .catch((error) => {
        // Without a reader it would never close by itself.
        bytes.destroy()
        throw error
      })
    const day = new Date(installation.clock() * 1000).toISOString().slice(0, 10)
    return reply
      .headers({
        'content-type': 'application/gzip',
        'content-length': size,
        'content-disposition': `attachment; filename="farm-${day}.tar.gz"`,
        'cache-control': 'no-store',
      })
      .send(bytes)
  })
}

export const backupDescription: DoorDescription = {
  paths: {
    '/administer/backup': {
      post: operation({
        id: 'downloadBackup',
        summary: 'Make, verify and download a backup of everything; with the password, for sessions only',
        tag: 'administer',
        body: inBody(password),
        responses: {
          '200': answerAs('The archive that `furrow restore` takes', 'application/gzip', {
            type: 'string',
            format: 'binary',
          }),
          '409': responseRef('Problem'),
          ...refusedOften,
        },
      }),
    },
  },
}

async function requirePassword(
  request: FastifyRequest,
  caller: IdentifiedCaller,
  installation: Installation,
): Promise<void> {
  if (caller.carrier !== 'cookie')
    throw new Refusal('forbidden', 'A backup is given to the session of a manager, and to no token.')
  const password = readForm(request).values.get('password') ?? ''
  const shown = await checkLogin(installation, { name: caller.name, password, ...visitorOf(request, installation) })
  if (shown?.uid !== caller.uid) throw new Refusal('wrong-password', 'This is not your password: type it again.')
}

interface BackupRun {
  readonly size: number
  readonly bytes: Readable
}

/** Aborts when the client disconnects. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => gone.abort())
  return gone.signal
}

/** Writes and verifies the backup, then unlinks the file, so that it vanishes once it was sent. */
async function makeBackup({ settings }: Installation, until: AbortSignal): Promise<BackupRun> {
  const folder = await folderFor(settings)
  const path = join(folder, 'farm.tar.gz')
  try {
    const { code, complaint } = await runOwnCommand(['backup', path], settings, until)
    if (code !== 0) throw couldNot(complaint)
    const file = await open(path)
    const { size } = await file.stat()
    return { size, bytes: file.createReadStream() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A private folder on a disk with room for the whole farm. */
async function folderFor({ data, database }: ServerSettings): Promise<string> {
  if (database !== null) return mkdtemp(join(tmpdir(), 'furrow-download-'))
  const folder = resolve(data, 'download')
  // Leftovers of an interrupted server.
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o700 })
  return folder
}

const couldNot = (complaint: string): Refusal =>
  new Refusal('busy', 'The backup could not be made; the log of the server says why.', {
    retryAfterSeconds: 60,
    cause: new Error(complaint.trim()),
  })

interface CommandEnding {
  /** Null if it was aborted. */
  readonly code: number | null
  readonly output: string
  readonly complaint: string
}

/** Runs a command of this program on this server's farm in a child process, which blocks nobody and can be aborted. */
export function runOwnCommand(
  words: readonly string[],
  settings: ServerSettings,
  until: AbortSignal,
): Promise<CommandEnding> {
  const { data, database, modules } = settings
  const options = [...(database === null ? ['--data', data] : []), ...modules.flatMap((file) => ['--module', file])]
  const env = { ...process.env, FURROW_DATABASE: database ?? '', FURROW_MODULE: '' }
  const command = [fileURLToPath(programStart), ...words, ...options]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env, signal: until }, (error, output, complaint) =>
      resolve({ code: error === null ? 0 : child.exitCode, output, complaint }),
    )
  })
}
