/** A photo without what it tells of its place, time and camera. */
export interface PlainPhoto {
  readonly bytes: Buffer
  readonly mime: 'image/jpeg' | 'image/png' | 'image/webp'
  readonly extension: 'jpg' | 'png' | 'webp'
}

/** Removes metadata from a JPEG, PNG or WebP; undefined for other formats and damaged files. */
export function withoutMetadata(bytes: Buffer): PlainPhoto | undefined {
  try {
    if (bytes.readUInt16BE(0) === 0xffd8) return { bytes: plainJpeg(bytes), mime: 'image/jpeg', extension: 'jpg' }
    if (bytes.subarray(0, 8).equals(pngSignature))
      return { bytes: plainPng(bytes), mime: 'image/png', extension: 'png' }
    const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
    return isWebp ? { bytes: plainWebp(bytes), mime: 'image/webp', extension: 'webp' } : undefined
  } catch (error) {
    // A length beyond the end of the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const endOfImage = 0xd9
const startOfScan = 0xda
const comment = 0xfe
/** APP0 is JFIF, APP2 the colour profile, APP14 the colour transform: without them colours change. */
const keptApplications = [0xe0, 0xe2, 0xee]

const isMetadata = (marker: number): boolean =>
  marker === comment || (marker >= 0xe0 && marker <= 0xef && !keptApplications.includes(marker))

/** Segments up to the end of the image (ITU T.81, annex B). What follows it may be another picture with metadata. */
function plainJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, 2)]
  for (let at = 2; ; ) {
    const marker = bytes.readUInt8(at + 1)
    if (bytes.readUInt8(at) !== 0xff) throw new RangeError('no marker')
    if (marker === endOfImage) return Buffer.concat([...kept, bytes.subarray(at, at + 2)])
    const length = 2 + bytes.readUInt16BE(at + 2)
    const end = marker === startOfScan ? endOfScan(bytes, at + length) : at + length
    if (end > bytes.length) throw new RangeError('no end')
    if (!isMetadata(marker)) kept.push(bytes.subarray(at, end))
    at = end
  }
}

/** In a scan FF is data before 00, and restarts it before D0 to D7. */
function endOfScan(bytes: Buffer, begin: number): number {
  for (let at = bytes.indexOf(0xff, begin); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes.readUInt8(at + 1)
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
  }
  throw new RangeError('no end of the scan')
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const tellingChunks = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']

function plainPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [pngSignature]
  for (let at = pngSignature.length; ; ) {
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('no end')
    if (!tellingChunks.includes(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
}

/** Flags of the extended header that announce Exif and XMP. */
const announced = 0x0c

function plainWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = 12; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4)
    const length = bytes.readUInt32LE(at + 4)
    const end = at + 8 + length + (length % 2)
    if (end > bytes.length) throw new RangeError('no end')
    const chunk = Buffer.from(bytes.subarray(at, end))
    if (type === 'VP8X') chunk.writeUInt8(chunk.readUInt8(8) & ~announced, 8)
    if (type !== 'EXIF' && type !== 'XMP ') kept.push(chunk)
    at = end
  }
  const body = Buffer.concat(kept)
  const head = Buffer.from(bytes.subarray(0, 12))
  head.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([head, body])
}
