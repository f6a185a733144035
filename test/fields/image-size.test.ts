import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pixelsOf } from '../../src/fields/image-size.ts'

const uint16 = (value: number, order: 'big' | 'little') =>
  order === 'big' ? [value >> 8, value & 255] : [value & 255, value >> 8]
const uint24 = (value: number) => [value & 255, (value >> 8) & 255, value >> 16]

const gif = (width: number, height: number) => [
  ...Buffer.from('GIF89a'),
  ...uint16(width, 'little'),
  ...uint16(height, 'little'),
]
const jpeg = (width: number, height: number, frame = 0xc0) => [
  ...[0xff, 0xd8, 0xff, 0xe0, 0x00, 0x06, 1, 2, 3, 4, 0xff, 0xc4, 0x00, 0x03, 9],
  ...[0xff, frame, 0x00, 0x11, 8, ...uint16(height, 'big'), ...uint16(width, 'big'), 3],
]
const webp = (chunk: string, rest: number[]) => [
  ...Buffer.from('RIFF\0\0\0\0WEBP'),
  ...Buffer.from(chunk),
  ...rest,
  ...Array<number>(30).fill(0),
]
const extended = (width: number, height: number) =>
  webp('VP8X', [...Array<number>(8).fill(0), ...uint24(width - 1), ...uint24(height - 1)])
const lossy = (width: number, height: number) =>
  webp('VP8 ', [...Array<number>(10).fill(0), ...uint16(width, 'little'), ...uint16(height, 'little')])
const lossless = (width: number, height: number) => {
  const bits = (width - 1) | ((height - 1) << 14)
  return webp('VP8L', [0, 0, 0, 0, 0x2f, bits & 255, (bits >> 8) & 255, (bits >> 16) & 255, (bits >>> 24) & 255])
}

describe('the pixels that an image claims to have', () => {
  it.each([
    ['a GIF', gif(300, 200)],
    ['a JPEG', jpeg(300, 200)],
    ['a progressive JPEG', jpeg(300, 200, 0xc2)],
    ['an extended WebP', extended(300, 200)],
    ['a lossy WebP', lossy(300, 200)],
    ['a lossless WebP', lossless(300, 200)],
  ])('are read from %s', (_what, bytes) => {
    expect(pixelsOf(Uint8Array.from(bytes))).toBe(60_000)
  })

  it.each([
    ['nothing', []],
    ['text', [...Buffer.from('a long enough text that is no image at all')]],
    ['a JPEG without a frame', [0xff, 0xd8, 0xff, 0xe0, 0x00, 0x02]],
    ['a JPEG that ends in its frame', jpeg(300, 200).slice(0, -6)],
    ['a GIF that ends early', gif(300, 200).slice(0, 9)],
  ])('none of %s', (_what, bytes) => {
    expect(pixelsOf(Uint8Array.from(bytes))).toBe(0)
  })

  it('whatever the bytes are, it says a number', () => {
    const heads = [gif(1, 1), jpeg(1, 1), extended(1, 1), lossless(1, 1), [0x89, 0x50, 0x4e, 0x47]]
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 40 }), fc.nat(30), (head, tail, kept) => {
        expect(pixelsOf(Uint8Array.from([...head.slice(0, kept), ...tail]))).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
