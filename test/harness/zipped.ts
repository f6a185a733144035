import { crc32, deflateRawSync } from 'node:zlib'

interface ZippedFile {
  readonly name: string
  readonly bytes: Buffer
  /** 8 packs it, 0 stores it as it is. */
  readonly method?: 0 | 8
  readonly flags?: number
  /** What its entry claims. */
  readonly crc?: number
}

/** A zip archive of these files. */
export function zipped(files: readonly ZippedFile[]): Buffer {
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const { name, bytes, method = 8, flags = 0, crc = crc32(bytes) } of files) {
    const packed = method === 8 ? deflateRawSync(bytes) : bytes
    const title = Buffer.from(name)
    const about = { flags, method, crc, packed: packed.length, bytes: bytes.length, title: title.length }
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    describe(local, 6, about)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    describe(entry, 8, about)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, title, packed)
    entries.push(entry, title)
    offset += 30 + title.length + packed.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

interface About {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly bytes: number
  readonly title: number
}

/** What stands in both headers of a file, from its flags on. */
function describe(header: Buffer, at: number, { flags, method, crc, packed, bytes, title }: About): void {
  header.writeUInt16LE(flags, at)
  header.writeUInt16LE(method, at + 2)
  header.writeUInt32LE(crc, at + 8)
  header.writeUInt32LE(packed, at + 12)
  header.writeUInt32LE(bytes, at + 16)
  header.writeUInt16LE(title, at + 20)
}
