import { metresBetween } from '../../../src/fields/wkt/size.ts'
import { type Pencil, pixelX, pixelY } from '../draw-areas.ts'
import { drawPosition, type MapPosition } from '../position.ts'
import { type Corner, cornerAt, type MapSpot, mapSpotOf } from './geometry.ts'
import { lengthText } from './lengths.tsx'

/** Drawing on top of the areas. */
export interface MapSketch {
  readonly corners: readonly Corner[]
  /** True once the ring is closed. */
  readonly isRing: boolean
  /** A line has no surface and no closing side. */
  readonly isLine?: boolean
  /** Position of the next corner, or of the selected one. */
  readonly aim: MapSpot | null
  readonly isSnapped?: boolean
  readonly chosen?: number | null
  /** Handles in the middle of sides, to add corners. */
  readonly hasMiddles?: boolean
  /** Position of the walking user. */
  readonly position?: MapPosition | undefined
  readonly beds?: readonly (readonly Corner[])[]
}

type Pixel = readonly [left: number, top: number]

const dashes = [6, 5]
const leastSide = 56

export function paintSketch(pencil: Pencil, sketch: MapSketch): void {
  const at = ([x, y]: MapSpot): Pixel => [pixelX(pencil.window, x), pixelY(pencil.window, y)]
  const spots = spotsOf(sketch)
  const { corners, isRing, aim, chosen = null } = sketch
  const pixels = spots.map(at)
  const isClosed = isRing || (sketch.isLine !== true && aim !== null)
  if (isClosed) fill(pencil, pixels)
  for (const [index, side] of sidesOf(pixels, isClosed).entries())
    stroke(pencil, side, isSet(index, sketch) ? [] : dashes)
  for (const bed of sketch.beds ?? []) paintBed(pencil, bed.map(mapSpotOf).map(at))
  const grounded = spots.map(cornerAt)
  const share = sketch.hasMiddles === true ? 0.25 : 0.5
  for (const [index, [from, to]] of sidesOf(pixels, isClosed).entries()) {
    const metres = metresBetween(grounded[index] as Corner, grounded[(index + 1) % grounded.length] as Corner)
    tag(pencil, { from, to, share, text: lengthText(metres) })
  }
  if (sketch.hasMiddles === true && chosen === null)
    for (const [from, to] of sidesOf(pixels, isRing)) dot(pencil, middleOf(from, to), 4)
  for (const [index, pixel] of pixels.slice(0, corners.length).entries()) dot(pencil, pixel, index === chosen ? 10 : 7)
  if (sketch.position !== undefined) drawPosition(pencil, sketch.position)
  if (sketch.isSnapped === true && aim !== null) ring(pencil, at(aim))
}

/** Corners including the aimed one. */
function spotsOf({ corners, isRing, aim, chosen = null }: MapSketch): readonly MapSpot[] {
  const spots = corners.map(mapSpotOf)
  if (aim === null) return spots
  if (chosen !== null) return spots.with(chosen, aim)
  return isRing ? spots : [...spots, aim]
}

/** Sides to the aimed corner are not set yet. */
function isSet(side: number, { corners, isRing, aim, chosen = null }: MapSketch): boolean {
  if (chosen !== null && aim !== null) return side !== chosen && (side + 1) % corners.length !== chosen
  return isRing || side + 1 < corners.length
}

function sidesOf(pixels: readonly Pixel[], isRing: boolean): readonly (readonly [Pixel, Pixel])[] {
  const sides = pixels.slice(1).map((to, index) => [pixels[index] ?? to, to] as const)
  const [first, last] = [pixels[0], pixels.at(-1)]
  return isRing && pixels.length > 2 && first !== undefined && last !== undefined ? [...sides, [last, first]] : sides
}

const middleOf = (from: Pixel, to: Pixel): Pixel => [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2]

function pathOf(pixels: readonly Pixel[]): Path2D {
  const path = new Path2D()
  for (const [left, top] of pixels) path.lineTo(left, top)
  return path
}

function fill({ context, theme }: Pencil, pixels: readonly Pixel[]): void {
  context.globalAlpha = 0.75
  context.fillStyle = theme.kinds.field.fill
  context.fill(pathOf(pixels))
  context.globalAlpha = 1
}

function stroke({ context, theme }: Pencil, side: readonly Pixel[], dash: readonly number[]): void {
  context.setLineDash([...dash])
  context.lineWidth = 3
  context.strokeStyle = theme.leaf
  context.stroke(pathOf(side))
  context.setLineDash([])
}

function paintBed({ context, theme }: Pencil, pixels: readonly Pixel[]): void {
  const path = pathOf(pixels)
  path.closePath()
  context.fillStyle = theme.kinds.bed.fill
  context.strokeStyle = theme.kinds.bed.edge
  context.lineWidth = 0.5
  context.fill(path)
  context.stroke(path)
}

function dot({ context, theme }: Pencil, [left, top]: Pixel, radius: number): void {
  context.beginPath()
  context.arc(left, top, radius, 0, 2 * Math.PI)
  context.fillStyle = theme.sheet
  context.strokeStyle = theme.leaf
  context.lineWidth = Math.min(3, radius / 2)
  context.fill()
  context.stroke()
}

function ring({ context, theme }: Pencil, [left, top]: Pixel): void {
  context.beginPath()
  context.arc(left, top, 12, 0, 2 * Math.PI)
  context.strokeStyle = theme.leaf
  context.lineWidth = 3
  context.stroke()
}

interface Tag {
  readonly from: Pixel
  readonly to: Pixel
  /** Position along the side, 0 to 1. */
  readonly share: number
  readonly text: string
}

/** Length label of a side, where it fits. */
function tag({ context, theme }: Pencil, { from, to, share, text }: Tag): void {
  if (Math.hypot(to[0] - from[0], to[1] - from[1]) * share < leastSide / 2) return
  const [left, top] = [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
  context.font = `600 ${14 * theme.textScale}px ${theme.sans}`
  const [width, height] = [context.measureText(text).width + 16, 26 * theme.textScale]
  context.beginPath()
  context.roundRect(left - width / 2, top - height / 2, width, height, 6)
  context.fillStyle = theme.sheet
  context.strokeStyle = theme.ink
  context.lineWidth = 1
  context.fill()
  context.stroke()
  context.fillStyle = theme.ink
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(text, left, top)
  context.textBaseline = 'alphabetic'
}
