import type { Fraction } from '../fields/fraction.ts'
import { parseWkt } from '../fields/wkt/parser.ts'
import { shapesOf } from '../fields/wkt/shapes.ts'
import { squareMetresOf } from '../fields/wkt/size.ts'
import { whereaboutsOf } from '../history/location.ts'
import type { Snapshot } from '../storage/database.ts'
import { atPresent } from '../storage/history/point-in-time.ts'
import type { KnownAsset } from './known-things.ts'

/** How many square metres each of these has today: of its own geometry, else of where it is. Those without any are missing. */
export async function sizesToday(
  snapshot: Snapshot,
  plantings: readonly KnownAsset[],
  now: number,
): Promise<ReadonlyMap<number, Fraction>> {
  const elsewhere = plantings.filter(({ geometry }) => geometry === '').map(({ id }) => id)
  const whereabouts = await whereaboutsOf(snapshot, elsewhere, atPresent(now))
  const sizes = new Map<string, Fraction>()
  return new Map(
    plantings.flatMap(({ id, geometry }) => {
      const shape = geometry === '' ? (whereabouts.get(id)?.geometry ?? '') : geometry
      const size = sizes.get(shape) ?? sizeOf(shape)
      sizes.set(shape, size)
      return size.numerator > 0n ? [[id, size]] : []
    }),
  )
}

const perSquareMetre = 1_000_000

/** To a square millimetre. */
function sizeOf(wkt: string): Fraction {
  const { areas } = wkt === '' ? { areas: [] } : shapesOf(parseWkt(wkt))
  const rings = areas.map((area) => area.map((ring) => ring.flatMap(([east, north]) => [Number(east), Number(north)])))
  const size = Math.round(squareMetresOf({ areas: rings }) * perSquareMetre)
  return { numerator: Number.isSafeInteger(size) ? BigInt(size) : 0n, denominator: BigInt(perSquareMetre) }
}
