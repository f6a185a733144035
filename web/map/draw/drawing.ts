import { type Corner, rounded } from './geometry.ts'

/** Corners in ring order, and earlier states for Undo. */
export interface DrawingState {
  readonly corners: readonly Corner[]
  /** Earlier states, the latest last. */
  readonly before: readonly (readonly Corner[])[]
}

const mostSteps = 50

export const drawingOf = (corners: readonly Corner[]): DrawingState => ({ corners, before: [] })

const stepped = ({ corners, before }: DrawingState, next: readonly Corner[]): DrawingState => ({
  corners: next,
  before: [...before, corners].slice(-mostSteps),
})

export const withCorner = (drawing: DrawingState, corner: Corner): DrawingState =>
  stepped(drawing, [...drawing.corners, corner])

export const withCorners = (drawing: DrawingState, corners: readonly Corner[]): DrawingState =>
  stepped(drawing, corners)

export const withMoved = (drawing: DrawingState, at: number, to: Corner): DrawingState =>
  stepped(drawing, drawing.corners.with(at, to))

export const withoutCorner = (drawing: DrawingState, at: number): DrawingState =>
  stepped(
    drawing,
    drawing.corners.filter((_, index) => index !== at),
  )

/** Adds a corner in the middle of the side after this one. */
export function withMiddle(drawing: DrawingState, behind: number): DrawingState {
  const { corners } = drawing
  const [from, to] = [corners[behind], corners[(behind + 1) % corners.length]]
  return from === undefined || to === undefined
    ? drawing
    : stepped(drawing, corners.toSpliced(behind + 1, 0, middleOf(from, to)))
}

export const middleOf = (from: Corner, to: Corner): Corner => rounded([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])

export function undone({ corners, before }: DrawingState): DrawingState {
  return { corners: before.at(-1) ?? corners, before: before.slice(0, -1) }
}
