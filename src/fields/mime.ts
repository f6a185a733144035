const extensions = new Map(
  Object.entries({
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
    'image/svg+xml': 'svg',
    'image/heic': 'heic',
    'application/pdf': 'pdf',
    'application/json': 'json',
    'application/xml': 'xml',
    'application/zip': 'zip',
    'application/vnd.google-earth.kml+xml': 'kml',
    'application/vnd.google-earth.kmz': 'kmz',
    'application/msword': 'doc',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
    'application/vnd.ms-excel': 'xls',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
    'application/vnd.ms-powerpoint': 'ppt',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
    'application/vnd.oasis.opendocument.text': 'odt',
    'application/vnd.oasis.opendocument.spreadsheet': 'ods',
    'application/vnd.oasis.opendocument.presentation': 'odp',
    'text/plain': 'txt',
    'text/csv': 'csv',
    'audio/mpeg': 'mp3',
    'audio/wav': 'wav',
    'audio/ogg': 'ogg',
  }),
)

/** The ending for a file that was sent without a name; `dat` for what we do not know. */
export const fileExtension = (mime: string): string =>
  extensions.get(mime.split(';')[0]?.trim().toLowerCase() ?? '') ?? 'dat'

/** Endings that the list above does not have. */
const moreEndings = {
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  bmp: 'image/bmp',
  avif: 'image/avif',
  geojson: 'application/geo+json',
  gpx: 'application/gpx+xml',
  gz: 'application/gzip',
  tar: 'application/x-tar',
  oga: 'audio/ogg',
  mp4: 'video/mp4',
}

const mimes = new Map([
  ...[...extensions].map(([mime, ending]) => [ending, mime] as const),
  ...Object.entries(moreEndings),
])

/** The ending of a name, without its dot; none where it has no dot. */
export const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/** The media type of a file name; application/octet-stream if unknown. */
export const mimeByName = (name: string): string => mimes.get(endingOf(name)) ?? 'application/octet-stream'

const signatures: readonly { readonly type: string; readonly starts: string }[] = [
  { type: 'image/png', starts: '89504e470d0a1a0a' },
  { type: 'image/jpeg', starts: 'ffd8ff' },
  { type: 'image/gif', starts: '474946383961' },
  { type: 'image/gif', starts: '474946383761' },
]

/** The type that the bytes themselves show, if it is one that no browser runs; undefined for all else. */
export function harmlessTypeOf(bytes: Uint8Array): string | undefined {
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString('hex')
  return signatures.find(({ starts }) => beginning.startsWith(starts))?.type
}
