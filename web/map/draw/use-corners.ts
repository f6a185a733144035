import { useRef, useState } from 'preact/hooks'
import { say } from '../../words/say.ts'
import type { Tap } from '../farm-map.ts'
import { type Aim, aimOf, type Surface, snapped } from './draw-page.tsx'
import { type DrawingState, middleOf, undone, withCorner, withMiddle, withMoved, withoutCorner } from './drawing.ts'
import { type Corner, cornerAt, crossesPath, type MapSpot, mapSpotOf } from './geometry.ts'

interface CornersOptions {
  readonly surface: Surface
  readonly drawing: DrawingState
  /** True for a closed shape: corners are moved, and new ones split sides. */
  readonly isRing: boolean
  readonly onChange: (drawing: DrawingState) => void
  /** Called when the user returns to the first corner. */
  readonly onClose?: () => void
  /** Called with the reason why a corner was not set. */
  readonly onFault?: (words: string) => void
}

export interface Corners {
  readonly aim: Aim
  readonly chosen: number | null
  /** True after a click set a corner: the crosshair is then no corner to come. */
  readonly isClicked: boolean
  readonly add: () => void
  readonly addAt: (corner: Corner) => void
  readonly undo: () => void
  readonly choose: (corner: number | null) => void
  readonly put: () => void
  readonly remove: () => void
  readonly addBehind: () => void
  readonly tap: (tap: Tap) => void
  /** Last action, announced to screen readers. */
  readonly announcement: string
}

const finger = 22
const sameSpot = 2
const doubleClick = 400

/** Edits corners by crosshair, click and keys. */
export function useCorners({ surface, drawing, isRing, onChange, onClose, onFault }: CornersOptions): Corners {
  const [chosen, setChosen] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const [isClicked, setClicked] = useState(false)
  const lastClick = useRef(0)
  const aim = aimOf(surface)
  const { corners } = drawing
  const pixelsTo = (corner: Corner, [x, y]: MapSpot): number => {
    const [left, top] = mapSpotOf(corner)
    return Math.hypot(left - x, top - y) / surface.camera.value.resolution
  }
  const choose = (corner: number | null, among = corners) => {
    setChosen(corner)
    const at = corner === null ? undefined : among[corner]
    if (at !== undefined) surface.plan.value?.moveTo(mapSpotOf(at))
  }
  const addAt = (corner: Corner) => {
    onChange(withCorner(drawing, corner))
    setAnnouncement(say('draw.corner-added', { number: corners.length + 1 }))
  }
  const addOn = (spot: MapSpot) => {
    const [first, last] = [corners[0], corners.at(-1)]
    if (first !== undefined && corners.length > 2 && pixelsTo(first, spot) < finger / 2) onClose?.()
    else if (last === undefined || pixelsTo(last, spot) > sameSpot) {
      if (crossesPath(corners, cornerAt(spot))) onFault?.(say('draw.would-cross'))
      else addAt(cornerAt(spot))
    }
  }
  const putOn = (spot: MapSpot) => {
    if (chosen !== null) onChange(withMoved(drawing, chosen, cornerAt(spot)))
    setChosen(null)
  }
  const addMiddle = (behind: number) => {
    const next = withMiddle(drawing, behind)
    onChange(next)
    choose(behind + 1, next.corners)
  }
  const nearest = (places: readonly Corner[], spot: MapSpot): number | undefined => {
    const near = places
      .map((place, at) => ({ at, pixels: pixelsTo(place, spot) }))
      .filter(({ pixels }) => pixels < finger)
    return near.sort((one, other) => one.pixels - other.pixels)[0]?.at
  }
  const tap = ({ at, by }: Tap) => {
    const isSecond = Date.now() - lastClick.current < doubleClick
    lastClick.current = Date.now()
    const corner = nearest(corners, at)
    const side = isRing ? nearest(middlesOf(corners), at) : undefined
    if (isSecond && corner === corners.length - 1) return
    if (chosen === null && corner === 0 && !isRing && corners.length > 2) onClose?.()
    else if (corner !== undefined && corner !== chosen) choose(corner)
    else if (side !== undefined && chosen === null) addMiddle(side)
    else if (by === 'mouse') {
      const { at: spot } = snapped(at, surface.plan.value?.areas() ?? [], surface.camera.value.resolution)
      if (chosen !== null) putOn(spot)
      else if (!isRing) {
        setClicked(true)
        addOn(spot)
      }
    }
  }
  return {
    aim,
    chosen,
    isClicked,
    announcement,
    addAt,
    choose,
    tap,
    add: () => {
      setClicked(false)
      addOn(aim.at)
    },
    put: () => putOn(aim.at),
    undo: () => {
      const before = undone(drawing)
      onChange(before)
      setAnnouncement(say('draw.step-undone', { count: before.corners.length }))
    },
    remove: () => {
      if (chosen !== null) onChange(withoutCorner(drawing, chosen))
      setChosen(null)
    },
    addBehind: () => {
      if (chosen !== null) addMiddle(chosen)
    },
  }
}

const middlesOf = (corners: readonly Corner[]): Corner[] =>
  corners.map((from, at) => middleOf(from, corners[(at + 1) % corners.length] ?? from))
