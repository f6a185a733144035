/** Formats of files that a farm can import. The app bundles this file, so it imports nothing. */

/** A file by its name and its first bytes, each byte as one character (Latin-1). */
interface NamedBytes {
  readonly name: string
  readonly bytes: string
}

interface FileFormat {
  /** Rows become records of any type, features become areas. */
  readonly holds: 'rows' | 'features'
  /** Its media type in `Content-Type`. */
  readonly mediaType: string
  readonly content: 'json' | 'text' | 'binary'
  /** File name extensions. */
  readonly endings: readonly string[]
  /** `likely` files are worth a try if no other format fits. */
  readonly recognise: (file: NamedBytes) => 'sure' | 'likely' | 'no'
}

/** The first format that recognises a file wins: CSV can be any text, so it is last. */
export const fileFormats = {
  geojson: {
    holds: 'features',
    mediaType: 'application/geo+json',
    content: 'json',
    endings: ['geojson', 'json'],
    recognise(file) {
      if (!textIn(file).startsWith('{')) return 'no'
      return isBinary(file.bytes) ? 'likely' : 'sure'
    },
  },
  gpx: {
    holds: 'features',
    mediaType: 'application/gpx+xml',
    content: 'text',
    endings: ['gpx'],
    recognise(file) {
      const text = textIn(file)
      return text.startsWith('<') && text.includes('<gpx') && !isBinary(file.bytes) ? 'sure' : 'no'
    },
  },
  kml: {
    holds: 'features',
    mediaType: 'application/vnd.google-earth.kml+xml',
    content: 'text',
    endings: ['kml'],
    recognise(file) {
      const text = textIn(file)
      if (!text.startsWith('<')) return 'no'
      const isNamed = text.includes('<kml') || file.name.endsWith('.kml')
      return isNamed && !isBinary(file.bytes) ? 'sure' : 'likely'
    },
  },
  shapefile: {
    holds: 'features',
    mediaType: 'application/zip',
    content: 'binary',
    endings: ['zip'],
    recognise: ({ bytes }) => (isZip(bytes) && /\.(?:shp|shx|dbf|prj|cpg)/i.test(bytes) ? 'sure' : 'no'),
  },
  kmz: {
    holds: 'features',
    mediaType: 'application/vnd.google-earth.kmz',
    content: 'binary',
    endings: ['kmz'],
    recognise({ name, bytes }) {
      if (!bytes.startsWith('PK') || isWorkbook({ name, bytes })) return 'no'
      return isZip(bytes) && (/\.kmz$/i.test(name) || /\.kml/i.test(bytes)) ? 'sure' : 'likely'
    },
  },
  xlsx: {
    holds: 'rows',
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    content: 'binary',
    endings: ['xlsx', 'xlsm'],
    recognise: (file) => (isWorkbook(file) ? 'sure' : 'no'),
  },
  csv: {
    holds: 'rows',
    mediaType: 'text/csv',
    content: 'text',
    endings: ['csv', 'tsv', 'txt'],
    recognise: (file) => (isBinary(file.bytes) || /^(?:<|$)/.test(textIn(file)) ? 'no' : 'sure'),
  },
} as const satisfies Readonly<Record<string, FileFormat>>

export type FileFormatName = keyof typeof fileFormats

type FormatHolding<H extends FileFormat['holds']> = {
  [N in FileFormatName]: (typeof fileFormats)[N]['holds'] extends H ? N : never
}[FileFormatName]

export type MapFormatName = FormatHolding<'features'>
export type SheetFormatName = FormatHolding<'rows'>

export const fileFormatNames = Object.keys(fileFormats) as readonly FileFormatName[]

export const isMapFormat = (name: FileFormatName): name is MapFormatName => fileFormats[name].holds === 'features'
export const isSheetFormat = (name: FileFormatName): name is SheetFormatName => !isMapFormat(name)

export const formatOfMediaType = (mediaType: string): FileFormatName | undefined =>
  fileFormatNames.find((name) => fileFormats[name].mediaType === mediaType)

/** The format that is sure of a file, or else the first that is likely. */
export const formatOfFile = <N extends FileFormatName>(file: NamedBytes, among: readonly N[]): N | undefined =>
  (['sure', 'likely'] as const)
    .flatMap((how) => among.filter((name) => fileFormats[name].recognise(file) === how))
    .at(0)

/** A zip archive that says by its name or its first files that it is a workbook. */
const isWorkbook = ({ name, bytes }: NamedBytes): boolean =>
  isZip(bytes) && (/\.xls[xm]$/i.test(name) || (/\[Content_Types\]|xl\//.test(bytes) && !notWorkbooks.test(name)))
const notWorkbooks = /\.(?:docx|pptx|xlsb)$/i

/** Zip, workbooks of Excel 97, and PDF. */
const binaryStarts = ['PK\x03\x04', '\xd0\xcf\x11\xe0', '%PDF']
const isBinary = (bytes: string): boolean =>
  (bytes.includes('\0') && !isUtf16(bytes)) || binaryStarts.some((start) => bytes.startsWith(start))

const isUtf16 = (bytes: string): boolean => /^(?:\xff\xfe|\xfe\xff)/.test(bytes)

export const isZip = (bytes: string): boolean => bytes.startsWith('PK\x03\x04')

/** Without a byte order mark and leading white space. */
const textIn = ({ bytes }: NamedBytes): string => bytes.replace(/^\xef\xbb\xbf/, '').trimStart()
