import { fillings, type IconName, icons } from '../look/icons.ts'
import { FreeSpace } from '../look/place/free-space.ts'
import { hasLabel, pixelsOf } from './detail.ts'
import type { Pencil, Sited } from './draw-areas.ts'
import { across, down } from './window.ts'

/** A box below a name: so many of these are there. Without an icon it is a plain figure. */
export interface Tag {
  readonly icon: IconName | undefined
  readonly text: string
  /** Only this device knows of it. */
  readonly waiting?: true
}

interface Labelling {
  readonly tagsOf: (id: string) => readonly Tag[]
  readonly chosen: string | undefined
}

const mostLabels = 300
/** A name inside a chosen area that is smaller hides its outline. */
const roomForName = 90
const lineHeight = 18
const tagHeight = 24

/** Names and counts, the chosen area first, then the largest; what would lie on another is left out. */
export function drawLabels(pencil: Pencil, seen: readonly Sited[], { tagsOf, chosen }: Labelling): void {
  const { context, window, ink } = pencil
  const space = new FreeSpace()
  const labelled = seen
    .map((sited) => ({ sited, pixels: pixelsOf(sited.area, window.resolution) }))
    .filter(({ sited }) => sited.area.id === chosen || (hasLabel(sited.area, window.resolution) && !isFrame(sited)))
    .sort((one, other) => weightOf(other) - weightOf(one))
    .slice(0, mostLabels)
  context.textAlign = 'center'
  for (const { sited } of labelled) drawLabel(sited)

  function weightOf({ sited, pixels }: { sited: Sited; pixels: number }): number {
    return sited.area.id === chosen ? Infinity : pixels
  }

  function drawLabel(sited: Sited): void {
    const tags = tagsOf(sited.area.id)
    const face = faceOf(sited)
    const height = lineHeight * ink.textScale
    context.font = `${face.style} ${face.size * ink.textScale}px ${ink.serif}`
    const width = context.measureText(sited.area.name).width
    const tagWidths = tags.map((tag) => tagWidthOf(pencil, tag))
    const row = tagWidths.reduce((sum, one) => sum + one + 4, -4)
    const half = Math.max(width, row) / 2
    const all = height + (tags.length > 0 ? (tagHeight + 6) * ink.textScale : 0)
    for (const [left, top] of placesOf(sited, all)) {
      if (!space.take([left - half - 4, top - 2, left + half + 4, top + all + 2])) continue
      drawName(sited.area.name, { left, base: top + height * 0.78, ...face })
      let tagLeft = left - row / 2
      for (const [index, tag] of tags.entries()) {
        drawTag(pencil, tag, { left: tagLeft, top: top + height + 4, width: tagWidths[index] as number })
        tagLeft += (tagWidths[index] as number) + 4
      }
      context.textAlign = 'center'
      return
    }
  }

  function drawName(
    name: string,
    { left, base, style, size, colour, around }: Face & { left: number; base: number },
  ): void {
    context.font = `${style} ${size * ink.textScale}px ${ink.serif}`
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

  /** Water is italic and blue; what is built or stands alone is written beside it in a lighter hand. */
  function faceOf({ area: { kind } }: Sited): Face {
    if (kind === 'water') return { style: 'italic 400', size: 15, colour: ink.water, around: ink.ground }
    if (isBeside(kind)) return { style: '400', size: 14, colour: ink.ink, around: ink.ground }
    const around = kind === 'other' || kind === 'property' ? ink.ground : ink.kinds[kind].fill
    return { style: '600', size: 15, colour: ink.ink, around }
  }

  /** Where the upper edge of a label may lie, the best place first. */
  function placesOf({ area, holds }: Sited, height: number): readonly (readonly [number, number])[] {
    const [left, middle] = [across(window, area.middle[0]), down(window, area.middle[1])]
    const lowest = down(window, area.extent[1])
    if (isBeside(area.kind))
      return [
        [left, lowest + 4],
        [left, down(window, area.extent[3]) - height - 4],
      ]
    const above = down(window, area.extent[3]) - height - 6
    if (area.id === chosen && pixelsOf(area, window.resolution) < roomForName) return [[left, above]]
    const inside: readonly [number, number] = [left, middle - height / 2]
    return holds === 'areas' ? [[left, lowest - height - 6], inside] : [inside, [left, lowest - height - 6]]
  }
}

/** A property frames the farm: its name would lie on everything. */
const isFrame = ({ area, holds }: Sited): boolean => area.kind === 'property' && holds === 'areas'

const isBeside = (kind: Sited['area']['kind']): boolean =>
  kind === 'building' || kind === 'greenhouse' || kind === 'landmark' || kind === 'water'

function tagWidthOf({ context, ink }: Pencil, { icon, text }: Tag): number {
  context.font = `600 ${14 * ink.textScale}px ${ink.sans}`
  return (icon === undefined ? 14 : 30) * ink.textScale + context.measureText(text).width
}

interface TagPlace {
  readonly left: number
  readonly top: number
  readonly width: number
}

function drawTag({ context, ink }: Pencil, { icon, text, waiting }: Tag, { left, top, width }: TagPlace): void {
  const scale = ink.textScale
  context.beginPath()
  context.roundRect(left, top, width, tagHeight * scale, 6)
  context.fillStyle = ink.sheet
  context.strokeStyle = ink.ink
  context.lineWidth = 1.25
  context.fill()
  context.setLineDash(waiting ? [4, 2.5] : [])
  context.stroke()
  context.setLineDash([])
  if (icon !== undefined) drawIcon({ context, ink }, icon, [left + 5 * scale, top + 4 * scale])
  context.font = `600 ${14 * scale}px ${ink.sans}`
  context.textAlign = 'left'
  context.fillStyle = ink.ink
  context.fillText(text, left + (icon === undefined ? 7 : 25) * scale, top + 17 * scale)
}

function drawIcon(
  { context, ink }: Pick<Pencil, 'context' | 'ink'>,
  icon: IconName,
  [left, top]: readonly [number, number],
): void {
  context.save()
  context.translate(left, top)
  context.scale((16 / 24) * ink.textScale, (16 / 24) * ink.textScale)
  context.strokeStyle = ink.ink
  context.fillStyle = ink.ink
  context.lineWidth = 2
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.stroke(new Path2D(icons[icon]))
  const filling = fillings[icon]
  if (filling !== undefined) context.fill(new Path2D(filling))
  context.restore()
}
