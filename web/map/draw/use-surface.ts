import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Extent, extentOf } from '../../look/place/mercator.ts'
import { areas } from '../../store/local-copy.ts'
import { isArchived } from '../../store/record.ts'
import { treeOf } from '../area-tree.ts'
import { chosenLayer } from '../chosen-layer.ts'
import { type Camera, Plan, type Tap } from '../plan.ts'
import { positionState, stopPosition } from '../position.ts'
import { type Corner, type MapSpot, mapSpotOf } from './corners.ts'
import { paintSketch, type Sketch } from './sketch.ts'
import { type Aim, snapped } from './snap.ts'

export interface Surface {
  readonly target: RefObject<HTMLDivElement | null>
  readonly plan: Signal<Plan | null>
  readonly metresPerPixel: Signal<number>
  /** Where the cross is. */
  readonly camera: Signal<Camera>
}

interface Wanted {
  /** Is drawn anew, and so not among the others. */
  readonly without?: string
  /** What is to be seen at first; the whole farm, or what was looked at last, where nothing is said. */
  readonly begin: readonly Corner[]
  readonly onTap: (tap: Tap) => void
}

/** A map to draw on: its middle is under the cross. */
export function useSurface({ without, begin, onTap }: Wanted): Surface {
  const target = useRef<HTMLDivElement>(null)
  const plan = useSignal<Plan | null>(null)
  const metresPerPixel = useSignal(1)
  const camera = useSignal<Camera>({ center: [0, 0], resolution: 1 })
  const tapped = useRef(onTap)
  tapped.current = onTap

  useEffect(() => {
    if (target.current === null) return undefined
    const made = new Plan(
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
    plan.value = made
    frame(made, begin)
    return () => {
      plan.value = null
      made.destroy()
      stopPosition()
    }
  }, [])
  useSignalEffect(() => {
    const others = areas().filter((area) => !isArchived(area) && area.id !== without)
    plan.value?.load(treeOf(others))
  })
  useSignalEffect(() => {
    const state = positionState.value
    const position = state.kind === 'found' ? state.position : undefined
    plan.value?.show({ chosen: undefined, tagsOf: () => [], restOf: undefined, position, below: 0 })
  })
  useSignalEffect(() => {
    plan.value?.showGround(chosenLayer())
  })
  return { target, plan, metresPerPixel, camera }
}

const isSame = (one: Camera, other: Camera): boolean =>
  one.resolution === other.resolution && one.center[0] === other.center[0] && one.center[1] === other.center[1]

function frame(plan: Plan, corners: readonly Corner[]): void {
  const [first, second] = corners
  if (first === undefined) return
  if (second === undefined) plan.showPlace(mapSpotOf(first))
  else plan.frame(extentOf(corners.map(mapSpotOf)) as Extent)
}

/** Draws the sketch as it is now. */
export function useSketch({ plan }: Surface, sketch: Sketch): void {
  useEffect(() => plan.value?.drawOver((pencil) => paintSketch(pencil, sketch)))
}

export const middleOf = ({ camera: { value } }: Surface): MapSpot => [value.center[0] ?? 0, value.center[1] ?? 0]

/** What the cross aims at: a corner or a side of a neighbour within reach draws it to itself. */
export function aimOf(surface: Surface): Aim {
  const { plan, camera } = surface
  return snapped(middleOf(surface), plan.value?.areas() ?? [], camera.value.resolution)
}
