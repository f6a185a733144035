import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import { referenceTo } from '../../forms/reference.tsx'
import { Loading } from '../../look/page.tsx'
import { surfaceText } from '../../look/place/area-size.ts'
import { isInside } from '../../look/place/inside.ts'
import { arriving, replace } from '../../look/router.ts'
import { termBy } from '../../store/local-copy.ts'
import { idsIn, type LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { partName } from './area-names.ts'
import { AddPanel, ChosenPanel, keysOf } from './corner-panels.tsx'
import { DrawPage, useSketch, useSurface } from './draw-page.tsx'
import { type DrawingState, drawingOf } from './drawing.ts'
import { type Corner, cornerAt, intersectionOf, minus, planeOf, plus, type Spot, sizeOf, times } from './geometry.ts'
import { type AreaDetails, NamingPanel } from './naming-panel.tsx'
import { areaNames, newArea, reshapedArea, saveAreas } from './save-areas.ts'
import { useCorners } from './use-corners.ts'
import { DraftNotice, type DrawingDraft, useDraft } from './use-draft.tsx'

interface SplitAreaProps {
  readonly area: LocalRecord
  readonly corners: readonly Corner[]
}

interface State {
  /** UUID of the new part. */
  readonly uuid: string
  /** The cutting line. */
  readonly drawing: DrawingState
  readonly naming: AreaDetails | null
}

const draftOf = ({ uuid }: LocalRecord): string => `draw split ${uuid}`

/** Splits an area by a line: the smaller part becomes a new area, the rest keeps its record. */
export function SplitArea(props: SplitAreaProps): JSX.Element {
  const begin = (): State => ({ uuid: newUuid(), drawing: drawingOf([]), naming: null })
  const stored = useDraft<State>(draftOf(props.area), begin)
  return stored === null ? <Loading /> : <SplitEditor {...props} stored={stored} />
}

function SplitEditor({
  area,
  corners: ring,
  stored,
}: SplitAreaProps & { readonly stored: DrawingDraft<State> }): JSX.Element {
  const { state, change, since, startAnew } = stored
  const { drawing, naming } = state
  const { name } = area
  const [fault, setFault] = useState<string | undefined>(undefined)
  const surface = useSurface({ begin: ring, onTap: (tap) => naming === null && corners.tap(tap) })
  const corners = useCorners({
    surface,
    drawing,
    isRing: false,
    onChange: (next) => {
      setFault(undefined)
      change(() => ({ drawing: next }))
    },
  })
  const isAiming = naming === null
  const aimed = isAiming && corners.chosen === null ? [...drawing.corners, cornerAt(corners.aim.at)] : drawing.corners
  const split = splitBy(ring, drawing.corners) ?? splitBy(ring, aimed)
  useSketch(surface, {
    corners: drawing.corners,
    isRing: false,
    isLine: true,
    aim: isAiming ? corners.aim.at : null,
    isSnapped: isAiming && corners.aim.to !== null,
    chosen: corners.chosen,
    beds: split === undefined ? [] : [split.off],
  })
  const finish = () => {
    const done = splitBy(ring, drawing.corners)
    setFault(done === undefined ? say('draw.split-not', { name }) : undefined)
    if (done !== undefined) change(() => ({ naming: namingOf(area) }))
  }
  const save = async () => {
    const done = splitBy(ring, drawing.corners)
    if (done === undefined || naming === null) return
    const saved = await saveAreas({
      changes: [reshapedArea(area, done.rest, 'area'), newArea(state.uuid, done.off, naming)],
      draft: draftOf(area),
      words: say('draw.split-saved', { part: naming.name.trim(), name }),
      onFault: setFault,
    })
    if (saved === undefined) return
    arriving.value = true
    replace(`/map?area=${state.uuid}`)
  }
  return (
    <DrawPage
      title={say('draw.split-of', { name })}
      surface={surface}
      {...(isAiming ? { keys: keysOf(corners) } : {})}
      hasCross={isAiming}
    >
      {since !== null && isAiming && <DraftNotice at={since} onStartAnew={startAnew} />}
      {split !== undefined && (
        <p class="num">
          {say('draw.split-sizes', {
            off: surfaceText(sizeOf(split.off)),
            rest: surfaceText(sizeOf(split.rest)),
            name,
          })}
        </p>
      )}
      {naming !== null && split !== undefined ? (
        <NamingPanel
          corners={split.off}
          naming={naming}
          onChange={(part) => change((before) => ({ naming: before.naming && { ...before.naming, ...part } }))}
          onSave={save}
          onBack={() => change(() => ({ naming: null }))}
          fault={fault}
        />
      ) : corners.chosen !== null ? (
        <ChosenPanel drawing={drawing} corners={corners} />
      ) : (
        <AddPanel
          drawing={drawing}
          corners={corners}
          hint={drawing.corners.length === 0 ? say('draw.split-begin', { name }) : say('draw.slide')}
          isLine
          fault={fault}
          onFinish={finish}
        />
      )}
    </DrawPage>
  )
}

/** Same type as the split area. */
function namingOf({ name, fields }: LocalRecord): AreaDetails {
  const parents = idsIn(fields.parent).flatMap((id) => termBy(id) ?? [])
  return {
    name: partName(name, areaNames()),
    type: typeof fields.area_type === 'string' ? fields.area_type : 'other',
    parent: parents.map(referenceTo),
    form: 'area',
  }
}

interface AreaParts {
  readonly rest: readonly Corner[]
  readonly off: readonly Corner[]
}

/** Splits an area by a line, extended at its ends if needed. Undefined unless it crosses exactly once. */
export function splitBy(corners: readonly Corner[], line: readonly Corner[]): AreaParts | undefined {
  if (line.length < 2) return undefined
  const { onPlane, onGround } = planeOf(corners)
  const ring = corners.map(onPlane)
  const linePoints = line.map(onPlane)
  const cut = cutOf(ring, linePoints)
  if (cut === undefined) return undefined
  const [one, other] = partsOf(ring, cut).map((part) => part.map(onGround))
  if (one === undefined || other === undefined) return undefined
  return sizeOf(one) < sizeOf(other) ? { off: one, rest: other } : { off: other, rest: one }
}

interface CutLine {
  /** From side to side of the area. */
  readonly path: readonly Spot[]
  /** Sides where it begins and ends: index of the first corner, and position along the side. */
  readonly from: Place
  readonly to: Place
}

interface Place {
  readonly side: number
  readonly along: number
}

interface LineCrossing extends Place {
  readonly at: Spot
  /** Position along the line: whole numbers are its corners. */
  readonly far: number
}

/** Extension of the line at its ends, in its own lengths. */
const longer = 10

function cutOf(ring: readonly Spot[], linePoints: readonly Spot[]): CutLine | undefined {
  const line = lengthened(linePoints)
  const crossings = crossingsOf(ring, line)
  const last = line.length - 1
  const within = crossings.slice(1).flatMap((to, at) => {
    const from = crossings[at]
    return from !== undefined && isWithin(ring, line, (from.far + to.far) / 2) ? [{ from, to }] : []
  })
  const meant = within.filter(({ from, to }) => Math.min(to.far, last - 1) - Math.max(from.far, 1) > 0.01)
  const [only] = meant
  if (only === undefined || meant.length > 1) return undefined
  const inner = line.filter((_, at) => at > only.from.far && at < only.to.far)
  return { path: [only.from.at, ...inner, only.to.at], from: only.from, to: only.to }
}

function lengthened(linePoints: readonly Spot[]): readonly Spot[] {
  const [first, second] = [linePoints[0] as Spot, linePoints[1] as Spot]
  const [last, before] = [linePoints.at(-1) as Spot, linePoints.at(-2) as Spot]
  return [
    plus(first, times(minus(first, second), longer)),
    ...linePoints,
    plus(last, times(minus(last, before), longer)),
  ]
}

function crossingsOf(ring: readonly Spot[], line: readonly Spot[]): readonly LineCrossing[] {
  const found = line.slice(1).flatMap((to, at) =>
    ring.flatMap((start, side) => {
      const meeting = intersectionOf([line[at] ?? to, to], [start, ring[(side + 1) % ring.length] ?? start])
      return meeting === undefined ? [] : [{ side, along: meeting.alongOther, at: meeting.at, far: at + meeting.along }]
    }),
  )
  return found.sort((one, other) => one.far - other.far)
}

function isWithin(ring: readonly Spot[], line: readonly Spot[], far: number): boolean {
  const at = Math.min(Math.floor(far), line.length - 2)
  const [from, to] = [line[at] as Spot, line[at + 1] as Spot]
  const [east, north] = plus(from, times(minus(to, from), far - at))
  const [first = [0, 0]] = ring
  return isInside([[...ring, first].flat()], east, north)
}

/** Both ways around the ring from the end of the cut to its beginning. */
function partsOf(ring: readonly Spot[], { path, from, to }: CutLine): readonly (readonly Spot[])[] {
  return [
    [...path, ...cornersBetween(ring, to, from)],
    [...path.toReversed(), ...cornersBetween(ring, from, to)],
  ].map(withoutTwins)
}

function cornersBetween(ring: readonly Spot[], from: Place, to: Place): readonly Spot[] {
  const isAhead = from.side === to.side && from.along <= to.along
  const steps = isAhead ? 0 : (to.side - from.side + ring.length) % ring.length || ring.length
  return Array.from({ length: steps }, (_, at) => ring[(from.side + 1 + at) % ring.length] as Spot)
}

/** A cut through a corner would repeat it. */
const withoutTwins = (ring: readonly Spot[]): readonly Spot[] =>
  ring.filter((spot, at) => {
    const [east, north] = minus(spot, ring.at(at - 1) ?? spot)
    return ring.length < 2 || Math.hypot(east, north) > 0.001
  })
