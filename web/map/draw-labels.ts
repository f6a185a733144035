import { FreeSpace } from '../look/place/free-space.ts'
import { grouped } from '../store/grouped.ts'
import { type Pencil, pixelX, pixelY, type SitedArea } from './draw-areas.ts'
import { drawTag, type Tag, type TagsOf, tagHeight, tagWidthOf, textWidth } from './draw-tags.ts'
import { hasLabel, pixelsOf } from './drawn-area.ts'

interface LabelDrawing {
  readonly tagsOf: TagsOf
  readonly chosen: string | undefined
  /** Areas with animals that are too small to be drawn. */
  readonly unseen: readonly SitedArea[]
  /** Pixels of the lower edge hidden by a sheet. */
  readonly below: number
}

/** Where the scale is. */
const scale = { width: 140, height: 36 }

/** In a smaller chosen area a name would hide the outline. */
const roomForName = 90
const lineHeight = 18

/**
 * Draws names and counts. Skips labels that overlap; their animals are counted in the parent area, else in a cell of
 * the map: no count is dropped.
 */
export function drawLabels(
  pencil: Pencil,
  visible: readonly SitedArea[],
  { tagsOf, chosen, unseen, below }: LabelDrawing,
): void {
  const { context, window, theme } = pencil
  const space = new FreeSpace()
  const withoutRoom = new Map<string, SitedArea[]>()
  const { resolution } = window
  const hasAnimals = (id: string) => tagsOf([id]).some(({ isAnimal }) => isAnimal)
  context.textAlign = 'center'
  const lowest = window.height - below
  space.take([0, lowest - scale.height, scale.width, lowest])
  const labels = labelsIn(visible, { chosen, resolution, hasAnimals })
  const turns = new Map(labels.map(({ sited }, turn) => [sited.area.id, turn]))
  const uncounted: SitedArea[] = []
  for (const sited of unseen) countElsewhere([sited], -1)
  for (const [turn, { sited, isNamed, hasAnimals }] of labels.entries()) {
    if (turn < mostLabels && drawLabel(sited, isNamed ? sited.area.name : '')) continue
    countElsewhere([...(hasAnimals ? [sited] : []), ...(withoutRoom.get(sited.area.id) ?? [])], turn)
  }
  drawCells(uncounted, leastCell)

  function drawLabel(sited: SitedArea, name: string): boolean {
    const { area } = sited
    const tags = tagsOf([area, ...(withoutRoom.get(area.id) ?? []).map((other) => other.area)].map(({ id }) => id))
    const animals = tags.filter(({ isAnimal }) => isAnimal)
    if (name !== '' && [tags, animals].some((tags) => drawAt(sited, { name, tags }))) return true
    return animals.length > 0 && drawAt(sited, { name: '', tags: animals })
  }

  /** Counts animals in the parent if its turn comes later. */
  function countElsewhere(areas: readonly SitedArea[], turn: number): void {
    for (const sited of areas) {
      const { parent } = sited
      if (parent !== undefined && (turns.get(parent) ?? -1) > turn)
        withoutRoom.set(parent, [...(withoutRoom.get(parent) ?? []), sited])
      else uncounted.push(sited)
    }
  }

  /** One tag for each cell, in coarser cells while there is no room; in the coarsest over what is there. */
  function drawCells(areas: readonly SitedArea[], size: number): void {
    const cells = grouped(areas.filter(isInWindow), ({ area: { middle } }) =>
      [pixelX(window, middle[0]), pixelY(window, middle[1])].map((at) => Math.floor(at / size)).join(),
    )
    const isCoarsest = size > Math.max(window.width, window.height)
    const left = [...cells.values()].filter((some) => !drawCell(some, isCoarsest ? 'anyhow' : 'if-free'))
    if (left.length > 0 && !isCoarsest) drawCells(left.flat(), size * 2)
  }

  function drawCell(areas: readonly SitedArea[], mode: 'anyhow' | 'if-free'): boolean {
    const tags = tagsOf(areas.map(({ area }) => area.id)).filter(({ isAnimal }) => isAnimal)
    if (tags.length === 0) return true
    const mean = (axis: 0 | 1) => areas.reduce((sum, { area }) => sum + area.middle[axis], 0) / areas.length
    const size = measured('', tags)
    const { half, all } = size
    const inside = (left: number, top: number) =>
      [within(left, half + 4, window.width - half - 4), within(top, 4, lowest - all - 4)] as const
    const [left, top] = inside(pixelX(window, mean(0)), pixelY(window, mean(1)) - all / 2)
    const spots = around.map(([x, y]) => inside(left + x * (half + 4), top + y * (all + 4)))
    return put('', tags, { face: plainFace, size, spots: mode === 'if-free' ? spots : spots.slice(0, 1), mode })
  }

  function isInWindow({ area: { middle } }: SitedArea): boolean {
    const [left, top] = [pixelX(window, middle[0]), pixelY(window, middle[1])]
    return left >= 0 && top >= 0 && left <= window.width && top <= lowest
  }

  function drawAt(sited: SitedArea, { name, tags }: { name: string; tags: readonly Tag[] }): boolean {
    const face = faceOf(sited)
    const size = measured(name, tags, face)
    const box = { half: size.half, height: size.all }
    const spots = name === '' ? placesOfTags(sited, box) : placesOf(sited, box)
    return put(name, tags, { face, size, spots, mode: 'if-free' })
  }

  function measured(name: string, tags: readonly Tag[], face = plainFace) {
    const font = `${face.style} ${face.size * theme.textScale}px ${theme.serif}`
    const height = name === '' ? 0 : lineHeight * theme.textScale
    const width = textWidth(context, font, name)
    const tagWidths = tags.map((tag) => tagWidthOf(pencil, tag))
    const row = tagWidths.reduce((sum, one) => sum + one + 4, -4)
    const all = height + (tags.length > 0 ? (tagHeight + 6) * theme.textScale : 0)
    return { height, tagWidths, row, all, half: Math.max(width, row) / 2 }
  }

  interface Placing {
    readonly face: Face
    readonly size: ReturnType<typeof measured>
    readonly spots: readonly (readonly [left: number, top: number])[]
    readonly mode: 'anyhow' | 'if-free'
  }

  /** Draws at the first free spot. */
  function put(name: string, tags: readonly Tag[], { face, size, spots, mode }: Placing): boolean {
    const { height, tagWidths, row, all, half } = size
    for (const [left, top] of spots) {
      const isFree = space.take([left - half - 4, top - 2, left + half + 4, top + all + 2])
      if (!isFree && mode === 'if-free') continue
      drawName(name, { left, base: top + height * 0.78, ...face })
      let tagLeft = left - row / 2
      for (const [index, tag] of tags.entries()) {
        drawTag(pencil, tag, { left: tagLeft, top: top + height + 4, width: tagWidths[index] as number })
        tagLeft += (tagWidths[index] as number) + 4
      }
      context.textAlign = 'center'
      return true
    }
    return false
  }

  function drawName(
    name: string,
    { left, base, style, size, colour, around }: Face & { left: number; base: number },
  ): void {
    context.font = `${style} ${size * theme.textScale}px ${theme.serif}`
    context.lineJoin = 'round'
    context.lineWidth = 5
    context.strokeStyle = around
    context.strokeText(name, left, base)
    context.fillStyle = colour
    context.fillText(name, left, base)
  }

  /** Water is italic and blue; buildings and points have a lighter label beside them. */
  function faceOf({ area: { kind } }: SitedArea): Face {
    if (kind === 'water') return { style: 'italic 400', size: 15, colour: theme.water, around: theme.ground }
    if (isBeside(kind)) return { style: '400', size: 14, colour: theme.ink, around: theme.ground }
    const around = kind === 'other' || kind === 'property' ? theme.ground : theme.kinds[kind].fill
    return { style: '600', size: 15, colour: theme.ink, around }
  }

  /** Candidates for the top edge of a label, the best first. */
  function placesOf({ area, holds }: SitedArea, { half, height }: { half: number; height: number }): Placing['spots'] {
    const [left, middle] = [pixelX(window, area.middle[0]), pixelY(window, area.middle[1])]
    const lowest = pixelY(window, area.extent[1])
    if (isBeside(area.kind))
      return [
        [left, lowest + 4],
        [left, pixelY(window, area.extent[3]) - height - 4],
      ]
    const above = pixelY(window, area.extent[3]) - height - 6
    const isWide = (area.extent[2] - area.extent[0]) / window.resolution > 2 * half + 4
    const hasRoom = isWide || pixelsOf(area, window.resolution) >= roomForName
    if (area.id === chosen && !hasRoom) return [[left, above]]
    const inside: readonly [number, number] = [left, middle - height / 2]
    return holds === 'areas' ? [[left, lowest - height - 6], inside] : [inside, [left, lowest - height - 6]]
  }

  /** On the area, else at its edges. */
  function placesOfTags({ area: { middle, extent } }: SitedArea, { half, height }: { half: number; height: number }) {
    const [left, top] = [pixelX(window, middle[0]), pixelY(window, middle[1]) - height / 2]
    return [
      [left, top],
      [left, pixelY(window, extent[1])],
      [left, pixelY(window, extent[3]) - height],
      [pixelX(window, extent[2]) + half, top],
      [pixelX(window, extent[0]) - half, top],
    ] as const
  }
}

