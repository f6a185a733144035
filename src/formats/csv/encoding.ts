import { isUtf8 } from 'node:buffer'

export type CsvEncoding = 'utf-8' | 'windows-1252'

/** How the bytes of a text are to be read, and how many at the beginning only say so. */
export interface DetectedEncoding {
  readonly encoding: CsvEncoding
  readonly markBytes: 0 | 3
}

/** Why bytes are no text. */
export class UnknownEncoding extends Error {}

const utf8Mark = Buffer.from([0xef, 0xbb, 0xbf])
/** An archive, as .xlsx and .ods are, and what .xls is. */
const workbooks = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])]
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]

/** UTF-8, which may say so; bytes that are none, and do not say they were, are Windows-1252, as older spreadsheets write. */
export function encodingOf(bytes: Buffer): DetectedEncoding {
  const beginning = markAt(bytes)
  if (isUtf8(bytes)) return { encoding: 'utf-8', markBytes: beginning }
  if (beginning > 0) throw new UnknownEncoding('it says that it is UTF-8, and is not')
  return { encoding: 'windows-1252', markBytes: 0 }
}

/** How many bytes at the beginning say that it is UTF-8. */
export function markAt(bytes: Buffer): 0 | 3 {
  if (utf16Marks.some((mark) => bytes.subarray(0, 2).equals(mark)))
    throw new UnknownEncoding('it is UTF-16; save it as CSV UTF-8')
  if (workbooks.some((beginning) => bytes.subarray(0, 4).equals(beginning)))
    throw new UnknownEncoding('it is a workbook; save its sheet as CSV UTF-8')
  return bytes.subarray(0, 3).equals(utf8Mark) ? 3 : 0
}

/** Bytes as text. */
export const decoded = (bytes: Buffer, { encoding, markBytes }: DetectedEncoding): string =>
  encoding === 'utf-8' ? bytes.toString('utf8', markBytes) : windows1252(bytes)

/** What Windows-1252 has in place of the control characters from 0x80 to 0x9f; where it has nothing, a space stands here. */
const inPlaceOfControls = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

// By hand, because the decoder of Node.js 20 takes the bytes for Latin-1.
const windows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (control) => {
    const letter = inPlaceOfControls.charAt(control.charCodeAt(0) - 0x80)
    return letter === ' ' ? control : letter
  })
