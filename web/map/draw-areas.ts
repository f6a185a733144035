import type { DrawnKind } from '../look/place/area-kind.ts'
import { type Extent, touches } from '../look/place/mercator.ts'
import { type DrawnArea, isDrawn, pixelsOf, smallestVisible } from './drawn-area.ts'
import type { CanvasHatches, MapTheme, RestStep } from './map-theme.ts'

/** An area with its position in the tree. */
export interface SitedArea {
  readonly area: DrawnArea
  readonly level: number
  /** Id of its parent. */
  readonly parent: string | undefined
  readonly standing: 'top' | 'below'
  /** Areas that contain others get no hatch: it would show between theirs. */
  readonly holds: 'nothing' | 'areas'
}

export interface Pencil {
  readonly context: CanvasRenderingContext2D
  readonly window: MapWindow
  readonly theme: MapTheme
  readonly hatches: CanvasHatches
}

/** `none`: never grazed. Drawn faintly, so that its colour is not taken for rest. */
export type RestStepOf = (id: string) => RestStep | 'none'

/** Areas in the window that are large enough to see, the lowest level first. */
export function visibleAreas(window: MapWindow, levels: readonly (readonly SitedArea[])[]): readonly SitedArea[] {
  const visible: { sited: SitedArea; pixels: number }[] = []
  for (const level of levels)
    for (const sited of level) {
      if (!touches(sited.area.extent, window.extent)) continue
      const pixels = pixelsOf(sited.area, window.resolution)
      if (isDrawn(pixels, sited.standing)) visible.push({ sited, pixels })
    }
  const least = smallestVisible(visible.map(({ sited, pixels }) => (sited.standing === 'top' ? Infinity : pixels)))
  return visible.filter(({ sited, pixels }) => sited.standing === 'top' || pixels >= least).map(({ sited }) => sited)
}

/** Paints areas of one style and level with one path: this keeps thousands fast. */
export function drawAreas(pencil: Pencil, visible: readonly SitedArea[], restOf: RestStepOf | undefined): void {
  for (const alike of runsOf(visible, restOf)) {
    drawInsides(pencil, alike)
    drawLines(pencil, alike)
    drawPoints(pencil, alike)
  }
}

interface AreaRun {
  readonly kind: DrawnKind
  readonly rest: RestStep | 'none' | undefined
  readonly isHatched: boolean
  readonly areas: DrawnArea[]
}

function runsOf(visible: readonly SitedArea[], restOf: RestStepOf | undefined): AreaRun[] {
  const runs: AreaRun[] = []
  let level = Number.NaN
  let byLook = new Map<string, AreaRun>()
  for (const sited of visible) {
    if (sited.level !== level) {
      level = sited.level
      byLook = new Map()
    }
    const rest = restOf?.(sited.area.id)
    const look = `${sited.area.kind} ${sited.holds} ${rest ?? ''}`
    const run = byLook.get(look)
    if (run !== undefined) {
      run.areas.push(sited.area)
      continue
    }
    const begun = { kind: sited.area.kind, rest, isHatched: sited.holds === 'nothing', areas: [sited.area] }
    byLook.set(look, begun)
    runs.push(begun)
  }
  return runs
}

const dashes = [9, 4, 2, 4]
const triangle = 'M0-8l7 12h-14z'
const dot = 'M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0'
const halo = 'M-14 0a14 14 0 1 0 28 0a14 14 0 1 0 -28 0'
const narrowBed = 24

function drawInsides({ context, window, theme, hatches }: Pencil, { kind, rest, isHatched, areas }: AreaRun): void {
  const paint = rest === undefined ? theme.kinds[kind] : rest === 'none' ? theme.kinds.other : theme.rest[rest]
  const isFar = isNarrow(areas, window)
  const hatch = isHatched && !isFar ? hatches[kind] : undefined
  const insides = kind === 'property' ? [] : [paint.fill, ...(hatch === undefined ? [] : [hatch])]
  context.strokeStyle = paint.edge
  context.lineWidth = isFar ? Math.min(1, theme.line) : theme.line
  context.lineJoin = 'miter'
  context.miterLimit = 3
  context.setLineDash(kind === 'property' ? dashes : [])
  for (const path of pathsOf(areas, window)) {
    for (const inside of insides) {
      context.fillStyle = inside
      context.fill(path)
    }
    context.stroke(path)
  }
  context.setLineDash([])
}

