import { newUuid } from '../../../src/client/changes.ts'
import {
  animalTypeBundle,
  cropBundle,
  logCategoryBundle,
  materialBundle,
  unitBundle,
} from '../../../src/farm/bundle-names.ts'
import de from '../../../src/words/starters/de.json' with { type: 'json' }
import en from '../../../src/words/starters/en.json' with { type: 'json' }
import es from '../../../src/words/starters/es.json' with { type: 'json' }
import type { LocalChange } from '../../store/outbox-entry.ts'
import type { LocalRecord } from '../../store/record.ts'

/** Branches of a farm, in the order of the tiles. */
export const farmBranches = ['vegetables', 'livestock', 'fruit', 'grain', 'bees'] as const

export type FarmBranch = (typeof farmBranches)[number]

/** First terms of a branch. */
interface Starter {
  /** Crops by family. */
  readonly crops: Readonly<Record<string, readonly string[]>>
  readonly animal_types: readonly string[]
  readonly units: readonly string[]
  readonly materials: readonly string[]
  readonly log_categories: readonly string[]
}

interface Starters {
  readonly starters: Readonly<Record<FarmBranch, Starter>>
  /** Units of every farm. */
  readonly units: Readonly<Record<'metric' | 'us', readonly string[]>>
}

export const startersIn: Readonly<Record<string, Starters>> = { en, de, es }

/** A term with its vocabulary; a crop with its family. */
interface Word {
  readonly bundle: string
  readonly name: string
  readonly family?: string
}

interface StarterChoice {
  readonly keeps: readonly FarmBranch[]
  readonly language: string
  readonly system: 'metric' | 'us'
}

/** Terms that the chosen branches need and the farm lacks, compared by name. */
export function missingWords(chosen: StarterChoice, there: Iterable<LocalRecord>): readonly Word[] {
  const known = new Set([...there].map(({ bundle, name }) => keyOf(bundle, name)))
  return wordsFor(chosen).filter(({ bundle, name }) => {
    const key = keyOf(bundle, name)
    return !known.has(key) && known.add(key)
  })
}

const keyOf = (bundle: string, name: string): string => `${bundle} ${name.trim().normalize('NFC').toLowerCase()}`

function wordsFor({ keeps, language, system }: StarterChoice): readonly Word[] {
  const { starters, units } = startersIn[language] ?? en
  if (keeps.length === 0) return []
  const all = keeps.map((one) => starters[one])
  const inBundle = (bundle: string, names: readonly string[]) => names.map((name) => ({ bundle, name }))
  return [
    ...all.flatMap(({ crops }) =>
      Object.entries(crops).flatMap(([family, names]) => names.map((name) => ({ bundle: cropBundle, name, family }))),
    ),
    ...all.flatMap(({ animal_types }) => inBundle(animalTypeBundle, animal_types)),
    ...inBundle(unitBundle, [...units[system], ...all.flatMap((one) => one.units)]),
    ...all.flatMap(({ materials }) => inBundle(materialBundle, materials)),
    ...all.flatMap(({ log_categories }) => inBundle(logCategoryBundle, log_categories)),
  ]
}

/** A family is given by name, and created with its first crop. */
export const asChanges = (words: readonly Word[]): readonly LocalChange[] =>
  words.map(({ bundle, name, family }) => ({
    verb: 'make',
    type: 'term',
    bundle,
    uuid: newUuid(),
    fields: { name, ...(family === undefined ? {} : { crop_family: { name: family } }) },
  }))
