import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { StringDecoder } from 'node:string_decoder'
import { limits } from '../../doors/http/limits.ts'
import type { SheetSource } from '../../doors/record-1x/sheets/intake/source.ts'
import { beginningLength, orRefuse, separatorIn } from '../../doors/record-1x/sheets/intake/text-source.ts'
import { decoded, type KnownEncoding, markAt, UnknownEncoding } from '../../formats/csv/encoding.ts'
import { CsvReader, type CsvRow } from '../../formats/csv/read-csv.ts'
import type { Separator } from '../../formats/csv/write-csv.ts'
import { unreadableFile } from '../unreadable-file.ts'

/** A file with a sheet, which is read piece by piece, however large it is. */
export interface SheetFile extends SheetSource {
  readonly bytes: number
  /** Another for other content. */
  readonly fingerprint: string
}

export async function sheetFile(path: string, separator: Separator | undefined): Promise<SheetFile> {
  try {
    const { size } = await stat(path)
    const { fingerprint, known, beginning } = await lookedThrough(path)
    const between = separatorIn(decoded(beginning, known), separator)
    const slices = () => slicesOf(path, known, between)
    return { bytes: size, fingerprint, encoding: known.encoding, separator: between, slices }
  } catch (error) {
    throw unreadableFile(path, error)
  }
}

interface Looked {
  readonly fingerprint: string
  readonly known: KnownEncoding
  readonly beginning: Buffer
}

/** Once from the first byte to the last: what it is, and by which letters it is written. */
async function lookedThrough(path: string): Promise<Looked> {
  const hash = createHash('sha256')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let beginning = Buffer.alloc(0)
  const judge = (piece?: Buffer) => {
    try {
      if (isUtf8) utf8.decode(piece, { stream: piece !== undefined })
    } catch {
      isUtf8 = false
    }
  }
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(piece)
    judge(piece)
    if (beginning.length < beginningLength) beginning = Buffer.concat([beginning, piece])
  }
  judge()
  return {
    fingerprint: hash.digest('hex'),
    known: orRefuse(() => encodingFrom(beginning, isUtf8 ? 'utf-8' : 'other')),
    beginning,
  }
}

function encodingFrom(beginning: Buffer, letters: 'utf-8' | 'other'): KnownEncoding {
  const markBytes = markAt(beginning)
  if (letters === 'utf-8') return { encoding: 'utf-8', markBytes }
  if (markBytes > 0) throw new UnknownEncoding('it says that it is UTF-8, and is not')
  return { encoding: 'windows-1252', markBytes: 0 }
}

async function* slicesOf(path: string, known: KnownEncoding, separator: Separator): AsyncGenerator<readonly CsvRow[]> {
  const reader = new CsvReader(separator, { ...limits.sheet, rows: Number.POSITIVE_INFINITY })
  const utf8 = new StringDecoder('utf8')
  const textOf = (piece: Buffer) => (known.encoding === 'utf-8' ? utf8.write(piece) : decoded(piece, known))
  for await (const piece of createReadStream(path, { start: known.markBytes }) as AsyncIterable<Buffer>)
    yield orRefuse(() => reader.push(textOf(piece)))
  yield orRefuse(() => [...reader.push(utf8.end()), ...reader.end()])
}
