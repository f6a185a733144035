export type MapFileFormat = 'geojson' | 'kml' | 'kmz'
export type ImportFormat = 'sheet' | MapFileFormat

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

/** What somebody has brought, by what it begins with; the name helps where that is not enough. */
export function recognise({ name, size, beginning }: FileBeginning): ImportFormat | Unfit {
  if (size > mostBytes) return 'large'
  const bytes = String.fromCharCode(...beginning.subarray(0, beginningLength))
  if (bytes.trim() === '') return 'empty'
  if (bytes.startsWith('PK\x03\x04')) return archive(name, bytes)
  if (bytes.startsWith('\xd0\xcf\x11\xe0')) return 'workbook'
  if (/^(?:\xff\xfe|\xfe\xff)/.test(bytes)) return 'utf-16'
  if (bytes.includes('\0') || bytes.startsWith('%PDF')) return 'other'
  const text = bytes.replace(/^\xef\xbb\xbf/, '').trimStart()
  if (text.startsWith('{')) return 'geojson'
  if (text.startsWith('<')) return text.includes('<kml') || name.endsWith('.kml') ? 'kml' : 'other'
  return text === '' ? 'empty' : 'sheet'
}

function archive(name: string, bytes: string): 'kmz' | Unfit {
  if (/\.kmz$/i.test(name) || /\.kml/i.test(bytes)) return 'kmz'
  return /\.(?:xls\w|ods|numbers)$/i.test(name) || /\[Content_Types\]|xl\/|oasis\.opendocument/.test(bytes)
    ? 'workbook'
    : 'other'
}
