import type { ComponentChildren, JSX } from 'preact'
import { FreeSpace } from '../../../look/place/free-space.ts'
import { labelPlaceOf } from '../../../look/place/inside.ts'
import { type Extent, extentOf, onMap, stretchAt } from '../../../look/place/mercator.ts'
import { onPaper, type Paper, pathOnPaper, pointOnPaper } from '../../../look/place/paper.ts'
import { type DrawnShapes, readWkt } from '../../../look/place/shapes.ts'
import { say } from '../../../words/say.ts'
import { HistoryTables } from '../history-tables.tsx'
import { ChosenPhotos, InspectionTables, PaperHead, RegisterTables } from '../register-table.tsx'
import { SumsTable, Withholding, YieldsTable } from '../report-tables.tsx'
import {
  dayAndClockOf,
  daysOf,
  isHistory,
  isInspection,
  isRegister,
  type ReportDocument,
  type ReportedPlace,
} from '../report-words.ts'

interface PrintedReportProps {
  readonly document: ReportDocument
  readonly farm: string
  /** Time of the calculation. */
  readonly calculatedAt: number
  /** Notices below the head and at the end. */
  readonly notice?: ComponentChildren
  readonly children?: ComponentChildren
}

const PlainFigure = ({ children }: { readonly children: ComponentChildren }): JSX.Element => <>{children}</>
const PlainLog = ({ name }: { readonly name: string }): JSX.Element => <bdi>{name}</bdi>

/** Report as a document, for printing and for shared links. */
export function PrintedReport({ document, farm, calculatedAt, notice, children }: PrintedReportProps): JSX.Element {
  return (
    <article class="paper">
      <header>
        <p class="farm">{farm}</p>
        {document.head && <PaperHead head={document.head} />}
        <h1>{titleOf(document)}</h1>
        <p>{daysOf(document)}</p>
        <p class="made">{say('reports.made', { time: dayAndClockOf(calculatedAt) })}</p>
        {notice}
      </header>
      <Tables document={document} />
      {!isRegister(document) && <PaperMap places={document.places ?? []} />}
      {isInspection(document) && <ChosenPhotos photos={document.photos} />}
      {children}
    </article>
  )
}

export const titleOf = (document: ReportDocument): string =>
  isHistory(document) ? say('reports.of-area', { area: document.area.name }) : say(`reports.${document.report}`)

function Tables({ document }: { readonly document: ReportDocument }): JSX.Element {
  if (isInspection(document)) return <InspectionTables document={document} figure={PlainFigure} log={PlainLog} />
  if (isRegister(document)) return <RegisterTables document={document} figure={PlainFigure} log={PlainLog} />
  if (isHistory(document)) return <HistoryTables document={document} figure={PlainFigure} log={PlainLog} />
  if (document.logs.count === 0) return <p>{say(`reports.nothing.${document.report}`)}</p>
  return (
    <>
      {document.no_lot.count > 0 && (
        <p class="remark">{say(`reports.no-lot.${document.report}`, { count: document.no_lot.count })}</p>
      )}
      {document.no_amount.count > 0 && (
        <p class="remark">{say(`reports.no-amount.${document.report}`, { count: document.no_amount.count })}</p>
      )}
      <SumsTable document={document} figure={PlainFigure} />
      <p class="remark">{say('reports.note')}</p>
      <YieldsTable document={document} figure={PlainFigure} />
      <Withholding document={document} log={PlainLog} />
    </>
  )
}

const width = 680
const tallest = 460
const edge = 24
const letter = 7
const lineHeight = 16

interface DrawnPlace {
  readonly place: ReportedPlace
  readonly shapes: DrawnShapes
}

