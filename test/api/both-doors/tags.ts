import * as fc from 'fast-check'
import type { Draw, Fact } from './fact.ts'
import { anyText, one } from './kinds.ts'

interface Tag {
  readonly id: string | null
  /** As the record interface has it. */
  readonly type: string | null
  readonly location: string | null
}

export const tagTypes: Readonly<Record<string, string>> = {
  Brand: 'brand',
  'Ear tag': 'ear_tag',
  Tattoo: 'tattoo',
  'Leg band': 'leg_band',
  Chip: 'eid',
  Other: 'other',
}

const anyTags = (draw: Draw): readonly Tag[] =>
  Array.from({ length: draw(fc.integer, { min: 0, max: 2 }) }, (_, nth) => ({
    id: `${nth} ${anyText(draw).replace('\n', ' ')}`,
    type: draw(fc.boolean) ? one(draw, Object.keys(tagTypes)) : null,
    location: draw(fc.boolean) ? 'Left ear' : null,
  }))

const newerTag = ({ type, ...tag }: Tag) => ({ ...tag, type: type && tagTypes[type] })

const newer: Fact<readonly Tag[]>['newer'] = {
  say: ({ draw }) => {
    const after = anyTags(draw)
    return { sent: { attributes: { id_tag: after.map(newerTag) } }, after }
  },
  show: (tags) => ({ attributes: { id_tag: tags.map(newerTag) } }),
}

export const hiddenTags: Fact<readonly Tag[]> = { name: 'tag', keptIn: ['tag'], initial: () => [], newer }

export const tags: Fact<readonly Tag[]> = {
  ...hiddenTags,
  older: {
    say: ({ draw }) => {
      const after = anyTags(draw)
      return { sent: { tag: after }, after }
    },
    show: (state) => ({ tag: state }),
  },
}
