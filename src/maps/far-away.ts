import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../access/caller.ts'
import { areaBundle } from '../farm/bundle-names.ts'
import type { GeometryBounds } from '../fields/wkt/bounds.ts'
import { drawableGeometry } from '../fields/wkt/drawable-geometry.ts'
import { parseKeptWkt } from '../fields/wkt/parser.ts'
import { searchFor } from '../records/finding/find.ts'
import type { PageRequest } from '../records/finding/paging.ts'
import { foundRecords } from '../records/finding/record-stream.ts'
import type { Records } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import { atPresent } from '../storage/farm-state.ts'
import type { StoredRecord } from '../storage/records/stored.ts'
import { filtersIn } from '../wire-1x/filters.ts'
import type { MapOptions } from './map-options.ts'
import { boundsIn, type SentArea, type SentMap } from './sent-map.ts'

interface MapToCheck {
  readonly caller: Caller
  readonly map: SentMap
  readonly wish: MapOptions
}

/** Refuses a map far from all areas of the farm, unless the user allowed it. */
export async function refuseFarAway(installation: Records, { caller, map, wish }: MapToCheck): Promise<void> {
  if (wish.far === 'ok') return
  const filters = filtersIn(installation, installation.farm.records.term, [
    { name: 'bundle', brackets: [], value: areaBundle },
    { name: 'geofield', brackets: ['ne'], value: '' },
  ])
  const sorting = { path: 'id', direction: 'asc' } as const
  const search = (paging: PageRequest) => searchFor(installation, caller, { type: 'term', filters, sorting, ...paging })
  const places = new FarmPlaces()
  const time = atPresent(installation.clock())
  await installation.database.read(async (snapshot) => {
    for await (const areas of foundRecords(snapshot, { type: 'term', time, search })) {
      for (const area of areas) places.add(area)
      await nextTurn()
    }
  })
  places.refuseFar(map.areas)
}

/** Minimum distance at which the import asks for confirmation. */
const farKilometres = 100

/** Bounding boxes of the farm's areas. */
class FarmPlaces {
  /** Keyed by cells of a tenth of a degree, because most areas lie close together. */
  readonly #boxes = new Map<string, GeometryBounds>()

  add({ values }: StoredRecord): void {
    for (const wkt of (values.geofield ?? []) as readonly string[]) {
      const geometry = drawableGeometry(parseKeptWkt(wkt))
      const bounds = geometry === null ? undefined : boundsIn(geometry)
      if (bounds !== undefined) this.#boxes.set(cellOf(bounds), bounds)
    }
  }

  /** Refuses features far from all areas: with latitude and longitude swapped, a place is valid but wrong. */
  refuseFar(areas: readonly SentArea[]): void {
    if (this.#boxes.size === 0) return
    for (const { index, bounds } of areas) {
      if (bounds === undefined || this.#isNear(bounds)) continue
      const at = `${bounds.left} ${bounds.bottom}`
      throw new Refusal(
        'invalid-content',
        `features[${index}] lies at longitude ${bounds.left}, latitude ${bounds.bottom}, more than ${farKilometres} km from every area of the farm. If longitude and latitude are swapped, put them right; if it does lie there, send the map again with far=ok.`,
        { faults: [{ field: `features[${index}].geometry`, message: `lies far away, at ${at}`, allowed: ['far=ok'] }] },
      )
    }
  }

  #isNear(bounds: GeometryBounds): boolean {
    for (const box of this.#boxes.values()) if (kilometresBetween(box, bounds) <= farKilometres) return true
    return false
  }
}

const cellOf = ({ left, bottom, right, top }: GeometryBounds): string =>
  [left, bottom, right, top].map((degrees) => Math.round(degrees * 10)).join(' ')

const earthKilometres = 6371
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The distance between the nearest points of two rectangles. */
function kilometresBetween(one: GeometryBounds, other: GeometryBounds): number {
  const north = gap([one.bottom, one.top], [other.bottom, other.top])
  const east = Math.min(
    ...[-360, 0, 360].map((turn) => gap([one.left, one.right], [other.left + turn, other.right + turn])),
  )
  const widest = Math.max(...[one.bottom, one.top, other.bottom, other.top].map(Math.abs))
  const a =
    Math.sin(radians(north) / 2) ** 2 +
    Math.cos(radians(widest)) * Math.cos(radians(widest)) * Math.sin(radians(east) / 2) ** 2
  return 2 * earthKilometres * Math.asin(Math.min(1, Math.sqrt(a)))
}

type Stretch = readonly [least: number, most: number]

const gap = ([least, most]: Stretch, [otherLeast, otherMost]: Stretch): number =>
  Math.max(0, otherLeast - most, least - otherMost)
