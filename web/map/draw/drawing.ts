import { type Corner, rounded } from './corners.ts'

/** Corners in the order of the ring, and what they were before each step. */
export interface Drawing {
  readonly corners: readonly Corner[]
  /** The last one last. */
  readonly before: readonly (readonly Corner[])[]
}

const mostSteps = 50

export const nothingDrawn: Drawing = { corners: [], before: [] }

export const begunWith = (corners: readonly Corner[]): Drawing => ({ corners, before: [] })

const stepped = ({ corners, before }: Drawing, next: readonly Corner[]): Drawing => ({
  corners: next,
  before: [...before, corners].slice(-mostSteps),
})

export const withCorner = (drawing: Drawing, corner: Corner): Drawing => stepped(drawing, [...drawing.corners, corner])

export const withCorners = (drawing: Drawing, corners: readonly Corner[]): Drawing => stepped(drawing, corners)

export const withMoved = (drawing: Drawing, at: number, to: Corner): Drawing =>
  stepped(drawing, drawing.corners.with(at, to))

export const without = (drawing: Drawing, at: number): Drawing =>
  stepped(
    drawing,
    drawing.corners.filter((_, index) => index !== at),
  )

/** A corner more in the middle of the side behind one. */
export function withMiddle(drawing: Drawing, behind: number): Drawing {
  const { corners } = drawing
  const [from, to] = [corners[behind], corners[(behind + 1) % corners.length]]
  return from === undefined || to === undefined
    ? drawing
    : stepped(drawing, corners.toSpliced(behind + 1, 0, middleOf(from, to)))
}

export const middleOf = (from: Corner, to: Corner): Corner => rounded([(from[0] + to[0]) / 2, (from[1] + to[1]) / 2])

export function undone({ corners, before }: Drawing): Drawing {
  return { corners: before.at(-1) ?? corners, before: before.slice(0, -1) }
}
