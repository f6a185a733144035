import type { Farm, RecordType, Vocabulary } from '../../../../farm/farm.ts'
import { olderFarm, type PresentBundles } from '../../../../farm/older-farm.ts'
import { trimmedTextKey } from '../../../../fields/key.ts'
import { vocabularyIn } from '../../intake/new-record.ts'

export interface KnownBundles {
  /** The type with the bundles that this interface has. */
  readonly type: RecordType
  readonly vocabularies: ReadonlyMap<string, number>
}

export const bundlesKnown = (
  farm: Farm,
  type: RecordType['name'],
  { present, vocabularies }: { readonly present: PresentBundles; readonly vocabularies: ReadonlyMap<string, number> },
): KnownBundles => ({ type: olderFarm(farm, present).records[type], vocabularies })

/** The bundle that a word stands for: by its name, its number if it is a vocabulary, or its label. */
export function bundleCalled({ type, vocabularies }: KnownBundles, word: string): string | undefined {
  const given = word.trim()
  if (Object.hasOwn(type.bundles, given)) return given
  const vocabulary = type.bundleName === 'vocabulary' ? vocabularyIn({ vocabularies }, given) : undefined
  if (vocabulary !== undefined && Object.hasOwn(type.bundles, vocabulary)) return vocabulary
  const key = trimmedTextKey(given)
  const called = Object.entries(type.bundles).filter(([name, bundle]) =>
    [name, bundle.label, bundle.plural, (bundle as Partial<Vocabulary>).title].some(
      (label) => label !== undefined && trimmedTextKey(label) === key,
    ),
  )
  return called.length === 1 ? called[0]?.[0] : undefined
}
