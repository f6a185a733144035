import { stretchAt } from '../look/place/mercator.ts'
import type { Pencil } from './draw-areas.ts'
import type { Position } from './position.ts'
import { across, down } from './window.ts'

/** A dot, and around it the circle in which the device surely is. */
export function drawPosition({ context, window, theme }: Pencil, { at: [x, y], accuracy }: Position): void {
  const [left, top] = [across(window, x), down(window, y)]
  const radius = (accuracy * stretchAt(y).east) / window.resolution
  context.fillStyle = theme.water
  context.strokeStyle = theme.water
  context.lineWidth = 1.5
  context.beginPath()
  context.arc(left, top, radius, 0, 2 * Math.PI)
  context.globalAlpha = 0.14
  context.fill()
  context.globalAlpha = 1
  context.stroke()
  context.beginPath()
  context.arc(left, top, 8, 0, 2 * Math.PI)
  context.strokeStyle = theme.sheet
  context.lineWidth = 3
  context.fill()
  context.stroke()
}
