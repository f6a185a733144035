import { escapedHtml } from '../fields/text.ts'
import { parseWkt } from '../fields/wkt/parser.ts'
import { type GeometryShapes, positionsIn, shapesOf } from '../fields/wkt/shapes.ts'
import type { ReportPlace } from './named-records.ts'

interface DrawnPlace {
  readonly name: string
  readonly isNamed: boolean
  readonly shapes: readonly GeometryShapes[]
}

type Point = readonly [x: number, y: number]

const width = 680
const tallest = 460
const edge = 24
const metresPerDegree = 111_320

/** A plan of these places as SVG, with names and a scale; undefined if nothing is drawn. */
export function paperMap(places: readonly ReportPlace[]): string | undefined {
  const drawn = places.map(
    ({ name, isNamed, shapes }): DrawnPlace => ({
      name,
      isNamed,
      shapes: shapes.map((wkt) => shapesOf(parseWkt(wkt))),
    }),
  )
  const all = drawn.flatMap(({ shapes }) => shapes.flatMap(positionsIn)).map(pointOf)
  if (all.length === 0) return undefined
  const [west, east] = [least(all, 0), most(all, 0)]
  const [south, north] = [least(all, 1), most(all, 1)]
  const narrowing = Math.max(0.01, Math.cos((((south + north) / 2) * Math.PI) / 180))
  const [wide, high] = [(east - west) * narrowing * metresPerDegree, (north - south) * metresPerDegree]
  const metresPerPixel = Math.max(wide / (width - 2 * edge), high / (tallest - 2 * edge), 0.05)
  const height = Math.ceil(high / metresPerPixel) + 2 * edge + 24
  const onPaper = ([x, y]: Point): Point => [
    edge + ((x - west) * narrowing * metresPerDegree) / metresPerPixel,
    edge + ((north - y) * metresPerDegree) / metresPerPixel,
  ]
  const outlines = drawn.toSorted((one, other) => Number(one.isNamed) - Number(other.isNamed))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    ...outlines.map(
      ({ isNamed, shapes }) =>
        `<g fill="${isNamed ? '#e3edd6' : 'none'}" stroke="#3b4a2f">${shapes.map((one) => outlineOf(one, onPaper)).join('')}</g>`,
    ),
    ...drawn.filter(({ isNamed }) => isNamed).map((place) => labelOf(place, onPaper)),
    scaleOf(metresPerPixel, height),
    '</svg>',
  ].join('\n')
}

const pointOf = ([east, north]: readonly string[]): Point => [Number(east), Number(north)]
// Loops: spreading many positions would overflow the stack.
const least = (all: readonly Point[], at: 0 | 1): number =>
  all.reduce((one, point) => Math.min(one, point[at]), Number.POSITIVE_INFINITY)
const most = (all: readonly Point[], at: 0 | 1): number =>
  all.reduce((one, point) => Math.max(one, point[at]), Number.NEGATIVE_INFINITY)

type OnPaper = (point: Point) => Point

function outlineOf({ areas, lines, points }: GeometryShapes, onPaper: OnPaper): string {
  const path = (line: readonly (readonly string[])[]) =>
    `M${line.map((one) => spelled(onPaper(pointOf(one)))).join('L')}`
  const rings = areas.flat().map((ring) => `${path(ring)}Z`)
  return [
    rings.length === 0 ? '' : `<path fill-rule="evenodd" d="${rings.join('')}"/>`,
    ...lines.map((line) => `<path fill="none" d="${path(line)}"/>`),
    ...points.map((point) => {
      const [x, y] = onPaper(pointOf(point))
      return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4"/>`
    }),
  ].join('')
}

const spelled = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** The name in the middle of its place. */
function labelOf({ name, shapes }: DrawnPlace, onPaper: OnPaper): string {
  const points = shapes.flatMap(positionsIn).map((one) => onPaper(pointOf(one)))
  if (points.length === 0) return ''
  const x = (least(points, 0) + most(points, 0)) / 2
  const y = (least(points, 1) + most(points, 1)) / 2
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle">${escapedHtml(name)}</text>`
}

/** A bar of a round number of metres, about a fifth of the page. */
function scaleOf(metresPerPixel: number, height: number): string {
  const rounds = [50_000, 20_000, 10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10]
  const metres = rounds.find((one) => one / metresPerPixel <= width / 4) ?? 5
  const pixels = metres / metresPerPixel
  return `<g><path fill="none" stroke="#000" d="M8 ${height - 14}v6h${pixels.toFixed(1)}v-6"/><text x="${(16 + pixels).toFixed(1)}" y="${height - 8}">${metres} m</text></g>`
}
