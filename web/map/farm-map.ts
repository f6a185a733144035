import { defaults as interactions } from 'ol/interaction/defaults.js'
import TileLayer from 'ol/layer/Tile.js'
import OlMap from 'ol/Map.js'
import XYZ from 'ol/source/XYZ.js'
import View from 'ol/View.js'
import { isInside } from '../look/place/inside.ts'
import { type Extent, joinedExtent, stretchAt, touches } from '../look/place/mercator.ts'
import type { Me } from '../store/record.ts'
import type { AreaTree } from './area-tree.ts'
import { AreasLayer, type Painter, type Picture } from './areas-layer.ts'
import { type DrawnArea, isDrawn, pixelsOf } from './drawn-area.ts'
import { whenThemeChanges } from './map-theme.ts'
import { SitedAreas } from './sited-areas.ts'

export type BackgroundLayer = Me['map_layers'][number]

/** Map metres. */
export interface Tap {
  readonly at: readonly [number, number]
  readonly by: 'mouse' | 'finger'
}

interface MapCallbacks {
  /** Called with the topmost tapped area, or undefined. */
  readonly tapped: (area: string | undefined, tap: Tap) => void
  readonly scaled: (metresPerPixel: number) => void
  readonly loaded: (state: 'first' | 'all') => void
  readonly looked?: (camera: Camera) => void
}

/** `drawn on` has its own keys and no zoom by double click. */
type MapPurpose = 'looked at' | 'drawn on'

type CameraPace = 'at once' | 'gently'

export interface Camera {
  readonly center: number[]
  readonly resolution: number
}

/** Last view, restored on the way back. */
let lastCamera: Camera | undefined

const finger = 22
/** Pixels covered by buttons. */
const edges = { top: 72, side: 24, below: 72 }

/** Map of one farm in one element; hides the map library from the rest of the app. */
export class FarmMap {
  readonly #map: OlMap
  readonly #ground = new TileLayer({ visible: false })
  readonly #layer = new AreasLayer()
  readonly #areas = new SitedAreas()
  readonly #callbacks: MapCallbacks
  readonly #stopThemeChanges: () => void
  #below = 0
  #chosen: string | undefined
  #placed = lastCamera !== undefined
  /** Camera that shows the whole farm. */
  #overview: Camera | undefined

