import { areaKinds, type DrawnKind } from '../look/place/area-kind.ts'
import { type Hatch, hatches } from '../look/place/hatches.tsx'

/** Days since grazing, in steps with a colour each. */
export const restSteps = ['grazed', 'short', 'some', 'long'] as const
export type RestStep = (typeof restSteps)[number]

interface Paint {
  readonly fill: string
  readonly edge: string
}

/** Colours of the theme, read from the style sheet, so that canvas and pages match. */
export interface MapTheme {
  readonly kinds: Readonly<Record<DrawnKind, Paint>>
  readonly rest: Readonly<Record<RestStep, Paint>>
  readonly ground: string
  readonly sheet: string
  readonly ink: string
  readonly leaf: string
  readonly water: string
  readonly line: number
  readonly chosenLine: number
  readonly hatch: number
  readonly serif: string
  readonly sans: string
  /** Follows the font size of the browser. */
  readonly textScale: number
}

export function readMapTheme(): MapTheme {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim()
  const paint = (name: string): Paint => ({ fill: token(name), edge: token(`${name}-e`) })
  const isSun = document.documentElement.dataset.theme === 'sun'
  return {
    kinds: { ...record(areaKinds, paint), property: { fill: 'transparent', edge: token('other-e') } },
    rest: record(restSteps, (step) => paint(`rest-${step}`)),
    ground: token('ground'),
    sheet: token('sheet'),
    ink: token('ink'),
    leaf: token('leaf'),
    water: token('water-e'),
    line: Number.parseFloat(token('mapline')),
    chosenLine: isSun ? 5 : 3.5,
    hatch: isSun ? 0.55 : 0.42,
    serif: token('place'),
    sans: token('sans'),
    textScale: Number.parseFloat(style.fontSize) / 16,
  }
}

function record<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>
}

/** Calls back on each change of the theme; returns a function to stop. */
export function whenThemeChanges(changed: () => void): () => void {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

export type CanvasHatches = Partial<Record<DrawnKind, CanvasPattern>>

interface HatchOptions {
  readonly theme: MapTheme
  readonly ratio: number
}

/** Hatch patterns for a theme and pixel density. */
export function canvasHatches(context: CanvasRenderingContext2D, { theme, ratio }: HatchOptions): CanvasHatches {
  const canvasHatchesByKind: CanvasHatches = {}
  for (const [kind, hatch] of Object.entries(hatches) as [DrawnKind, Hatch][]) {
    const pattern = context.createPattern(tileOf(hatch, { theme, ratio, colour: theme.kinds[kind].edge }), 'repeat')
    if (pattern !== null) canvasHatchesByKind[kind] = pattern
  }
  return canvasHatchesByKind
}

/** Tiles have whole pixels, else seams show: the hatch is stretched to the nearest. */
function tileOf(
  { width, height, path, stroke }: Hatch,
  { theme, ratio, colour }: HatchOptions & { colour: string },
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

/** Aligns patterns to a map point, so that they move with the ground. */
export function anchorHatches(
  canvasHatchesByKind: CanvasHatches,
  { left, top, ratio }: { left: number; top: number; ratio: number },
): void {
  for (const [kind, pattern] of Object.entries(canvasHatchesByKind) as [DrawnKind, CanvasPattern][])
    pattern.setTransform(
      new DOMMatrix()
        .translate(left, top)
        .rotate(hatches[kind]?.turn ?? 0)
        .scale(1 / ratio),
    )
}
