import { fillings, type IconName, icons } from '../look/icon.tsx'
import type { Pencil } from './draw-areas.ts'

/** Box below a name with a count and an icon; without an icon a plain figure. */
export interface Tag {
  readonly icon: IconName | undefined
  readonly text: string
  readonly isAnimal: boolean
  /** The move is not sent yet. */
  readonly waiting?: true
}

/** Tags for several areas together. */
export type TagsOf = (areas: readonly string[]) => readonly Tag[]

export const tagHeight = 24

export function tagWidthOf({ context, theme }: Pencil, { icon, text }: Tag): number {
  const font = `600 ${14 * theme.textScale}px ${theme.sans}`
  return (icon === undefined ? 14 : 30) * theme.textScale + textWidth(context, font, text)
}

/** By font and text: measuring hundreds of names takes longer than drawing them. */
const widths = new Map<string, number>()

export function textWidth(context: CanvasRenderingContext2D, font: string, text: string): number {
  const key = font + text
  let width = widths.get(key)
  if (width === undefined) {
    context.font = font
    width = context.measureText(text).width
    widths.set(key, width)
  }
  return width
}

interface TagPlace {
  readonly left: number
  readonly top: number
  readonly width: number
}

export function drawTag(
  { context, theme }: Pencil,
  { icon, text, waiting }: Tag,
  { left, top, width }: TagPlace,
): void {
  const scale = theme.textScale
  context.beginPath()
  context.roundRect(left, top, width, tagHeight * scale, 6)
  context.fillStyle = theme.sheet
  context.strokeStyle = theme.ink
  context.lineWidth = 1.25
  context.fill()
  context.setLineDash(waiting ? [4, 2.5] : [])
  context.stroke()
  context.setLineDash([])
  if (icon !== undefined) drawIcon({ context, theme }, icon, [left + 5 * scale, top + 4 * scale])
  context.font = `600 ${14 * scale}px ${theme.sans}`
  context.textAlign = 'left'
  context.fillStyle = theme.ink
  context.fillText(text, left + (icon === undefined ? 7 : 25) * scale, top + 17 * scale)
}

function drawIcon(
  { context, theme }: Pick<Pencil, 'context' | 'theme'>,
  icon: IconName,
  [left, top]: readonly [number, number],
): void {
  context.save()
  context.translate(left, top)
  context.scale((16 / 24) * theme.textScale, (16 / 24) * theme.textScale)
  context.strokeStyle = theme.ink
  context.fillStyle = theme.ink
  context.lineWidth = 2
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.stroke(pathOf(icons[icon]))
  const filling = fillings[icon]
  if (filling !== undefined) context.fill(pathOf(filling))
  context.restore()
}

const paths = new Map<string, Path2D>()

function pathOf(outline: string): Path2D {
  const path = paths.get(outline) ?? new Path2D(outline)
  paths.set(outline, path)
  return path
}