  constructor(target: HTMLElement, callbacks: MapCallbacks, use: MapPurpose = 'looked at') {
    this.#callbacks = callbacks
    const isLookedAt = use === 'looked at'
    this.#map = new OlMap({
      target,
      controls: [],
      interactions: interactions({
        altShiftDragRotate: false,
        pinchRotate: false,
        shiftDragZoom: false,
        keyboard: isLookedAt,
        doubleClickZoom: isLookedAt,
      }),
      layers: [this.#ground, this.#layer],
      view: new View({
        center: [0, 0],
        resolution: 40_000,
        minResolution: 0.02,
        enableRotation: false,
        ...lastCamera,
      }),
    })
    this.#map.on('click', ({ coordinate, map, originalEvent }) => {
      const [x = 0, y = 0] = coordinate
      const by = (originalEvent as PointerEvent).pointerType === 'mouse' ? 'mouse' : 'finger'
      callbacks.tapped(this.#areaAt(coordinate, map.getView().getResolution() ?? 1)?.id, { at: [x, y], by })
    })
    this.#map.on('postrender', () => this.#tellCamera())
    this.#map.on('moveend', () => this.#remember())
    this.#stopThemeChanges = whenThemeChanges(() => this.#layer.readMapTheme())
  }

  destroy(): void {
    this.#stopThemeChanges()
    this.#map.setTarget(undefined)
    this.#map.dispose()
  }

  async load(tree: AreaTree): Promise<void> {
    await this.#areas.load(tree, (state) => {
      this.#layer.showAreas(this.#areas.levels())
      if (!this.#placed) this.#placed = this.#beginAt(state)
      if (state !== 'more') this.#callbacks.loaded(state)
    })
  }

  /** Starts at the area in the address, once it is loaded; else with the whole farm. */
  #beginAt(state: 'first' | 'more' | 'all'): boolean {
    if (this.#chosen === undefined) return this.fitAll('at once')
    if (this.area(this.#chosen) === undefined) return this.fitAll('at once') && state === 'all'
    this.reveal(this.#chosen, 'at once')
    return true
  }

  show(picture: Picture): void {
    this.#chosen = picture.chosen
    const isHiddenOtherwise = this.#below !== picture.below
    this.#below = picture.below
    this.#layer.showPicture(picture)
    if (isHiddenOtherwise && this.#showsAll() && picture.chosen === undefined) this.fitAll('gently')
  }

  /** Draws on top of the areas. */
  drawOver(painter: Painter): void {
    this.#layer.drawOver(painter)
  }

  showGround(layer: BackgroundLayer | undefined): void {
    this.#ground.setSource(layer === undefined ? null : tilesOf(layer))
    this.#ground.setVisible(layer !== undefined)
  }

  zoomBy(levels: number): void {
    this.#map.getView().animate({ zoom: (this.#map.getView().getZoom() ?? 0) + levels, duration: still() ? 0 : 150 })
  }

  /** Pixels, to the right and up. */
  moveBy(right: number, up: number): void {
    const { center: [x = 0, y = 0] = [], resolution = 1 } = this.#camera() ?? {}
    this.#map.getView().setCenter([x + right * resolution, y + up * resolution])
  }

  moveTo([x, y]: readonly [number, number]): void {
    this.#map.getView().setCenter([x, y])
  }

  areas(): readonly DrawnArea[] {
    return [...this.#areas.all()].map(({ area }) => area)
  }

  area(id: string): DrawnArea | undefined {
    return this.#areas.get(id)?.area
  }

  /** Areas on the same level, to step from one to the next. */
  peersOf(id: string): DrawnArea[] {
    const sited = this.#areas.get(id)
    return [...this.#areas.all()]
      .filter((other) => other.level === sited?.level && other.area.kind === sited.area.kind)
      .map(({ area }) => area)
  }

  middleArea(): DrawnArea | undefined {
    const view = this.#map.getView()
    return this.#areaAt(view.getCenter() ?? [0, 0], view.getResolution() ?? 1)
  }

  /** False while no area is drawn. */
  fitAll(pace: CameraPace): boolean {
    let all: Extent | undefined
    for (const { area } of this.#areas.all()) all = all === undefined ? area.extent : joinedExtent(all, area.extent)
    if (all === undefined) return false
    // A single point, such as the farm's position, is shown with its surroundings.
    const isPoint = all[0] === all[2] && all[1] === all[3]
    this.#fit(all, { pace, least: isPoint ? 1 : 0.1 }, () => {
      this.#overview = this.#camera()
    })
    return true
  }

  /** True until the user moves the map away from the whole farm. */
  #showsAll(): boolean {
    const { center, resolution } = this.#camera() ?? {}
    const { center: [x, y] = [], resolution: then } = this.#overview ?? {}
    return resolution !== undefined && resolution === then && center?.[0] === x && center?.[1] === y
  }

  /** Moves an area into the part not covered by a sheet, unless it is visible there. */
  reveal(id: string, pace: CameraPace): void {
    const area = this.#areas.get(id)?.area
    const size = this.#map.getSize()
    if (area === undefined || size === undefined) return
    const view = this.#map.getView()
    const [west, south, east, north] = view.calculateExtent(size) as [number, number, number, number]
    const resolution = view.getResolution() ?? 1
    const free: Extent = [west, south + (this.#below + edges.below) * resolution, east, north - edges.top * resolution]
    const isSeen =
      area.extent[0] >= free[0] && area.extent[2] <= free[2] && area.extent[1] >= free[1] && area.extent[3] <= free[3]
    if (this.#placed && isSeen && pixelsOf(area, resolution) >= 24) return
    const [width, height] = [area.extent[2] - area.extent[0], area.extent[3] - area.extent[1]]
    const around = Math.max(width, height, 40) * 0.6
    this.#placed = true
    this.#fit([area.extent[0] - around, area.extent[1] - around, area.extent[2] + around, area.extent[3] + around], {
      pace,
      least: 0.05,
    })
  }

  showPlace([x, y]: readonly [number, number]): void {
    const view = this.#map.getView()
    this.#placed = true
    const resolution = Math.min(view.getResolution() ?? 1, 1)
    view.animate({ center: [x, y - (this.#below * resolution) / 2], resolution, duration: still() ? 0 : 150 })
  }

  /** Shows all of it without moving the centre. */
  zoomTo([west, south, east, north]: Extent): void {
    const [width = 1, height = 1] = this.#map.getSize() ?? []
    this.#map.getView().setResolution(Math.max((east - west) / width, (north - south) / height) / 0.6)
  }

  /** Centres what is drawn on top of the areas. */
  frame(extent: Extent): void {
    this.#placed = true
    this.#fit(extent, { pace: 'at once', least: 0.05 })
  }

  #fit(extent: Extent, { pace, least }: { pace: CameraPace; least: number }, done = () => {}): void {
    this.#map.getView().fit([...extent], {
      padding: [edges.top, edges.side, this.#below + edges.below, edges.side],
      minResolution: least,
      duration: pace === 'at once' || still() ? 0 : 150,
      callback: done,
    })
  }

  /** Topmost area at a point, with a tolerance for thin and small ones. */
  #areaAt([x = 0, y = 0]: readonly number[], resolution: number): DrawnArea | undefined {
    const reach = finger * resolution
    const near: Extent = [x - reach, y - reach, x + reach, y + reach]
    const levels = this.#areas.levels()
    for (const level of levels.toReversed())
      for (const { area, standing } of level.toReversed()) {
        if (!touches(area.extent, near) || !isDrawn(pixelsOf(area, resolution), standing)) continue
        if (area.areas.some((rings) => isInside(rings, x, y))) return area
        if (area.areas.length === 0 && distanceTo(area, [x, y]) <= reach) return area
      }
    return undefined
  }

  #tellCamera(): void {
    const camera = this.#camera()
    if (camera === undefined) return
    // Rounded: a scale that changes with each move to the north would be drawn anew each time.
    this.#callbacks.scaled(Number((camera.resolution / stretchAt(camera.center[1] ?? 0).east).toPrecision(4)))
    this.#callbacks.looked?.(camera)
  }

  #remember(): void {
    if (this.#placed) lastCamera = this.#camera()
  }

  #camera(): Camera | undefined {
    const [center, resolution] = [this.#map.getView().getCenter(), this.#map.getView().getResolution()]
    return center === undefined || resolution === undefined ? undefined : { center, resolution }
  }
}

/** No tile server by default. A tile server sees the farm's origin as referrer, never a page address. */
const tilesOf = ({ url, max_zoom }: BackgroundLayer): XYZ =>
  new XYZ({ url, maxZoom: max_zoom, referrerPolicy: 'origin', transition: 0 })

const still = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

function distanceTo({ lines, points }: DrawnArea, [x, y]: readonly [number, number]): number {
  let least = Infinity
  for (const path of [...lines, ...points])
    for (let at = 0; at + 1 < path.length; at += 2) {
      const [x1, y1] = [path[at] as number, path[at + 1] as number]
      const [x2, y2] = [path[at + 2] ?? x1, path[at + 3] ?? y1]
      const long = (x2 - x1) ** 2 + (y2 - y1) ** 2
      const share = long === 0 ? 0 : Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / long))
      least = Math.min(least, Math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1)))
    }
  return least
}
