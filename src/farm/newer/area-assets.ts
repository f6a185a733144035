import type { Values } from '../../fields/value.ts'
import type { Choice, Farm, Vocabulary } from '../farm.ts'

/** The kind of asset that an area is in the newer generation: what its area type says, else what is kept beside it, else the first. */
export function areaKindOf(farm: Farm, { kinds = {} }: Vocabulary, { area_type, kind }: Values): string {
  const word = wordFor(farm, area_type)
  if (word?.kind !== undefined) return word.kind
  const [first = ''] = Object.keys(kinds)
  return word?.alsoKind !== undefined && typeof kind === 'string' && kind in kinds ? kind : first
}

const wordFor = (farm: Farm, word: unknown): Choice | undefined =>
  (farm.lists.area_types ?? []).find(({ value }) => value === word)

/** The words that areas of a kind may have as their area type. */
export const wordsOfKind = (farm: Farm, { kinds = {} }: Vocabulary, kind: string): readonly Choice[] => {
  const [first] = Object.keys(kinds)
  return (farm.lists.area_types ?? []).filter(
    (choice) => (choice.kind ?? first) === kind || choice.alsoKind?.includes(kind),
  )
}

/** In the newer generation areas are assets, and have their numbers from here on: an asset of its own has a lower one. */
export const areaNumbers = 1_000_000_000
