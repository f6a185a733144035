import { fillings, type IconName, icons } from '../look/icon.tsx'
import { FreeSpace } from '../look/place/free-space.ts'
import { type Pencil, pixelX, pixelY, type SitedArea } from './draw-areas.ts'
import { hasLabel, pixelsOf } from './drawn-area.ts'

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

interface LabelDrawing {
  readonly tagsOf: TagsOf
  readonly chosen: string | undefined
}

/** In a smaller chosen area a name would hide the outline. */
const roomForName = 90
const lineHeight = 18
const tagHeight = 24

/** Draws names and counts. Skips labels that overlap; their animals are counted in the parent area. */
export function drawLabels(pencil: Pencil, visible: readonly SitedArea[], { tagsOf, chosen }: LabelDrawing): void {
  const { context, window, theme } = pencil
  const space = new FreeSpace()
  const withoutRoom = new Map<string, string[]>()
  const { resolution } = window
  const hasAnimals = (id: string) => tagsOf([id]).some(({ isAnimal }) => isAnimal)
  context.textAlign = 'center'
  for (const label of labelsIn(visible, { chosen, resolution, hasAnimals })) if (!drawLabel(label)) countAbove(label)

  function drawLabel({ sited, isNamed }: Label): boolean {
    const { id, name } = sited.area
    const tags = tagsOf([id, ...(withoutRoom.get(id) ?? [])])
    const animals = tags.filter(({ isAnimal }) => isAnimal)
    if (isNamed && [tags, animals].some((tags) => drawAt(sited, { name, tags }))) return true
    return animals.length > 0 && drawAt(sited, { name: '', tags: animals })
  }

  function countAbove({ sited: { area, parent }, hasAnimals }: Label): void {
    const those = withoutRoom.get(area.id) ?? []
    if (parent === undefined || (those.length === 0 && !hasAnimals)) return
    withoutRoom.set(parent, [...(withoutRoom.get(parent) ?? []), area.id, ...those])
  }

  function drawAt(sited: SitedArea, { name, tags }: { name: string; tags: readonly Tag[] }): boolean {
    const face = faceOf(sited)
    const height = name === '' ? 0 : lineHeight * theme.textScale
    context.font = `${face.style} ${face.size * theme.textScale}px ${theme.serif}`
    const width = context.measureText(name).width
    const tagWidths = tags.map((tag) => tagWidthOf(pencil, tag))
    const row = tagWidths.reduce((sum, one) => sum + one + 4, -4)
    const half = Math.max(width, row) / 2
    const all = height + (tags.length > 0 ? (tagHeight + 6) * theme.textScale : 0)
    const places = name === '' ? placesOfTags(sited, { half, height: all }) : placesOf(sited, all)
    for (const [left, top] of places) {
      if (!space.take([left - half - 4, top - 2, left + half + 4, top + all + 2])) continue
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

  interface Face {
    readonly style: string
    readonly size: number
    readonly colour: string
    readonly around: string
  }

  /** Water is italic and blue; buildings and points have a lighter label beside them. */
  function faceOf({ area: { kind } }: SitedArea): Face {
    if (kind === 'water') return { style: 'italic 400', size: 15, colour: theme.water, around: theme.ground }
    if (isBeside(kind)) return { style: '400', size: 14, colour: theme.ink, around: theme.ground }
    const around = kind === 'other' || kind === 'property' ? theme.ground : theme.kinds[kind].fill
    return { style: '600', size: 15, colour: theme.ink, around }
  }

  /** Candidates for the top edge of a label, the best first. */
  function placesOf({ area, holds }: SitedArea, height: number): readonly (readonly [number, number])[] {
    const [left, middle] = [pixelX(window, area.middle[0]), pixelY(window, area.middle[1])]
    const lowest = pixelY(window, area.extent[1])
    if (isBeside(area.kind))
      return [
        [left, lowest + 4],
        [left, pixelY(window, area.extent[3]) - height - 4],
      ]
    const above = pixelY(window, area.extent[3]) - height - 6
    if (area.id === chosen && pixelsOf(area, window.resolution) < roomForName) return [[left, above]]
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

const isBeside = (kind: SitedArea['area']['kind']): boolean =>
  kind === 'building' || kind === 'greenhouse' || kind === 'landmark' || kind === 'water'

function tagWidthOf({ context, theme }: Pencil, { icon, text }: Tag): number {
  context.font = `600 ${14 * theme.textScale}px ${theme.sans}`
  return (icon === undefined ? 14 : 30) * theme.textScale + context.measureText(text).width
}

interface TagPlace {
  readonly left: number
  readonly top: number
  readonly width: number
}

function drawTag({ context, theme }: Pencil, { icon, text, waiting }: Tag, { left, top, width }: TagPlace): void {
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
  context.stroke(new Path2D(icons[icon]))
  const filling = fillings[icon]
  if (filling !== undefined) context.fill(new Path2D(filling))
  context.restore()
}

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
    .slice(0, mostLabels)

  /** A parent comes after its children: it takes their counts that found no room. */
  function rankOf({ sited, hasAnimals }: Label): number {
    if (sited.area.id === chosen) return 0
    if (!hasAnimals) return 3
    return sited.holds === 'areas' ? 2 : 1
  }
}

/** A property surrounds the farm: its name would cover everything. */
const isFrame = ({ area, holds }: SitedArea): boolean => area.kind === 'property' && holds === 'areas'
