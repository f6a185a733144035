import { type ReadonlySignal, signal } from '@preact/signals'
import { metresBetween, squareMetresOf } from '../../src/fields/wkt/size.ts'
import { isInside } from '../look/place/inside.ts'
import { type ShapePath, shapesOf } from '../look/place/shapes.ts'
import { areas, termBy } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'
import { placesOf } from '../store/stays.ts'

/** Degrees; accuracy in metres. */
export interface DevicePosition {
  readonly longitude: number
  readonly latitude: number
  readonly accuracy: number
}

/** Degrees. */
export type GeoPoint = Pick<DevicePosition, 'longitude' | 'latitude'>

type LocateState = 'unasked' | 'asking' | 'found' | 'refused' | 'missing'

const position = signal<DevicePosition | null>(null)
const state = signal<LocateState>('unasked')

/** Last known position, and whether locating worked. */
export const devicePosition: ReadonlySignal<DevicePosition | null> = position
export const locateState: ReadonlySignal<LocateState> = state

/** Locates the device only if permission was granted before. */
export async function locateIfAllowed(): Promise<void> {
  const allowed = await navigator.permissions?.query({ name: 'geolocation' }).catch(() => null)
  if (allowed?.state === 'granted') await locate()
}

const second = 1000

/** Locates the device; the browser may ask for permission. */
export function locate(): Promise<DevicePosition | null> {
  if (!isSecureContext || !('geolocation' in navigator)) {
    state.value = 'missing'
    return Promise.resolve(null)
  }
  state.value = 'asking'
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { longitude, latitude, accuracy } }) => {
        position.value = { longitude, latitude, accuracy }
        state.value = 'found'
        resolve(position.value)
      },
      ({ code, PERMISSION_DENIED }) => {
        state.value = code === PERMISSION_DENIED ? 'refused' : 'missing'
        resolve(null)
      },
      { enableHighAccuracy: true, maximumAge: 5 * second, timeout: 20 * second },
    )
  })
}

/** Metres to an area, or to the place of an asset: 0 inside, null if unknown. */
export function metresTo(record: LocalRecord, here: DevicePosition): number | null {
  if (record.type === 'term') return metresToArea(record, here)
  const places = placesOf(record.id).flatMap(({ place }) => termBy(place ?? '') ?? [])
  return shortest(places.map((area) => metresToArea(area, here)))
}

function metresToArea(area: LocalRecord, { longitude, latitude }: GeoPoint): number | null {
  const { areas: drawn, lines, points } = shapesOf(area)
  if (drawn.some((rings) => isInside(rings, longitude, latitude))) return 0
  const corners = [...drawn.flatMap(([outer = []]) => [outer]), ...lines, ...points].flatMap(positionsOf)
  return shortest(corners.map((corner) => metresBetween([longitude, latitude], corner)))
}

const positionsOf = (path: ShapePath): (readonly [number, number])[] =>
  path.flatMap((longitude, index) => (index % 2 === 0 ? [[longitude, path[index + 1] ?? 0] as const] : []))

function shortest(lengths: readonly (number | null)[]): number | null {
  const known = lengths.filter((length) => length !== null)
  return known.length === 0 ? null : known.reduce((least, length) => Math.min(least, length))
}

/** Records within reach, the nearest first. */
export function nearestOf(records: readonly LocalRecord[], here: DevicePosition): readonly LocalRecord[] {
  const near = records.flatMap((record) => {
    const metres = metresTo(record, here)
    return metres === null || metres > reach ? [] : [{ record, metres }]
  })
  return near.sort((one, other) => one.metres - other.metres).map(({ record }) => record)
}

const reach = 5_000

/** Smallest area that contains the point. */
export function areaAround(here: GeoPoint): LocalRecord | null {
  const around = areas().filter((area) => metresToArea(area, here) === 0)
  const [smallest] = around.sort((one, other) => squareMetresOf(shapesOf(one)) - squareMetresOf(shapesOf(other)))
  return smallest ?? null
}
