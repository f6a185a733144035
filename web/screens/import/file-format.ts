import { type FileFormatName, fileFormatNames, fileFormats, isZip } from '../../../src/formats/file-formats.ts'

/** Why something can be neither. */
export type Unfit = 'empty' | 'large' | 'workbook' | 'utf-16' | 'other'

export interface FileBeginning {
  /** Of the file; nothing of what was pasted. */
  readonly name: string
  readonly size: number
  /** Its first bytes. */
  readonly beginning: Uint8Array
}

/** As much as the farm takes at once. */
const mostBytes = 32 * 1024 * 1024

/** So many bytes tell what it is. */
export const beginningLength = 4096

/** The format of a file by its first bytes; the name helps where these are not enough. */
export function recognise({ name, size, beginning }: FileBeginning): FileFormatName | Unfit {
  if (size > mostBytes) return 'large'
  const bytes = String.fromCharCode(...beginning.subarray(0, beginningLength))
  const format = fileFormatNames.find((one) => fileFormats[one].recognise({ name, bytes }) === 'sure')
  return format ?? unfitnessOf(name, bytes)
}

function unfitnessOf(name: string, bytes: string): Unfit {
  if (isZip(bytes))
    return /\.(?:xls\w|ods|numbers)$/i.test(name) || /\[Content_Types\]|xl\/|oasis\.opendocument/.test(bytes)
      ? 'workbook'
      : 'other'
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return 'workbook'
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes)) return 'utf-16'
  return bytes.replace(/^\xef\xbb\xbf/, '').trim() === '' ? 'empty' : 'other'
}
