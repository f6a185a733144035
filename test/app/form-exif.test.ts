import { describe, expect, it } from 'vitest'
import { originIn } from '../../web/forms/origin-offer.tsx'
import { timeZone } from '../../web/words/locale.ts'
import { type Noted, withOrigin } from '../harness/jpeg-origin.ts'

timeZone.value = 'Europe/Berlin'

const plain = Buffer.from([0xff, 0xd8, 0xff, 0xdb, 0, 4, 0, 0, 0xff, 0xda, 0, 2, 0xff, 0xd9])
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const read = (noted: Noted, order: 'little' | 'big' = 'big') => originIn(viewOf(withOrigin(plain, noted, order)))
const seconds = (iso: string) => Date.parse(iso) / 1000

const taken = '2026:05:14 08:12:00'
const latitude = [50, 0, 18, 'N'] as const
const longitude = [7, 0, 54, 'E'] as const

describe('of a photo is read', () => {
  it.each(['little', 'big'] as const)('when and where it was taken, in %s order of bytes', (order) => {
    const { at, point } = read({ taken, offset: '+05:30', latitude, longitude }, order)
    expect(at).toBe(seconds('2026-05-14T08:12:00+05:30'))
    expect(point?.latitude).toBeCloseTo(50.005, 6)
    expect(point?.longitude).toBeCloseTo(7.015, 6)
  })

  it('the farm’s time where the camera knows no offset', () => {
    expect(read({ taken })).toEqual({ at: seconds('2026-05-14T08:12:00+02:00'), point: null })
  })

  it('a place in the south and the west', () => {
    const { point } = read({ latitude: [33, 30, 0, 'S'], longitude: [70, 45, 0, 'W'] })
    expect(point).toEqual({ latitude: -33.5, longitude: -70.75 })
  })

  it('data after another segment', () => {
    const other = Buffer.from([0xff, 0xe0, 0, 4, 1, 2])
    const photo = withOrigin(plain, { taken })
    const moved = Buffer.concat([photo.subarray(0, 2), other, photo.subarray(2)])
    expect(originIn(viewOf(moved)).at).toBe(seconds('2026-05-14T08:12:00+02:00'))
  })

  it.each<[string, Noted]>([
    ['no time that there is', { taken: '0000:00:00 00:00:00' }],
    ['no time at all', { taken: '    :  :     :  :  ' }],
    ['half a place', { latitude }],
    ['a place that is not on the globe', { latitude: [95, 0, 0, 'N'], longitude }],
  ])('nothing where there is %s', (_said, noted) => {
    expect(read(noted)).toEqual({ at: null, point: null })
  })

  it('nothing from a file that is no photo, has no Exif data, or is truncated', () => {
    const nothing = { at: null, point: null }
    expect(originIn(viewOf(plain))).toEqual(nothing)
    expect(originIn(viewOf(Buffer.from('GIF89a')))).toEqual(nothing)
    const photo = withOrigin(plain, { taken, latitude, longitude })
    for (let length = 0; length < photo.length; length += 1) originIn(viewOf(photo.subarray(0, length)))
    for (let at = 12; at < photo.length; at += 1) originIn(viewOf(new Uint8Array(photo).with(at, 0xff)))
  })
})
