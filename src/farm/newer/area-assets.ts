import type { Values } from '../../fields/value.ts'
import type { Choice, Farm, Vocabulary } from '../farm.ts'

/** The asset type of an area in /api: by its area type, else the stored kind, else the first. */
export function areaKindOf(farm: Farm, { kinds = {} }: Vocabulary, { area_type, kind }: Values): string {
  const word = wordFor(farm, area_type)
  if (word?.kind !== undefined) return word.kind
  const [first = ''] = Object.keys(kinds)
  return word?.alsoKind !== undefined && typeof kind === 'string' && kind in kinds ? kind : first
}

const wordFor = (farm: Farm, word: unknown): Choice | undefined =>
  (farm.lists.area_types ?? []).find(({ value }) => value === word)

/** Area types that areas of a kind may have. */
export const wordsOfKind = (farm: Farm, { kinds = {} }: Vocabulary, kind: string): readonly Choice[] => {
  const [first] = Object.keys(kinds)
  return (farm.lists.area_types ?? []).filter(
    (choice) => (choice.kind ?? first) === kind || choice.alsoKind?.includes(kind),
  )
}

/** In /api areas are assets, with ids from this number on. Real assets have lower ids. */
export const areaNumbers = 1_000_000_000
