import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, JSX, RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { lastShown } from '../../look/desk.ts'
import { Title, useUp } from '../../look/page.tsx'
import { type Extent, extentOf, touches } from '../../look/place/mercator.ts'
import { wktOf } from '../../look/place/shapes.ts'
import { areas } from '../../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../../store/record.ts'
import { say } from '../../words/say.ts'
import { treeOf } from '../area-tree.ts'
import type { DrawnArea } from '../drawn-area.ts'
import { type Camera, FarmMap, type Tap } from '../farm-map.ts'
import { MapControls } from '../map-controls.tsx'
import { chosenLayer } from '../map-state.ts'
import { positionState, stopPosition } from '../position.ts'
import { type Corner, type MapSpot, mapSpotOf, shapeIn } from './geometry.ts'
import { type MapSketch, paintSketch } from './sketch.ts'

interface DrawPageProps {
  readonly title: string
  readonly surface: Surface
  /** Handlers of Enter, Backspace and arrow keys. */
  readonly keys?: DrawKeys
  /** False hides the crosshair. */
  readonly hasCross?: boolean
  /** Controls on the map. */
  readonly chips?: ComponentChildren
  readonly children: ComponentChildren
}

interface DrawKeys {
  readonly label: string
  readonly onEnter?: () => void
  readonly onBackspace?: () => void
}

/** The map with a panel: below it, or beside it on a desk. */
export function DrawPage({ title, surface, keys, hasCross, chips, children }: DrawPageProps): JSX.Element {
  useUp({ to: lastShown.value, label: title, icon: 'close' })
  return (
    <div class="draw-page">
      <section class="draw-map" aria-label={say('draw.map')}>
        <div
          class="map"
          ref={surface.target}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the map
          tabIndex={0}
          role="application"
          aria-label={keys?.label ?? say('draw.keys-look')}
          onKeyDown={(event) => followKey(event, surface, keys)}
        />
        {hasCross === true && <Cross />}
        {chips !== undefined && <div class="map-chips">{chips}</div>}
        <MapControls inUse={surface} />
      </section>
      <section class="draw-sheet" aria-label={title}>
        <Title text={title} class="out" />
        {children}
      </section>
    </div>
  )
}

function Cross(): JSX.Element {
  const arms = 'M-30 0h22M8 0h22M0-30v22M0 8v22'
  return (
    <svg class="cross" viewBox="-32 -32 64 64" aria-hidden="true">
      <path class="edge" d={arms} />
      <path d={`${arms}M-18 0a18 18 0 1 0 36 0a18 18 0 1 0-36 0M0 0h.01`} />
    </svg>
  )
}

const step = 32
const smallStep = 4

