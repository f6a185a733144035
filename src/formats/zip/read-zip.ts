import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { crc32, createInflateRaw, inflateRaw } from 'node:zlib'
import { inMebibytes } from '../../fields/byte-size.ts'
import { Refusal } from '../../refusal.ts'

/** A file in a zip archive, as the archive's directory lists it. */
export interface ZipEntry {
  readonly name: string
  readonly method: number
  readonly isEncrypted: boolean
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const endSignature = 0x06054b50
const entrySignature = 0x02014b50
const localSignature = 0x04034b50
const endLength = 22
const longestComment = 65_535

/** The directory of an archive (APPNOTE 6.3, sections 4.3.12 and 4.3.16). Unpacks nothing. */
export function entriesOfZip(bytes: Buffer): readonly ZipEntry[] {
  const end = endOf(bytes)
  const count = bytes.readUInt16LE(end + 10)
  let at = bytes.readUInt32LE(end + 16)
  if (at === 0xffffffff) throw unreadable('is of the kind for more than 4 GiB (zip64), which is not taken')
  const entries: ZipEntry[] = []
  for (let index = 0; index < count; index++) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== entrySignature) throw unreadable('has a broken directory')
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place))
    const nameEnd = at + 46 + (nameLength ?? 0)
    entries.push({
      name: bytes.toString('utf8', at + 46, nameEnd),
      method: bytes.readUInt16LE(at + 10),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      crc: bytes.readUInt32LE(at + 16),
      packed: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at = nameEnd + (extraLength ?? 0) + (commentLength ?? 0)
  }
  return entries
}

function endOf(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - longestComment)
  for (let at = bytes.length - endLength; at >= first; at--) if (bytes.readUInt32LE(at) === endSignature) return at
  throw unreadable('is none, or not all of it has come')
}

const inflated = promisify(inflateRaw)

/** The bytes of one entry, at most `most`. Unpacking stops at that limit, whatever size the entry claims. */
export async function unpacked(bytes: Buffer, entry: ZipEntry, most: number): Promise<Buffer> {
  const file = await plain(packedBytes(bytes, entry), entry.method, { name: entry.name, most })
  if (crc32(file) !== entry.crc) throw damaged(entry)
  return file
}

/** The same, some bytes at a time: whoever has seen enough leaves the rest packed. */
export async function* unpackedPieces(bytes: Buffer, entry: ZipEntry, most: number): AsyncGenerator<Buffer> {
  const { name, method } = entry
  const data = packedBytes(bytes, entry)
  if (method !== 0 && method !== 8) throw unknownMethod(entry)
  const pieces = method === 0 ? slicesOf(data) : Readable.from(slicesOf(data)).pipe(createInflateRaw())
  let [size, crc] = [0, 0]
  try {
    for await (const piece of pieces as AsyncIterable<Buffer>) {
      size += piece.length
      if (size > most) throw tooLarge(name, most)
      crc = crc32(piece, crc)
      yield piece
    }
  } catch (error) {
    throw error instanceof Refusal ? error : damaged(entry)
  }
  if (crc !== entry.crc) throw damaged(entry)
}

const packedAtOnce = 16_384

function* slicesOf(data: Buffer): Generator<Buffer> {
  for (let at = 0; at < data.length; at += packedAtOnce) yield data.subarray(at, at + packedAtOnce)
}

function packedBytes(bytes: Buffer, { name, isEncrypted, packed, offset }: ZipEntry): Buffer {
  if (isEncrypted) throw unreadable(`has "${shown(name)}" under a password: pack it without one`)
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localSignature)
    throw unreadable(`does not hold "${shown(name)}", which its directory lists`)
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packed > bytes.length) throw unreadable(`ends in the middle of "${shown(name)}"`)
  return bytes.subarray(start, start + packed)
}

async function plain(
  data: Buffer,
  method: number,
  { name, most }: { readonly name: string; readonly most: number },
): Promise<Buffer> {
  if (method === 0 && data.length > most) throw tooLarge(name, most)
  if (method === 0) return data
  if (method !== 8) throw unknownMethod({ name, method })
  try {
    return await inflated(data, { maxOutputLength: most })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(name, most)
    throw unreadable(`has a damaged "${shown(name)}"`)
  }
}

const shown = (name: string): string => name.slice(0, 100)

const tooLarge = (name: string, most: number): Refusal =>
  new Refusal('too-large', `"${shown(name)}" is more than ${inMebibytes(most)} when it is unpacked.`)

const unknownMethod = ({ name, method }: Pick<ZipEntry, 'name' | 'method'>): Refusal =>
  unreadable(`packs "${shown(name)}" in a way that is not known (${method})`)

const damaged = ({ name }: Pick<ZipEntry, 'name'>): Refusal =>
  unreadable(`has a damaged "${shown(name)}": its checksum differs`)

const unreadable = (what: string): Refusal => new Refusal('unreadable-body', `The zip archive ${what}.`)
