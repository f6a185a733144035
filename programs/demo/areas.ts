import { line, plot, point, polygon } from './coordinates.ts'
import { photo } from './photos.ts'
import { type DemoInput, type PlannedRecord, planTerm } from './planned-record.ts'
import { SeededRandom } from './seeded-random.ts'
import type { AreaPlan, AreaRow, DemoWords } from './words.ts'

function shapeOf({ name, ...area }: AreaPlan): string {
  if (area.plot) return plot(...area.plot)
  if (area.polygon) return polygon(area.polygon)
  if (area.line) return line(area.line)
  if (area.point) return point(area.point)
  throw new Error(`${name} has no shape`)
}

function areasIn({
  name,
  count,
  type,
  within,
  corner: [east, north],
  size,
  columns,
  step,
}: AreaRow): readonly AreaPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const [west, south] = [east + (index % columns) * step[0], north + Math.floor(index / columns) * step[1]]
    const corners: AreaPlan['plot'] = [
      [west, south],
      [west + size[0], south + size[1]],
    ]
    return { name: `${name} ${index + 1}`, type, within, plot: corners }
  })
}

/** The areas of all rows in one place. */
export const bedsOf = ({ areas }: DemoWords, within: string): readonly string[] =>
  areas.rows
    .filter((row) => row.within === within)
    .flatMap(areasIn)
    .map(({ name }) => name)

/** The places of the farm, each after its parent. */
export function planAreas({ seed, words }: DemoInput): readonly PlannedRecord[] {
  const dice = new SeededRandom(seed, 'areas')
  const { land, rows } = words.areas
  return [...land, ...rows.flatMap(areasIn)].map((area, index) =>
    planTerm('farm_areas', area.name, (to) => ({
      name: area.name,
      area_type: area.type,
      weight: index,
      geofield: [{ geom: shapeOf(area) }],
      ...(area.within === undefined ? {} : { parent: [to(area.within)] }),
      ...(area.about === undefined ? {} : { description: area.about }),
      ...(area.type === 'field' ? { images: [photo(dice)] } : {}),
    })),
  )
}