interface Face {
  readonly style: string
  readonly size: number
  readonly colour: string
  readonly around: string
}

/** Steps from the middle of a cell to look for room, the nearest first. */
const around = [0, 1, 2, 3, 4].flatMap((far) =>
  far === 0
    ? [[0, 0] as const]
    : ([-1, 0, 1] as const).flatMap((x) =>
        ([-1, 0, 1] as const).filter((y) => x !== 0 || y !== 0).map((y) => [x * far, y * far] as const),
      ),
)

/** For tags without a name. */
const plainFace: Face = { style: '600', size: 15, colour: '', around: '' }

const within = (value: number, least: number, most: number): number => Math.max(least, Math.min(value, most))

const isBeside = (kind: SitedArea['area']['kind']): boolean =>
  kind === 'building' || kind === 'greenhouse' || kind === 'landmark' || kind === 'water'

/** Label of an area: the name if it fits; the animal count always. */
interface Label {
  readonly sited: SitedArea
  readonly isNamed: boolean
  readonly hasAnimals: boolean
}

interface LabelOptions {
  readonly chosen: string | undefined
  readonly resolution: number
  readonly hasAnimals: (id: string) => boolean
}

const mostLabels = 300

/** Pixels: width of the finest cells for counts. */
const leastCell = 96

/** By priority: the chosen area, areas with animals, then the largest. */
export function labelsIn(
  visible: readonly SitedArea[],
  { chosen, resolution, hasAnimals }: LabelOptions,
): readonly Label[] {
  return visible
    .map((sited) => ({
      sited,
      isNamed: sited.area.id === chosen || (hasLabel(sited.area, resolution) && !isFrame(sited)),
      hasAnimals: hasAnimals(sited.area.id),
      pixels: pixelsOf(sited.area, resolution),
    }))
    .filter(({ isNamed, hasAnimals }) => isNamed || hasAnimals)
    .sort((one, other) => rankOf(one) - rankOf(other) || other.pixels - one.pixels)
    .filter((label, turn) => turn < mostLabels || label.hasAnimals)

  /** A parent comes after its children: it takes their counts that found no room. */
  function rankOf({ sited, hasAnimals }: Label): number {
    if (sited.area.id === chosen) return 0
    if (!hasAnimals) return 3
    return sited.holds === 'areas' ? 2 : 1
  }
}

/** A property surrounds the farm: its name would cover everything. */
const isFrame = ({ area, holds }: SitedArea): boolean => area.kind === 'property' && holds === 'areas'