/** Areas per path. One path for all is slow, because its edges are sorted; so is one for each. */
const atOnce = 50

function pathsOf(areas: readonly DrawnArea[], window: MapWindow): Path2D[] {
  const paths: Path2D[] = []
  for (let at = 0; at < areas.length; at += atOnce) {
    const path = new Path2D()
    for (const area of areas.slice(at, at + atOnce))
      for (const rings of area.areas) for (const ring of rings) trace(path, ring, window)
    paths.push(path)
  }
  return paths
}

/** From far away, hatches of beds are noise. */
function isNarrow(areas: readonly DrawnArea[], { resolution }: MapWindow): boolean {
  const [first] = areas
  return first !== undefined && first.kind === 'bed' && pixelsOf(first, resolution) < narrowBed * 4
}

function drawLines({ context, window, theme }: Pencil, { kind, areas }: AreaRun): void {
  const path = new Path2D()
  for (const area of areas) for (const line of area.lines) trace(path, line, window)
  context.strokeStyle = theme.kinds[kind].edge
  context.lineWidth = kind === 'water' ? 4 : 2
  context.lineCap = 'round'
  context.stroke(path)
  context.lineCap = 'butt'
}

/** A landmark is a triangle, as on a survey map; other points are dots. */
function drawPoints({ context, window, theme }: Pencil, { kind, areas }: AreaRun): void {
  const path = new Path2D()
  for (const area of areas)
    for (const [x = 0, y = 0] of area.points) {
      const [left, top] = [pixelX(window, x), pixelY(window, y)]
      path.addPath(new Path2D(kind === 'landmark' ? triangle : dot), new DOMMatrix().translate(left, top))
    }
  context.fillStyle = theme.kinds[kind].fill
  context.strokeStyle = theme.kinds[kind].edge
  context.lineWidth = theme.line
  context.fill(path)
  context.stroke(path)
}

/** Outlines all shapes of the chosen area, on a wider line in paper colour. */
export function drawChosen({ context, window, theme }: Pencil, area: DrawnArea): void {
  const path = new Path2D()
  for (const ring of [...area.areas.flat(), ...area.lines]) trace(path, ring, window)
  for (const [x = 0, y = 0] of area.points)
    path.addPath(new Path2D(halo), new DOMMatrix().translate(pixelX(window, x), pixelY(window, y)))
  context.lineJoin = 'round'
  context.strokeStyle = theme.sheet
  context.lineWidth = theme.chosenLine * 2
  context.stroke(path)
  context.strokeStyle = theme.leaf
  context.lineWidth = theme.chosenLine
  context.stroke(path)
}

/** Skips corners on the same pixel: thousands of them cost time. */
function trace(path: Path2D, ring: readonly number[], window: MapWindow): void {
  let [lastLeft, lastTop] = [Infinity, Infinity]
  const end = ring.length - 2
  for (let at = 0; at <= end; at += 2) {
    const left = pixelX(window, ring[at] as number)
    const top = pixelY(window, ring[at + 1] as number)
    if (at === 0) path.moveTo(left, top)
    else if (at === end || Math.abs(left - lastLeft) + Math.abs(top - lastTop) > 0.7) path.lineTo(left, top)
    else continue
    lastLeft = left
    lastTop = top
  }
}

/** Visible part of the map. */
export interface MapWindow {
  readonly extent: Extent
  /** Map metres per CSS pixel. */
  readonly resolution: number
  readonly width: number
  readonly height: number
  /** Device pixels per CSS pixel. */
  readonly ratio: number
}

export const pixelX = ({ extent, resolution }: MapWindow, x: number): number => (x - extent[0]) / resolution
export const pixelY = ({ extent, resolution }: MapWindow, y: number): number => (extent[3] - y) / resolution
