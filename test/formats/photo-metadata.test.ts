import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { withoutMetadata } from '../../src/formats/image/photo-metadata.ts'
import { withOrigin } from '../harness/jpeg-origin.ts'

const secret = 'Hill farm, 14 May'

const segment = (marker: number, content: string): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, Buffer.from(content, 'latin1')])
}
/** Two scans with a restart, as a progressive JPEG has them. */
const jpeg = Buffer.concat([
  ...[Buffer.from([0xff, 0xd8]), segment(0xe0, 'JFIF\0'), segment(0xe2, 'ICC_PROFILE\0'), segment(0xdb, 'table')],
  ...[segment(0xda, 'scan'), Buffer.from([1, 0xff, 0, 2, 0xff, 0xd0, 3]), segment(0xda, 'scan'), Buffer.from([4])],
  Buffer.from([0xff, 0xd9]),
])

const chunk = (type: string, content: string): Buffer => {
  const body = Buffer.from(type + content, 'latin1')
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
const png = (...chunks: readonly Buffer[]) =>
  Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', 'head'), ...chunks, chunk('IEND', '')])

const riff = (...chunks: readonly (readonly [string, string])[]): Buffer => {
  const body = chunks.map(([type, content]) => {
    const head = Buffer.from(`${type}....`, 'latin1')
    head.writeUInt32LE(content.length, 4)
    return Buffer.concat([head, Buffer.from(content + (content.length % 2 ? '\0' : ''), 'latin1')])
  })
  const head = Buffer.from('RIFF....WEBP', 'latin1')
  head.writeUInt32LE(4 + Buffer.concat(body).length, 4)
  return Buffer.concat([head, ...body])
}

describe('a photo without metadata', () => {
  it.each([
    ['JPEG', withOrigin(jpeg, { taken: '2026:05:14 08:12:00', latitude: [50, 1, 2, 'N'] }), jpeg],
    [
      'JPEG with XMP and a comment',
      Buffer.concat([jpeg.subarray(0, 2), segment(0xe1, secret), segment(0xfe, secret), jpeg.subarray(2)]),
      jpeg,
    ],
    ['JPEG with a second picture behind', Buffer.concat([jpeg, withOrigin(jpeg, { taken: secret })]), jpeg],
    [
      'PNG',
      png(chunk('tEXt', secret), chunk('eXIf', secret), chunk('IDAT', 'data'), chunk('tIME', secret)),
      png(chunk('IDAT', 'data')),
    ],
    [
      'WebP',
      riff(['VP8X', '\x1c23456789'], ['VP8 ', 'odd'], ['EXIF', secret], ['XMP ', secret]),
      riff(['VP8X', '\x1023456789'], ['VP8 ', 'odd']),
    ],
  ])('%s keeps its picture byte for byte', (_name, photo, plain) => {
    expect(withoutMetadata(photo)?.bytes.equals(plain)).toBe(true)
  })

  it.each([
    ['empty', Buffer.alloc(0)],
    ['no photo', Buffer.from('GIF89a and more than twelve bytes')],
    ['a JPEG that ends in its middle', jpeg.subarray(0, -3)],
    ['a PNG without an end', png().subarray(0, -12)],
    ['a WebP with a length beyond its end', riff(['VP8 ', 'four']).subarray(0, -2)],
  ])('is not made of what is %s', (_name, bytes) => {
    expect(withoutMetadata(bytes)).toBeUndefined()
  })
})
