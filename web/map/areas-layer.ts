import Layer from 'ol/layer/Layer.js'
import type { FrameState } from 'ol/Map.js'
import { type Extent, stretchAt, touches } from '../look/place/mercator.ts'
import {
  drawAreas,
  drawChosen,
  type MapWindow,
  type Pencil,
  pixelX,
  pixelY,
  type RestStepOf,
  type SitedArea,
  visibleAreas,
} from './draw-areas.ts'
import { drawLabels } from './draw-labels.ts'
import type { TagsOf } from './draw-tags.ts'
import { anchorHatches, type CanvasHatches, canvasHatches, type MapTheme, readMapTheme } from './map-theme.ts'
import { drawPosition, type MapPosition } from './position.ts'

const mostPixels = 2

/** Pixels drawn beyond each edge: while the map moves, its last picture is shifted until it no longer covers the view. */
const margin = 80
/** A picture enlarged further looks blurred. */
const mostEnlarged = 1.5

export type Painter = (pencil: Pencil) => void

/** Draws the areas on its own canvas. */
export class AreasLayer extends Layer {
  readonly #canvas = document.createElement('canvas')
  #theme: MapTheme = readMapTheme()
  #hatches: CanvasHatches | undefined
  #levels: readonly (readonly SitedArea[])[] = []
  #byId: ReadonlyMap<string, SitedArea> = new Map()
  #picture: Picture = {
    chosen: undefined,
    tagsOf: () => [],
    occupied: [],
    restOf: undefined,
    position: undefined,
    below: 0,
  }
  #over: Painter | undefined
  /** Window of the last picture; undefined once something else is to be shown. */
  #drawn: MapWindow | undefined
  /** Map point that hatches and grid are aligned to. */
  #anchor: readonly [number, number] | undefined

  constructor() {
    super({})
    this.#canvas.className = 'areas'
  }

  showAreas(levels: readonly (readonly SitedArea[])[]): void {
    this.#levels = levels
    this.#byId = new Map(levels.flat().map((sited) => [sited.area.id, sited]))
    this.#drawAgain()
  }

  showPicture(picture: Picture): void {
    this.#picture = picture
    this.#drawAgain()
  }

  drawOver(painter: Painter): void {
    this.#over = painter
    this.#drawAgain()
  }

  readMapTheme(): void {
    this.#theme = readMapTheme()
    this.#hatches = undefined
    this.#drawAgain()
  }

  #drawAgain(): void {
    this.#drawn = undefined
    this.changed()
  }

  override render(frame: FrameState): HTMLElement {
    const window = windowOf(frame)
    const isMoving = this.#over === undefined && frame.viewHints.some((hint) => hint > 0)
    const drawn = this.#drawn
    const isEnough = drawn !== undefined && (isMoving ? covers(drawn, window) : isSame(drawn, window))
    const shown = isEnough ? drawn : this.#drawAnew(window)
    const size = shown.resolution / window.resolution
    const [left, top] = [pixelX(window, shown.extent[0]), pixelY(window, shown.extent[3])]
    this.#canvas.style.transform = `matrix(${size},0,0,${size},${left - margin * size},${top - margin * size})`
    return this.#canvas
  }

  #drawAnew(window: MapWindow): MapWindow {
    const { width, height, ratio } = widened(window)
    const canvas = this.#canvas
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio)
      canvas.height = Math.round(height * ratio)
      canvas.style.width = `${width}px`
      canvas.style.height = `${height}px`
      this.#hatches = undefined
    }
    const context = canvas.getContext('2d')
    if (context !== null) this.#draw(context, window)
    this.#drawn = window
    return window
  }

  /** Shapes fill the margin also; names, counts and numbers are placed in the window. */
  #draw(context: CanvasRenderingContext2D, window: MapWindow): void {
    const { chosen, tagsOf, occupied, restOf, position, below } = this.#picture
    const [theme, wide, { ratio }] = [this.#theme, widened(window), window]
    this.#hatches ??= canvasHatches(context, { theme, ratio })
    this.#anchor ??= [(window.extent[0] + window.extent[2]) / 2, (window.extent[1] + window.extent[3]) / 2]
    const [hatches, [x, y]] = [this.#hatches, this.#anchor]
    const ground: Pencil = { context, window: wide, theme, hatches }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    context.clearRect(0, 0, wide.width, wide.height)
    context.lineJoin = 'round'
    anchorHatches(hatches, { left: pixelX(wide, x), top: pixelY(wide, y), ratio })
    const drawn = visibleAreas(wide, this.#levels)
    drawAreas(ground, drawn, restOf)
    drawGridLines(ground, y)
    const seen = drawn.filter(({ area }) => touches(area.extent, window.extent))
    const pencil: Pencil = { context, window, theme, hatches }
    context.translate(margin, margin)
    drawGridNumbers(pencil, { anchor: y, below })
    const marked = seen.find(({ area }) => area.id === chosen)
    if (marked !== undefined) drawChosen(pencil, marked.area)
    const shown = new Set(seen.map(({ area }) => area.id))
    const unseen = occupied.flatMap((id) => (shown.has(id) ? [] : (this.#byId.get(id) ?? [])))
    drawLabels(pencil, seen, { tagsOf, chosen, unseen, below })
    this.#over?.(pencil)
    if (position !== undefined) drawPosition(pencil, position)
  }
}

function windowOf({ size, pixelRatio, viewState: { center, resolution } }: FrameState): MapWindow {
  const [width = 0, height = 0] = size
  const [x = 0, y = 0] = center
  const [halfWidth, halfHeight] = [(width * resolution) / 2, (height * resolution) / 2]
  return {
    extent: [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight],
    resolution,
    width,
    height,
    ratio: Math.min(pixelRatio, mostPixels),
  }
}

function widened({ extent: [west, south, east, north], resolution, width, height, ratio }: MapWindow): MapWindow {
  const more = margin * resolution
  return {
    extent: [west - more, south - more, east + more, north + more],
    resolution,
    width: width + 2 * margin,
    height: height + 2 * margin,
    ratio,
  }
}

const isSame = (one: MapWindow, other: MapWindow): boolean =>
  isAlike(one, other) &&
  one.resolution === other.resolution &&
  one.extent.every((edge, at) => edge === other.extent[at])

const isAlike = (one: MapWindow, other: MapWindow): boolean =>
  one.width === other.width && one.height === other.height && one.ratio === other.ratio

/** Whether the picture of a window and its margin fills another window. */
function covers(drawn: MapWindow, window: MapWindow): boolean {
  const [west, south, east, north] = widened(drawn).extent
  const [left, bottom, right, top] = window.extent
  const isFilled = west <= left && south <= bottom && east >= right && north >= top
  return isFilled && isAlike(drawn, window) && drawn.resolution / window.resolution <= mostEnlarged
}

/** Pixels kept free of grid numbers for the buttons; a phone has no room for numbers at the lower edge. */
const controls = 72
const wide = 600

/** Thin blue lines. */
function drawGridLines({ context, window, theme }: Pencil, anchor: number): void {
  const { upright, level } = gridOf(window.extent, { resolution: window.resolution, anchor })
  const path = new Path2D()
  for (const { at } of upright) {
    const left = Math.round(pixelX(window, at)) + 0.5
    path.moveTo(left, 0)
    path.lineTo(left, window.height)
  }
  for (const { at } of level) {
    const top = Math.round(pixelY(window, at)) + 0.5
    path.moveTo(0, top)
    path.lineTo(window.width, top)
  }
  context.strokeStyle = theme.water
  context.globalAlpha = 0.28
  context.lineWidth = 0.75
  context.stroke(path)
  context.globalAlpha = 1
}

/** At the left and lower edge. */
function drawGridNumbers(
  { context, window, theme }: Pencil,
  edges: { readonly anchor: number; readonly below: number },
): void {
  const { upright, level } = gridOf(window.extent, { resolution: window.resolution, anchor: edges.anchor })
  context.font = `500 ${12 * theme.textScale}px ${theme.sans}`
  context.textAlign = 'left'
  const lowest = window.height - edges.below
  if (window.width >= wide) for (const { at, number } of upright) write(number, pixelX(window, at) + 4, lowest - 8)
  for (const { at, number } of level) {
    const top = pixelY(window, at) - 4
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

/** Everything the map shows besides the areas. */
export interface Picture {
  readonly chosen: string | undefined
  readonly tagsOf: TagsOf
  /** Ids of areas with animals. */
  readonly occupied: readonly string[]
  /** Set if areas are coloured by days of rest. */
  readonly restOf: RestStepOf | undefined
  readonly position: MapPosition | undefined
  /** Pixels of the lower edge hidden by a sheet. */
  readonly below: number
}

interface GridLine {
  /** Map metres. */
  readonly at: number
  /** Last two digits of the hundreds of metres, as on a survey map. */
  readonly number: string
}

interface Grid {
  readonly metres: number
  readonly upright: readonly GridLine[]
  readonly level: readonly GridLine[]
}

const leastPixels = 24

/** Grid of 100 m on the ground, or ten times coarser while that is too dense. */
export function gridOf(
  extent: Extent,
  { resolution, anchor }: { readonly resolution: number; readonly anchor: number },
): Grid {
  const stretch = stretchAt(anchor)
  let metres = 100
  while ((metres * stretch.east) / resolution < leastPixels) metres *= 10
  return {
    metres,
    upright: linesBetween([extent[0], extent[2]], metres * stretch.east),
    level: linesBetween([extent[1], extent[3]], metres * stretch.north),
  }
}

function linesBetween([from, to]: readonly [number, number], step: number): readonly GridLine[] {
  const lines: GridLine[] = []
  for (let count = Math.ceil(from / step); count * step <= to; count++)
    lines.push({ at: count * step, number: String(((count % 100) + 100) % 100).padStart(2, '0') })
  return lines
}
