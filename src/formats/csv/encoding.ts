export const csvEncodings = ['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'] as const
export type CsvEncoding = (typeof csvEncodings)[number]

/** Why bytes are no text. */
export class UnknownEncoding extends Error {}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])
/** An archive, as .xlsx and .ods are, and what .xls is. */
const archive = Buffer.from('PK\x03\x04')
const compoundFile = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])
const utf16Marks = { 'utf-16le': Buffer.from([0xff, 0xfe]), 'utf-16be': Buffer.from([0xfe, 0xff]) } as const
const longestMark = 4

/**
 * UTF-8, with or without a byte order mark, or UTF-16 with one. Other bytes are Windows-1252, as older spreadsheets write it, unless they
 * begin with that mark. All pieces are read: the last letter may be the first that is no UTF-8.
 */
export async function encodingOf(pieces: AsyncIterable<Buffer>): Promise<CsvEncoding> {
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
  for await (const piece of pieces) {
    judge(piece)
    if (beginning.length < longestMark) beginning = Buffer.concat([beginning, piece.subarray(0, longestMark)])
  }
  judge()
  refuseWorkbook(beginning)
  const utf16 = (['utf-16le', 'utf-16be'] as const).find((one) => beginning.subarray(0, 2).equals(utf16Marks[one]))
  if (utf16 !== undefined) return utf16
  if (isUtf8) return 'utf-8'
  if (beginning.subarray(0, utf8Mark.length).equals(utf8Mark))
    throw new UnknownEncoding('it says that it is UTF-8, and is not')
  return 'windows-1252'
}

/** Refuses what is no text, by its first bytes. */
export function refuseWorkbook(bytes: Buffer): void {
  const first = bytes.subarray(0, 4)
  if (first.equals(compoundFile))
    throw new UnknownEncoding(
      'it is a workbook of Excel 97 (.xls), or one with a password; save it as Excel workbook (.xlsx) without a password, or as CSV UTF-8',
    )
  if (first.equals(archive))
    throw new UnknownEncoding(
      'it is a workbook or an archive; send .xlsx as an Excel workbook, or save its sheet as CSV UTF-8',
    )
}

/** The text of the pieces, without a byte order mark. */
export async function* decoded(pieces: AsyncIterable<Buffer>, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = encoding === 'windows-1252' ? undefined : new TextDecoder(encoding)
  for await (const piece of pieces) yield decoder?.decode(piece, { stream: true }) ?? windows1252(piece)
}

/** Characters of Windows-1252 from 0x80 to 0x9f; a space marks an undefined one. */
const inPlaceOfControls = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

// Decoded by hand, because Node.js 20 decodes windows-1252 as Latin-1.
const windows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => {
    const letter = inPlaceOfControls.charAt(control.charCodeAt(0) - 0x80)
    return letter === ' ' ? control : letter
  })