const ways: Readonly<Record<string, readonly [right: number, up: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

function followKey(event: KeyboardEvent, { plan }: Surface, keys: DrawKeys | undefined): void {
  const { key, shiftKey } = event
  const way = ways[key]
  const length = shiftKey ? smallStep : step
  if (way !== undefined) plan.value?.moveBy(way[0] * length, way[1] * length)
  else if (key === '+' || key === '=') plan.value?.zoomBy(1)
  else if (key === '-') plan.value?.zoomBy(-1)
  else if (key === 'Enter' && keys?.onEnter !== undefined) keys.onEnter()
  else if (key === 'Backspace' && keys?.onBackspace !== undefined) keys.onBackspace()
  else return
  event.preventDefault()
}

export interface Surface {
  readonly target: RefObject<HTMLDivElement | null>
  readonly plan: Signal<FarmMap | null>
  readonly metresPerPixel: Signal<number>
  /** Position of the crosshair. */
  readonly camera: Signal<Camera>
}

interface SurfaceOptions {
  /** Id of the edited area, which is not drawn as a neighbour. */
  readonly without?: string
  /** Initial view; if empty, the whole farm or the last view. */
  readonly begin: readonly Corner[]
  readonly onTap: (tap: Tap) => void
}

/** Map to draw on; its centre is under the crosshair. */
export function useSurface({ without, begin, onTap }: SurfaceOptions): Surface {
  const target = useRef<HTMLDivElement>(null)
  const plan = useSignal<FarmMap | null>(null)
  const metresPerPixel = useSignal(1)
  const camera = useSignal<Camera>({ center: [0, 0], resolution: 1 })
  const tapped = useRef(onTap)
  tapped.current = onTap

  useEffect(() => {
    if (target.current === null) return undefined
    const farmMap = new FarmMap(
      target.current,
      {
        tapped: (_area, tap) => tapped.current(tap),
        scaled: (metres) => {
          metresPerPixel.value = metres
        },
        loaded: () => {},
        looked: (now) => {
          if (!isSame(now, camera.peek())) camera.value = now
        },
      },
      'drawn on',
    )
    plan.value = farmMap
    frame(farmMap, begin)
    return () => {
      plan.value = null
      farmMap.destroy()
      stopPosition()
    }
  }, [])
  useSignalEffect(() => {
    const others = areas().filter((area) => !isArchived(area) && area.id !== without && !isFarmPoint(area))
    plan.value?.load(treeOf(others))
  })
  useSignalEffect(() => {
    const state = positionState.value
    const position = state.kind === 'found' ? state.position : undefined
    plan.value?.show({ chosen: undefined, tagsOf: () => [], occupied: [], restOf: undefined, position, below: 0 })
  })
  useSignalEffect(() => {
    plan.value?.showGround(chosenLayer())
  })
  return { target, plan, metresPerPixel, camera }
}

/** The farm's position: in the way of the first drawing. */
const isFarmPoint = (area: LocalRecord): boolean =>
  area.fields.area_type === 'property' && shapeIn(wktOf(area))?.form === 'point'

const isSame = (one: Camera, other: Camera): boolean =>
  one.resolution === other.resolution && one.center[0] === other.center[0] && one.center[1] === other.center[1]

function frame(plan: FarmMap, corners: readonly Corner[]): void {
  const [first, second] = corners
  if (first === undefined) return
  if (second === undefined) plan.showPlace(mapSpotOf(first))
  else plan.frame(extentOf(corners.map(mapSpotOf)) as Extent)
}

export function useSketch({ plan }: Surface, sketch: MapSketch): void {
  useEffect(() => plan.value?.drawOver((pencil) => paintSketch(pencil, sketch)))
}

export const middleOf = ({ camera: { value } }: Surface): MapSpot => [value.center[0] ?? 0, value.center[1] ?? 0]

/** Position of the crosshair, snapped to a near corner or side of a neighbour. */
export function aimOf(surface: Surface): Aim {
  const { plan, camera } = surface
  return snapped(middleOf(surface), plan.value?.areas() ?? [], camera.value.resolution)
}

const reach = 12

export interface Aim {
  readonly at: MapSpot
  /** Id of the neighbour it snapped to. */
  readonly to: string | null
}

/** Snaps to a neighbour's corner within reach, else to the nearest point of its sides; else returns the spot. */
export function snapped(spot: MapSpot, areas: readonly DrawnArea[], resolution: number): Aim {
  const within = reach * resolution
  const [x, y] = spot
  const near = areas.filter(({ extent }) => touches(extent, [x - within, y - within, x + within, y + within]))
  const corner = nearest(spot, within, near, cornersIn)
  return corner ?? nearest(spot, within, near, placesOnSides) ?? { at: spot, to: null }
}

type Places = (path: readonly number[], spot: MapSpot) => readonly MapSpot[]

function nearest(spot: MapSpot, within: number, areas: readonly DrawnArea[], places: Places): Aim | undefined {
  let [best, least]: [Aim | undefined, number] = [undefined, within]
  for (const { name, areas: parts, lines, points } of areas)
    for (const path of [...parts.flat(), ...lines, ...points])
      for (const at of places(path, spot)) {
        const distance = Math.hypot(at[0] - spot[0], at[1] - spot[1])
        if (distance <= least) [best, least] = [{ at, to: name }, distance]
      }
  return best
}

const cornersIn: Places = (path) => path.flatMap((x, at) => (at % 2 === 0 ? [[x, path[at + 1] ?? 0] as const] : []))

const placesOnSides: Places = (path, [x, y]) => {
  const corners = cornersIn(path, [x, y])
  return corners.slice(1).map(([x2, y2], at) => {
    const [x1, y1] = corners[at] ?? [x2, y2]
    const long = (x2 - x1) ** 2 + (y2 - y1) ** 2
    const share = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / long))
    return [x1 + share * (x2 - x1), y1 + share * (y2 - y1)]
  })
}
