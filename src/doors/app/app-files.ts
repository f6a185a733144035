import { readFile } from 'node:fs/promises'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../../refusal.ts'
import { appFolder } from '../../shipped-folders.ts'
import { type ContentCoding, codingFor } from '../http/compression.ts'
import { isNotModified, type ReadyAnswer } from '../http/etags.ts'

/** What the build says of a file of the app. */
interface AppFile {
  readonly type: string
  /** Another for other bytes. */
  readonly tag: string
  /** Its name says what is in it. */
  readonly lasts: boolean
  /** In which it lies there, too. */
  readonly codings: readonly ContentCoding[]
}

type AppFiles = Readonly<Record<string, AppFile>>

/** Read whenever it is asked for: no start waits for it, and a build beside a running server is whole. */
const allFiles = async (): Promise<AppFiles> => JSON.parse((await readBuilt('files.json')).toString())

/** What the build has put under this name; undefined where it has put nothing there. Only a name that it lists becomes a file's. */
async function appFile(name: string): Promise<AppFile | undefined> {
  const files = await allFiles()
  return Object.hasOwn(files, name) ? files[name] : undefined
}

export async function readAppFile(name: string): Promise<Buffer> {
  if ((await appFile(name)) === undefined) throw new Refusal('not-found', 'The app has no such file.')
  return readBuilt(name)
}

const endings: Readonly<Record<ContentCoding, string>> = { br: '.br', gzip: '.gz' }

/** The file as the build has left it, already as small as the caller can take it. */
export async function answerWithFile(request: FastifyRequest, name: string): Promise<ReadyAnswer> {
  const file = await appFile(name)
  if (file === undefined) throw new Refusal('not-found', 'The app has no such file.')
  const kept = {
    etag: `"${file.tag}"`,
    vary: 'Accept-Encoding',
    'cache-control': file.lasts ? 'public, max-age=31536000, immutable' : 'public, no-cache',
  }
  if (isNotModified(request, kept.etag)) return { status: 304, headers: kept, body: '' }
  const coding = codingFor(request.headers['accept-encoding'])
  const headers = { ...kept, 'content-type': file.type }
  if (coding === null || !file.codings.includes(coding)) return { status: 200, headers, body: await readBuilt(name) }
  const body = await readBuilt(name + endings[coding])
  return { status: 200, headers: { ...headers, 'content-encoding': coding }, body }
}

async function readBuilt(file: string): Promise<Buffer> {
  try {
    return await readFile(new URL(file, appFolder))
  } catch (cause) {
    const advice = 'whoever runs this server builds it again with `npm run build`.'
    throw new Refusal('not-found', `The app is missing from this installation: ${advice}`, { cause })
  }
}