/** Plain plan of the places in a report and their parents; null if none has a geometry. */
function PaperMap({ places }: { readonly places: readonly ReportedPlace[] }): JSX.Element | null {
  const drawn = places.map(
    (place): DrawnPlace => ({ place, shapes: readWkt(`GEOMETRYCOLLECTION (${place.shapes.join(', ')})`) }),
  )
  const extent = extentOf(drawn.flatMap(({ shapes }) => pathsOf(shapes).map(onMap)))
  if (extent === undefined) return null
  const paper = paperFor(extent)
  const inOrder = drawn.toSorted((one, other) => Number(one.place.named) - Number(other.place.named))
  const { names, numbered } = namesOf(
    paper,
    drawn.filter(({ place }) => place.named),
  )
  return (
    <section class="paper-map">
      <h2>{say('reports.map')}</h2>
      <svg viewBox={`0 0 ${paper.width} ${paper.height}`} role="img" aria-label={say('reports.map')}>
        {inOrder.map(({ place, shapes }) => (
          <Outline key={place.id} paper={paper} shapes={shapes} named={place.named} />
        ))}
        {names.map(({ id, words, left, top }) => (
          <text key={id} x={left} y={top}>
            {words}
          </text>
        ))}
        <Scale paper={paper} />
      </svg>
      {numbered.length > 0 && (
        <ol>
          {numbered.map(({ id, name, number }) => (
            <li key={id} value={number}>
              {name}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

const pathsOf = ({ points, lines, areas }: DrawnShapes) => [...points, ...lines, ...areas.flat()]

const leastMetres = 60

/** As wide as the page, as high as needed. */
function paperFor([west, south, east, north]: Extent): Paper {
  const [wideMetres, highMetres] = [Math.max(east - west, leastMetres), Math.max(north - south, leastMetres)]
  const resolution = Math.max(wideMetres / (width - 2 * edge), highMetres / (tallest - 2 * edge))
  const height = Math.ceil(highMetres / resolution) + 2 * edge
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const [halfWidth, halfHeight] = [(resolution * width) / 2, (resolution * height) / 2]
  return { width, height, resolution, extent: [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight] }
}

interface OutlineProps {
  readonly paper: Paper
  readonly shapes: DrawnShapes
  readonly named: boolean
}

function Outline({ paper, shapes: { areas, lines, points }, named }: OutlineProps): JSX.Element {
  const inside = areas
    .flat()
    .map((ring) => pathOnPaper(paper, ring))
    .join('')
  return (
    <g class={named ? 'named' : 'around'}>
      {inside !== '' && <path fill-rule="evenodd" d={inside} />}
      {lines.length > 0 && <path class="open" d={lines.map((line) => pathOnPaper(paper, line)).join('')} />}
      {points.map((point) => {
        const [left, top] = pointOnPaper(paper, point)
        return <circle key={`${left} ${top}`} cx={left} cy={top} r={4} />
      })}
    </g>
  )
}

interface NameOnMap {
  readonly id: string
  readonly words: string
  readonly left: number
  readonly top: number
}

interface NumberedName {
  readonly id: string
  readonly name: string
  readonly number: number
}

/** Without room for a name a number is used, explained below. */
function namesOf(paper: Paper, drawn: readonly DrawnPlace[]) {
  const space = new FreeSpace()
  const names: NameOnMap[] = []
  const numbered: NumberedName[] = []
  for (const { place, shapes } of drawn) {
    const [left, middle] = middleOf(paper, shapes)
    const top = middle + lineHeight / 3
    const { id, name } = place
    const hasRoom = widthOf(paper, shapes) > name.length * letter * leastShare
    if (hasRoom && fits(space, { paper, left, top, words: name })) names.push({ id, words: name, left, top })
    else {
      const number = numbered.length + 1
      numbered.push({ id, name, number })
      if (fits(space, { paper, left, top, words: String(number) })) names.push({ id, words: String(number), left, top })
    }
  }
  return { names, numbered }
}

/** Minimum width of an area relative to its name. */
const leastShare = 0.7

/** Pixels; a point or line has room around it. */
function widthOf(paper: Paper, { areas }: DrawnShapes): number {
  if (areas.length === 0) return Number.POSITIVE_INFINITY
  const [west, , east] = extentOf(areas.flat().map(onMap)) ?? [0, 0, 0, 0]
  return (east - west) / paper.resolution
}

function middleOf(paper: Paper, { areas, lines, points }: DrawnShapes): readonly [number, number] {
  const [rings] = areas
  if (rings !== undefined) return onPaper(paper, ...labelPlaceOf(rings.map(onMap)))
  const [left, top] = pointOnPaper(paper, lines[0] ?? points[0] ?? [0, 0])
  return [left, top - lineHeight]
}

interface WrittenName {
  readonly paper: Paper
  readonly left: number
  readonly top: number
  readonly words: string
}

function fits(space: FreeSpace, { paper, left, top, words }: WrittenName): boolean {
  const half = (words.length * letter) / 2 + 2
  const isOnIt = left - half > 0 && left + half < paper.width
  return isOnIt && space.take([left - half, top - lineHeight + 4, left + half, top + 4])
}

/** Scale bar of about a fifth of the page. */
function Scale({ paper }: { readonly paper: Paper }): JSX.Element {
  const { east } = stretchAt((paper.extent[1] + paper.extent[3]) / 2)
  const metresIn = (pixels: number) => (pixels * paper.resolution) / east
  const length = [10_000, 5_000, 2_000, 1_000, 500, 200, 100, 50, 20, 10].find((one) => one <= metresIn(width / 4)) ?? 5
  const pixels = (length * east) / paper.resolution
  const bottom = paper.height - 8
  return (
    <g class="scale">
      <path d={`M8 ${bottom - 6}v6h${pixels.toFixed(1)}v-6`} />
      <text x={8 + pixels / 2} y={bottom - 6}>
        {say('reports.map-scale', { length })}
      </text>
    </g>
  )
}
