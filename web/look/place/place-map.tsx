import type { JSX } from 'preact'
import { metresBetween } from '../../../src/fields/wkt/size.ts'
import { place } from '../../../src/words/en/place.ts'
import { idsIn, type LocalRecord } from '../../store/record.ts'
import { figure } from '../../words/format.ts'
import { addWords, say } from '../../words/say.ts'
import { wide } from '../desk.ts'
import { Link } from '../link.tsx'
import { kindOf } from './area-kind.ts'
import { usesAcres } from './area-size.ts'
import { FreeSpace } from './free-space.ts'
import { hatches } from './hatches.tsx'
import { stretchAt } from './mercator.ts'
import {
  areasAround,
  extentOnMap,
  middleOnPaper,
  namesOn,
  onPaper,
  type Paper,
  paperAround,
  pathOnPaper,
  pointOnPaper,
} from './paper.ts'
import { shapesOf } from './shapes.ts'

addWords(place)

export interface PlaceMapProps {
  readonly area: LocalRecord
  /** Start of a move: a dotted line leads here. */
  readonly from?: LocalRecord | undefined
  /** `tall` for pages, `flat` for rows. */
  readonly shape?: 'flat' | 'tall'
  /** Shows side lengths instead of the name. */
  readonly sides?: 'shown'
}

const onDesk = { width: 656, height: 300 }
const onPhone = { width: 344, height: 172 }
const tall = { width: 360, height: 290 }

/** Small plan of an area and its surroundings, linked to the map; null without a geometry. */
export function PlaceMap({ area, from, shape = 'flat', sides }: PlaceMapProps): JSX.Element | null {
  const bounds = extentOnMap(area)
  if (bounds === undefined) return null
  const size = wide.value ? onDesk : shape === 'tall' ? tall : onPhone
  const paper = paperAround(bounds, from === undefined ? undefined : extentOnMap(from), size)
  const others = areasAround(paper.extent, area)
  const lengths = sides === undefined ? [] : sidesOn(paper, area)
  const named = others.filter((other) => other !== area && !holdsOneOf(others, other))
  return (
    <Link to={`/map?area=${area.id}`} class="mini">
      <span class="out">{say('place.map', { name: area.name })}</span>
      <svg
        class="plan"
        viewBox={`0 0 ${paper.width} ${paper.height}`}
        preserveAspectRatio="xMidYMid slice"
        aria-hidden="true"
      >
        {others.map((other) => (
          <AreaOnPaper key={other.id} area={other} paper={paper} others={others} />
        ))}
        <GridLines paper={paper} />
        <Chosen area={area} paper={paper} />
        {(lengths.length > 0 ? namesOn(paper, named) : namesOn(paper, [area, ...named], area)).map(
          ({ name, kind, left, top }) => (
            <text key={`${left} ${top}`} class={`lb lb-${kind}`} x={left} y={top}>
              {name}
            </text>
          ),
        )}
        {lengths.map(({ length, left, top }) => (
          <text key={`${left} ${top}`} class={`lb lb-${kindOf(area)} length`} x={left} y={top}>
            {length}
          </text>
        ))}
        {from !== undefined && <Way from={from} to={area} paper={paper} />}
      </svg>
    </Link>
  )
}

/** An area that contains others gets no hatch and no name here: both would cover theirs. */
const holdsOneOf = (others: readonly LocalRecord[], { id }: LocalRecord): boolean =>
  others.some(({ fields }) => idsIn(fields.parent).includes(id))

interface AreaOnPaperProps {
  readonly area: LocalRecord
  readonly paper: Paper
}

export function AreaOnPaper({
  area,
  paper,
  others,
}: AreaOnPaperProps & { readonly others: readonly LocalRecord[] }): JSX.Element {
  const kind = kindOf(area)
  const { areas, lines, points } = shapesOf(area)
  const inside = areas
    .flat()
    .map((ring) => pathOnPaper(paper, ring))
    .join('')
  const isHatched = hatches[kind] !== undefined && !holdsOneOf(others, area)
  return (
    <>
      {inside !== '' && <path class={`a a-${kind}`} fill-rule="evenodd" d={inside} />}
      {inside !== '' && isHatched && <path fill={`url(#hatch-${kind})`} fill-rule="evenodd" d={inside} />}
      {lines.length > 0 && (
        <path class={`a a-${kind} open-line`} d={lines.map((line) => pathOnPaper(paper, line)).join('')} />
      )}
      {points.map((point) => {
        const [left, top] = pointOnPaper(paper, point)
        return <path key={`${left} ${top}`} class={`a a-${kind}`} d={`M${left} ${top - 8}l7 12h-14z`} />
      })}
    </>
  )
}

