import type { Pencil } from './draw-areas.ts'
import { gridOf } from './grid.ts'
import { across, down } from './window.ts'

/** The numbers keep clear of the buttons above and below; on a phone there is no room for those along the lower edge. */
const controls = 72
const wide = 600

/** Thin blue lines, with their numbers along the left and the lower edge. */
export function drawGrid(
  { context, window, theme }: Pencil,
  edges: { readonly anchor: number; readonly below: number },
): void {
  const { upright, level } = gridOf(window.extent, { resolution: window.resolution, anchor: edges.anchor })
  const path = new Path2D()
  for (const { at } of upright) {
    const left = Math.round(across(window, at)) + 0.5
    path.moveTo(left, 0)
    path.lineTo(left, window.height)
  }
  for (const { at } of level) {
    const top = Math.round(down(window, at)) + 0.5
    path.moveTo(0, top)
    path.lineTo(window.width, top)
  }
  context.strokeStyle = theme.water
  context.globalAlpha = 0.28
  context.lineWidth = 0.75
  context.stroke(path)
  context.globalAlpha = 1
  context.font = `500 ${12 * theme.textScale}px ${theme.sans}`
  context.textAlign = 'left'
  const lowest = window.height - edges.below
  if (window.width >= wide) for (const { at, number } of upright) write(number, across(window, at) + 4, lowest - 8)
  for (const { at, number } of level) {
    const top = down(window, at) - 4
    if (top > controls && top < lowest - controls) write(number, 4, top)
  }

  function write(text: string, left: number, top: number): void {
    context.lineJoin = 'round'
    context.lineWidth = 3
    context.strokeStyle = theme.ground
    context.strokeText(text, left, top)
    context.fillStyle = theme.water
    context.fillText(text, left, top)
  }
}
