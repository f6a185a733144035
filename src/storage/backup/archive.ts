import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Refusal } from '../../refusal.ts'
import { messageOf } from '../sql/error-message.ts'
import type { Entry, Source } from './entry.ts'
import { fileProblem } from './file-problem.ts'
import { sealBytes, sealed, sealOf } from './seal.ts'
import { blockBytes, paddingAfter, readTarHeader, tarEnd, tarHeader } from './tar.ts'

/** Writes a sealed .tar.gz; it is on the disk, whole and synced, when the promise resolves. */
export async function writeArchive(path: string, entries: AsyncIterable<Entry>, now: number): Promise<void> {
  const tar = () => tarOf(entries, now)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(tar, createGzip({ level: 4 }), sealed, file)
}

async function* tarOf(entries: AsyncIterable<Entry>, now: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of entries) {
    yield tarHeader(name, size, now)
    yield* bytes
    yield Buffer.alloc(paddingAfter(size))
  }
  yield tarEnd()
}

export const archiveAt = (path: string): Source => ({ name: path, entries: () => readArchive(path) })

async function* readArchive(path: string): AsyncGenerator<Entry> {
  const { length, seal } = await endOf(path)
  await refuseBrokenSeal(path, { length, seal })
  const gunzip = createGunzip()
  // A failure of either shows in what gunzip gives.
  const feeding = pipeline(createReadStream(path, { start: 0, end: length - 1 }), gunzip).catch(() => {})
  try {
    yield* entriesOf(new Stretch(gunzip))
  } finally {
    gunzip.destroy()
    await feeding
  }
}

interface End {
  readonly length: number
  readonly seal: Buffer
}

/** Before anything is unpacked: what broke the seal would break the rest, and in worse words. */
async function refuseBrokenSeal(path: string, { length, seal }: End): Promise<void> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { start: 0, end: length - 1 })) hash.update(chunk)
  if (sealOf(hash.digest('hex')).equals(seal)) return
  throw new Refusal('invalid-content', 'its seal is broken: it was cut short or changed, or is no backup')
}

async function endOf(path: string): Promise<End> {
  const found = await stat(path).catch((error) => {
    throw fileProblem(error, path)
  })
  if (found.isDirectory()) throw isNoBackup(path)
  if (!found.isFile()) throw isNoFile(path)
  const file = await open(path, 'r').catch((error) => {
    throw fileProblem(error, path)
  })
  try {
    const length = (await file.stat()).size - sealBytes
    if (length <= 0) throw new Refusal('invalid-content', 'it is too short to be an archive')
    const { buffer: seal } = await file.read(Buffer.alloc(sealBytes), 0, sealBytes, length)
    return { length, seal }
  } catch (error) {
    throw fileProblem(error, path)
  } finally {
    await file.close()
  }
}

const isNoBackup = (path: string): Refusal =>
  new Refusal(
    'conflict',
    `${path} is a directory, and a backup is a file. What \`furrow export\` has written is verified and taken in with \`furrow import ${path}\`.`,
  )

/** Read twice, its end first. */
const isNoFile = (path: string): Refusal =>
  new Refusal('conflict', `${path} is not a file on a disk, such as a pipe. Save the backup to a file first.`)

async function* entriesOf(tar: Stretch): AsyncGenerator<Entry> {
  for (;;) {
    const header = readTarHeader(await tar.take(blockBytes))
    if (header === null) break
    yield { ...header, bytes: tar.flow(header.size) }
    await tar.take(paddingAfter(header.size))
  }
  await tar.finish()
}

/** A stream of bytes that is taken in stretches of known length. */
class Stretch {
  readonly #chunks: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.flow(length)) parts.push(part)
    return Buffer.concat(parts)
  }

  async *flow(length: number): AsyncGenerator<Buffer> {
    for (let missing = length; missing > 0; ) {
      if (this.#left.length === 0) await this.#more()
      const part = this.#left.subarray(0, missing)
      this.#left = this.#left.subarray(part.length)
      missing -= part.length
      yield part
    }
  }

  /** Reads to the end, where the sums of the compression are compared. */
  async finish(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next().catch((error) => {
      throw new Refusal('invalid-content', `it cannot be unpacked (${messageOf(error)})`)
    })
    if (done) throw new Refusal('invalid-content', 'it ends too early')
    this.#left = value
  }
}
