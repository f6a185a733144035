import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

/** A file that is to be packed, piece by piece. */
export interface FileToPack {
  readonly name: string
  readonly pieces: Iterable<string | Buffer> | AsyncIterable<string | Buffer>
}

interface PackedFile {
  readonly name: Buffer
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

/** Sizes stand behind the bytes, and names are UTF-8 (APPNOTE 6.3, section 4.4.4). */
const flags = 0x0808
const deflated = 8
/** 1 January 1980, the first day that an archive can name: the same content has the same bytes. */
const firstDay = 0x0021

/** A zip archive, packed while it is written: no file is held as a whole. It cannot be larger than 4 GiB. */
export async function* zipOf(files: Iterable<FileToPack> | AsyncIterable<FileToPack>): AsyncGenerator<Buffer> {
  const packed: PackedFile[] = []
  let offset = 0
  const count = (bytes: Buffer): Buffer => {
    offset += bytes.length
    return bytes
  }
  for await (const { name, pieces } of files) {
    const begins = offset
    const named = Buffer.from(name)
    yield count(localHeader(named))
    let [crc, size] = [0, 0]
    const dataBegins = offset
    async function* measured(): AsyncGenerator<Buffer> {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece as string)
        if (bytes.length === 0) continue
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    const source = Readable.from(measured(), { objectMode: false })
    const deflate = createDeflateRaw()
    source.on('error', (error) => deflate.destroy(error)).pipe(deflate)
    for await (const piece of deflate as AsyncIterable<Buffer>) yield count(piece)
    const file = { name: named, crc, packed: offset - dataBegins, size, offset: begins }
    yield count(descriptor(file))
    packed.push(file)
  }
  const directoryBegins = offset
  for (const file of packed) yield count(directoryEntry(file))
  yield endOfDirectory({ count: packed.length, size: offset - directoryBegins, offset: directoryBegins })
}

function localHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(20, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(firstDay, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function descriptor({ crc, packed, size }: PackedFile): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUInt32LE(packed, 8)
  bytes.writeUInt32LE(size, 12)
  return bytes
}

function directoryEntry({ name, crc, packed, size, offset }: PackedFile): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(20, 4)
  entry.writeUInt16LE(20, 6)
  entry.writeUInt16LE(flags, 8)
  entry.writeUInt16LE(deflated, 10)
  entry.writeUInt16LE(firstDay, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(packed, 20)
  entry.writeUInt32LE(size, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt32LE(offset, 42)
  return Buffer.concat([entry, name])
}

interface DirectoryEnd {
  readonly count: number
  readonly size: number
  readonly offset: number
}

function endOfDirectory({ count, size, offset }: DirectoryEnd): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
