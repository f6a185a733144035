import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { dotted } from '../look/names.ts'
import { dayAndClock, farmTime, figure, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { areaAround, type GeoPoint } from './nearby.ts'

interface OriginOfferProps {
  readonly photos: readonly Blob[]
  /** Unix seconds: current time of the form. */
  readonly at: number
  /** True if the place is set already or useless. */
  readonly isPlaceSaid: (point: GeoPoint) => boolean
  readonly onUse: (origin: PhotoOrigin) => void
}

/** Seconds: a photo this recent adds nothing. */
const sameMoment = 120

/** Offers time and place of the last photo from its Exif data. Nothing is used or sent without a tap. */
export function OriginOffer({ photos, at, isPlaceSaid, onUse }: OriginOfferProps): JSX.Element | null {
  const origin = useOrigin(photos.at(-1))
  const isTimeNew = origin.at !== null && origin.at <= now() && Math.abs(origin.at - at) > sameMoment
  const taken = isTimeNew ? origin.at : null
  const point = origin.point === null || isPlaceSaid(origin.point) ? null : origin.point
  if (taken === null && point === null) return null
  return (
    <div class="options" role="status">
      <Chip icon="time" onPress={() => onUse({ at: taken, point })}>
        {offerWords(taken, point)}
      </Chip>
    </div>
  )
}

function useOrigin(photo: Blob | undefined): PhotoOrigin {
  const [origin, setOrigin] = useState<PhotoOrigin>({ at: null, point: null })
  useEffect(() => {
    let isWanted = true
    originOf(photo ?? new Blob()).then((found) => isWanted && setOrigin(found))
    return () => {
      isWanted = false
    }
  }, [photo])
  return origin
}

/** "Taken May 14, 8:12 · Hill 1: use it" */
function offerWords(at: number | null, point: GeoPoint | null): string {
  const place = point && (areaAround(point)?.name ?? `${figure(point.latitude, 5)}, ${figure(point.longitude, 5)}`)
  return say('form.taken', { words: dotted([at === null ? '' : dayAndClock(at), place ?? '']) })
}

/** When (Unix seconds) and where a photo was taken, from its metadata. */
interface PhotoOrigin {
  readonly at: number | null
  readonly point: GeoPoint | null
}

const nothing: PhotoOrigin = { at: null, point: null }

/** Exif data is at the start of the file. */
const longestHead = 262_144

async function originOf(photo: Blob): Promise<PhotoOrigin> {
  return originIn(new DataView(await photo.slice(0, longestHead).arrayBuffer()))
}

/** Reads the needed tags of Exif 2.32. Broken data yields nothing. */
export function originIn(jpeg: DataView): PhotoOrigin {
  try {
    const start = tiffIn(jpeg)
    return start === null ? nothing : originAt(tiffAt(jpeg, start))
  } catch (error) {
    if (error instanceof RangeError) return nothing
    throw error
  }
}

const [startOfImage, firstSegment, startOfScan] = [0xffd8, 0xffe1, 0xffda]

/** Offset of the TIFF data after "Exif\0\0" in segment APP1. */
function tiffIn(jpeg: DataView): number | null {
  if (jpeg.byteLength < 4 || jpeg.getUint16(0) !== startOfImage) return null
  for (let at = 2; ; at += 2 + jpeg.getUint16(at + 2)) {
    const marker = jpeg.getUint16(at)
    if (marker < 0xff00 || marker === startOfScan) return null
    if (marker === firstSegment && jpeg.getUint32(at + 4) === 0x45786966) return at + 10
  }
}

/** Reads TIFF tables (IFDs) in either byte order. */
function tiffAt(bytes: DataView, start: number) {
  const isLittle = bytes.getUint16(start) === 0x4949
  const short = (at: number) => bytes.getUint16(start + at, isLittle)
  const number = (at: number) => bytes.getUint32(start + at, isLittle)
  const part = (at: number) => number(at) / number(at + 4)
  return {
    number,
    /** Offsets of the values in the IFD at `offset`, by tag. */
    table: (offset: number): Table =>
      new Map(
        Array.from({ length: short(offset) }, (_, index) => {
          const at = offset + 2 + index * 12
          return [short(at), at + 8]
        }),
      ),
    text: (at: number, length: number) =>
      String.fromCharCode(...Array.from({ length }, (_, index) => bytes.getUint8(start + at + index))),
    /** Converts degrees, minutes and seconds, each a fraction. */
    degrees: (at: number) => part(at) + part(at + 8) / 60 + part(at + 16) / 3600,
  }
}

type Tiff = ReturnType<typeof tiffAt>
type Table = ReadonlyMap<number, number>

const tags = { exif: 0x8769, gps: 0x8825, taken: 0x9003, offset: 0x9011 }
const gpsTags = { south: 1, latitude: 2, west: 3, longitude: 4 }

function originAt(tiff: Tiff): PhotoOrigin {
  const first = tiff.table(tiff.number(4))
  const [exif, gps] = [first.get(tags.exif), first.get(tags.gps)]
  return {
    at: exif === undefined ? null : timeIn(tiff, tiff.table(tiff.number(exif))),
    point: gps === undefined ? null : pointIn(tiff, tiff.table(tiff.number(gps))),
  }
}

/** Without an offset the time is taken as farm time. */
function timeIn(tiff: Tiff, table: Table): number | null {
  const [taken, offset] = [table.get(tags.taken), table.get(tags.offset)]
  const text = taken === undefined ? '' : tiff.text(tiff.number(taken), 19)
  const [, year, month, day, clock] = /^(\d{4}):(\d\d):(\d\d) (\d\d:\d\d:\d\d)$/.exec(text) ?? []
  const written = `${year}-${month}-${day}T${clock}`
  if (Number.isNaN(Date.parse(`${written}Z`))) return null
  const from = offset === undefined ? '' : tiff.text(tiff.number(offset), 6)
  return /^[+-]\d\d:\d\d$/.test(from) ? Date.parse(written + from) / 1000 : farmTime(written)
}

function pointIn(tiff: Tiff, table: Table): GeoPoint | null {
  const side = (tag: number, degrees: number | undefined, negative: string) => {
    const reference = table.get(tag)
    if (reference === undefined || degrees === undefined) return Number.NaN
    return tiff.degrees(tiff.number(degrees)) * (tiff.text(reference, 1) === negative ? -1 : 1)
  }
  const latitude = side(gpsTags.south, table.get(gpsTags.latitude), 'S')
  const longitude = side(gpsTags.west, table.get(gpsTags.longitude), 'W')
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { longitude, latitude } : null
}
