import type { AreaKind } from '../look/place/area-kind.ts'
import { type Hatch, hatches } from '../look/place/hatches.ts'
import type { MapTheme } from './map-theme.ts'

export type CanvasHatches = Partial<Record<AreaKind, CanvasPattern>>

interface Printing {
  readonly theme: MapTheme
  readonly ratio: number
}

/** The patterns of areas, drawn once for a theme and a density of pixels. */
export function canvasHatches(context: CanvasRenderingContext2D, { theme, ratio }: Printing): CanvasHatches {
  const made: CanvasHatches = {}
  for (const [kind, hatch] of Object.entries(hatches) as [AreaKind, Hatch][]) {
    const pattern = context.createPattern(tileOf(hatch, { theme, ratio, colour: theme.kinds[kind].edge }), 'repeat')
    if (pattern !== null) made[kind] = pattern
  }
  return made
}

/** Tiles have whole pixels, else seams show: so the hatch is stretched to the nearest. */
function tileOf(
  { width, height, path, stroke }: Hatch,
  { theme, ratio, colour }: Printing & { colour: string },
): HTMLCanvasElement {
  const tile = document.createElement('canvas')
  tile.width = Math.round(width * ratio)
  tile.height = Math.round(height * ratio)
  const context = tile.getContext('2d')
  if (context === null) return tile
  context.scale(tile.width / width, tile.height / height)
  context.globalAlpha = theme.hatch
  context.strokeStyle = colour
  context.lineWidth = stroke
  context.lineCap = 'round'
  context.stroke(new Path2D(path))
  return tile
}

/** Holds the patterns to a place on the screen that moves with the ground. */
export function anchorHatches(
  made: CanvasHatches,
  { left, top, ratio }: { left: number; top: number; ratio: number },
): void {
  for (const [kind, pattern] of Object.entries(made) as [AreaKind, CanvasPattern][])
    pattern.setTransform(
      new DOMMatrix()
        .translate(left, top)
        .rotate(hatches[kind]?.turn ?? 0)
        .scale(1 / ratio),
    )
}
