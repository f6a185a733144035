/** What a camera is to have noted. */
export interface Noted {
  /** "2026:05:14 08:12:00" */
  readonly taken?: string
  /** "+02:00" */
  readonly offset?: string
  /** Degrees, minutes, seconds, and the half of the globe. */
  readonly latitude?: readonly [number, number, number, 'N' | 'S']
  readonly longitude?: readonly [number, number, number, 'E' | 'W']
}

type Value = readonly [tag: number, type: number, count: number, bytes: Buffer]

/** Puts into a JPEG what a camera writes there (Exif 2.32: APP1 with a TIFF of three tables). */
export function withOrigin(jpeg: Buffer, noted: Noted, order: 'little' | 'big' = 'big'): Buffer {
  const tiff = tiffOf(noted, order)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(2 + 6 + tiff.length)
  const segment = Buffer.concat([Buffer.from([0xff, 0xe1]), length, Buffer.from('Exif\0\0'), tiff])
  return Buffer.concat([jpeg.subarray(0, 2), segment, jpeg.subarray(2)])
}

function tiffOf(noted: Noted, order: 'little' | 'big'): Buffer {
  const { whole, text, degrees } = writers(order)
  const exif: Value[] = []
  if (noted.taken !== undefined) exif.push([0x9003, 2, 20, text(noted.taken)])
  if (noted.offset !== undefined) exif.push([0x9011, 2, 7, text(noted.offset)])
  const gps: Value[] = []
  for (const [tag, side] of [
    [1, noted.latitude],
    [3, noted.longitude],
  ] as const)
    if (side !== undefined) gps.push([tag, 2, 2, text(side[3])], [tag + 1, 5, 3, degrees(side)])
  const table = (values: readonly Value[], at: number): Buffer => {
    let behind = at + 2 + values.length * 12 + 4
    const rows = values.map(([tag, type, count, bytes]) => {
      const inRow = bytes.length <= 4
      const row = Buffer.concat([
        whole(tag, 2),
        whole(type, 2),
        whole(count, 4),
        inRow ? Buffer.concat([bytes, Buffer.alloc(4)]).subarray(0, 4) : whole(behind, 4),
      ])
      if (!inRow) behind += bytes.length
      return row
    })
    const rest = values.map(([, , , bytes]) => bytes).filter((bytes) => bytes.length > 4)
    return Buffer.concat([whole(values.length, 2), ...rows, whole(0, 4), ...rest])
  }
  const firstAt = 8
  const exifAt = firstAt + 2 + 2 * 12 + 4
  const exifTable = table(exif, exifAt)
  const gpsAt = exifAt + exifTable.length
  const first = table(
    [
      [0x8769, 4, 1, whole(exifAt, 4)],
      [0x8825, 4, 1, whole(gpsAt, 4)],
    ],
    firstAt,
  )
  const head = Buffer.concat([Buffer.from(order === 'little' ? 'II' : 'MM'), whole(42, 2), whole(firstAt, 4)])
  return Buffer.concat([head, first, exifTable, table(gps, gpsAt)])
}

function writers(order: 'little' | 'big') {
  const whole = (value: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    if (order === 'little') bytes.writeUIntLE(value, 0, length)
    else bytes.writeUIntBE(value, 0, length)
    return bytes
  }
  return {
    whole,
    text: (words: string) => Buffer.from(`${words}\0`),
    degrees: (side: readonly [number, number, number, string]) =>
      Buffer.concat(side.slice(0, 3).flatMap((part) => [whole(Math.round(Number(part) * 1000), 4), whole(1000, 4)])),
  }
}