function Chosen({ area, paper }: AreaOnPaperProps): JSX.Element {
  const { areas, lines } = shapesOf(area)
  const path = [...areas.flat(), ...lines].map((ring) => pathOnPaper(paper, ring)).join('')
  return (
    <>
      <path class="chosen-case" d={path} />
      <path class="chosen" d={path} />
    </>
  )
}

interface WayProps {
  readonly from: LocalRecord
  readonly to: LocalRecord
  readonly paper: Paper
}

/** Drawn beside the names, which are in the middle of the areas. */
function Way({ from, to, paper }: WayProps): JSX.Element {
  const [[left, top], [toLeft, toTop]] = [middleOnPaper(paper, from), middleOnPaper(paper, to)]
  const turn = (Math.atan2(toTop - top, toLeft - left) * 180) / Math.PI
  return (
    <g transform="translate(0 16)">
      <path class="route" d={`M${left} ${top}L${toLeft} ${toTop}`} />
      <path class="route-end" transform={`translate(${toLeft} ${toTop}) rotate(${turn})`} d="M9 0L-6 -8V8z" />
    </g>
  )
}

const leastSquare = 24

/** Grid of 100 m, or coarser if that would be too dense. */
export function GridLines({ paper }: { readonly paper: Paper }): JSX.Element {
  const { extent, width, height, resolution } = paper
  const stretch = stretchAt((extent[1] + extent[3]) / 2)
  let metres = 100
  while ((metres * stretch.east) / resolution < leastSquare) metres *= 10
  const [east, north] = [metres * stretch.east, metres * stretch.north]
  const path: string[] = []
  for (let x = Math.ceil(extent[0] / east) * east; x < extent[2]; x += east)
    path.push(`M${onPaper(paper, x, 0)[0]} 0V${height}`)
  for (let y = Math.ceil(extent[1] / north) * north; y < extent[3]; y += north)
    path.push(`M0 ${onPaper(paper, 0, y)[1]}H${width}`)
  return <path class="grid" d={path.join('')} />
}

interface SideOnPaper {
  readonly length: string
  readonly left: number
  readonly top: number
}

const leastPixels = 56
const letter = 8
const inwards = 22
const foot = 0.3048

type Corner = readonly [number, number]

/** Side lengths of an area, where they fit. */
export function sidesOn(paper: Paper, area: LocalRecord): readonly SideOnPaper[] {
  const ring = shapesOf(area).areas[0]?.[0] ?? []
  const corners = Array.from({ length: ring.length / 2 }, (_, at): Corner => [ring[2 * at] ?? 0, ring[2 * at + 1] ?? 0])
  const middle = middleOnPaper(paper, area)
  const space = new FreeSpace()
  return corners.slice(1).flatMap((corner, before) => {
    const side = sideOnPaper({ paper, from: corners[before] ?? corner, to: corner, middle })
    const half = ((side?.length.length ?? 0) * letter) / 2
    const isFree = side && space.take([side.left - half, side.top - 14, side.left + half, side.top + 4])
    return isFree ? [side] : []
  })
}

interface Side {
  readonly paper: Paper
  readonly from: Corner
  readonly to: Corner
  readonly middle: Corner
}

function sideOnPaper({ paper, from, to, middle }: Side): SideOnPaper | undefined {
  const [[left, top], [right, bottom]] = [pointOnPaper(paper, from), pointOnPaper(paper, to)]
  if (Math.hypot(right - left, bottom - top) < leastPixels) return undefined
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const far = Math.hypot(middle[0] - x, middle[1] - y)
  const step = far === 0 ? 0 : inwards / far
  return {
    length: lengthText(metresBetween(from, to)),
    left: x + (middle[0] - x) * step * 1.4,
    top: y + (middle[1] - y) * step + 5,
  }
}

function lengthText(metres: number): string {
  return usesAcres()
    ? say('place.feet', { amount: figure(metres / foot) })
    : say('place.metres', { amount: figure(metres, metres < 10 ? 1 : 0) })
}
