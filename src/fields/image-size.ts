interface ImageSize {
  readonly width: number
  readonly height: number
}

const sized = (width: number, height: number): ImageSize => ({ width, height })

/** The size of an image by its header; undefined unless PNG, GIF, JPEG or WebP. */
export function imageSizeOf(bytes: Uint8Array): ImageSize | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const startsWith = (...signature: number[]) => signature.every((byte, index) => bytes[index] === byte)
  if (startsWith(0x89, 0x50, 0x4e, 0x47) && bytes.length >= 24) return sized(view.getUint32(16), view.getUint32(20))
  if (startsWith(0x47, 0x49, 0x46, 0x38) && bytes.length >= 10)
    return sized(view.getUint16(6, true), view.getUint16(8, true))
  if (startsWith(0xff, 0xd8)) return jpegSize(view)
  if (startsWith(0x52, 0x49, 0x46, 0x46) && bytes.length >= 30) return webpSize(view)
  return undefined
}

/** The number of pixels by the header; 0 for unknown formats. */
export function pixelsOf(bytes: Uint8Array): number {
  const { width, height } = imageSizeOf(bytes) ?? sized(0, 0)
  return width * height
}

/** Walks the JPEG segments to the frame header (SOF0 to SOF15 without the tables DHT, JPG and DAC). */
function jpegSize(view: DataView): ImageSize | undefined {
  let offset = 2
  while (offset + 9 <= view.byteLength && view.getUint8(offset) === 0xff) {
    const marker = view.getUint8(offset + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sized(view.getUint16(offset + 7), view.getUint16(offset + 5))
    offset += 2 + view.getUint16(offset + 2)
  }
  return undefined
}

function webpSize(view: DataView): ImageSize | undefined {
  const chunk = view.getUint32(12)
  if (chunk === 0x56503858) return sized(1 + uint24(view, 24), 1 + uint24(view, 27))
  if (chunk === 0x56503820) return sized(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff)
  if (chunk !== 0x5650384c) return undefined
  const bits = view.getUint32(21, true)
  return sized(1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff))
}

const uint24 = (view: DataView, offset: number): number =>
  view.getUint16(offset, true) + view.getUint8(offset + 2) * 65_536
