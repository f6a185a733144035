import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip, gzipSync } from 'node:zlib'
import { Refusal } from '../../refusal.ts'
import { messageOf } from '../sql/errors.ts'
import { fileProblem } from './durable-files.ts'
import type { ArchiveEntry, ArchiveSource } from './manifest.ts'

/** Writes a sealed .tar.gz; it is on the disk, whole and synced, when the promise resolves. */
export async function writeArchive(path: string, entries: AsyncIterable<ArchiveEntry>, now: number): Promise<void> {
  const tar = () => tarOf(entries, now)
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(tar, createGzip({ level: 4 }), sealed, file)
}

async function* tarOf(entries: AsyncIterable<ArchiveEntry>, now: number): AsyncGenerator<Uint8Array> {
  for await (const { name, size, bytes } of entries) {
    yield tarHeader(name, size, now)
    yield* bytes
    yield Buffer.alloc(paddingAfter(size))
  }
  yield tarEnd()
}

export const archiveAt = (path: string): ArchiveSource => ({ name: path, entries: () => readArchive(path) })

async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const { length, seal } = await endOf(path)
  await refuseBrokenSeal(path, { length, seal })
  const gunzip = createGunzip()
  // A failure of either shows in what gunzip gives.
  const feeding = pipeline(createReadStream(path, { start: 0, end: length - 1 }), gunzip).catch(() => {})
  try {
    yield* entriesOf(new ByteReader(gunzip))
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

async function* entriesOf(tar: ByteReader): AsyncGenerator<ArchiveEntry> {
  for (;;) {
    const header = readTarHeader(await tar.take(blockBytes))
    if (header === null) break
    yield { ...header, bytes: tar.flow(header.size) }
    await tar.take(paddingAfter(header.size))
  }
  await tar.finish()
}

/** A stream of bytes that is taken in stretches of known length. */
class ByteReader {
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

/** The POSIX ustar format, as much of it as archives of plain files with short names need. */
const blockBytes = 512

const fields = { name: [0, 100], size: [124, 12], sum: [148, 8] } as const

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`

function tarHeader(name: string, size: number, modified: number): Buffer {
  const block = Buffer.alloc(blockBytes)
  block.write(name, fields.name[0], fields.name[1], 'latin1')
  block.write(octal(0o600, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(size, 11), fields.size[0])
  block.write(octal(modified, 11), 136)
  block.write('0', 156)
  block.write('ustar\x0000', 257, 'latin1')
  block.write(`${sumOf(block).toString(8).padStart(6, '0')}\0 `, fields.sum[0])
  return block
}

/** The sum of the header's bytes, with those of the sum itself taken for spaces. */
function sumOf(block: Uint8Array): number {
  const [start, length] = fields.sum
  let sum = 0
  for (const [at, byte] of block.entries()) sum += at >= start && at < start + length ? 0x20 : byte
  return sum
}

/** Null for the block of zeros that ends an archive. Throws on anything else that is no header. */
function readTarHeader(block: Buffer): { readonly name: string; readonly size: number } | null {
  if (block.every((byte) => byte === 0)) return null
  const text = ([start, length]: readonly [number, number]) =>
    block.toString('latin1', start, start + length).replace(/[\0 ].*$/s, '')
  if (Number.parseInt(text(fields.sum), 8) !== sumOf(block)) throw new Error('A tar header does not match its sum')
  return { name: text(fields.name), size: Number.parseInt(text(fields.size), 8) }
}

const paddingAfter = (size: number): number => (blockBytes - (size % blockBytes)) % blockBytes

const tarEnd = (): Buffer => Buffer.alloc(2 * blockBytes)

/**
 * The last bytes of an archive: the SHA-256 of all bytes before them, so that not a single bit can change hidden. They are
 * a gzip member of their own behind the end of the tar, which every unpacking program passes over.
 */
function sealOf(hex: string): Buffer {
  const seal = gzipSync(`furrow sha256 ${hex}\n`, { level: 0 })
  // Extra flags and operating system, which would differ between the machine that seals and the one that verifies.
  seal.writeUInt16BE(0x00ff, 8)
  return seal
}

const sealBytes = sealOf('0'.repeat(64)).length

/** Hands bytes on and their seal after them. */
async function* sealed(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
  yield sealOf(hash.digest('hex'))
}
