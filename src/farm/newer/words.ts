import type { Choice, Farm } from '../farm.ts'
import { once } from '../fields-of.ts'

/** The words of a list in /api. */
export const newerWords = (farm: Farm, list: string): readonly string[] => choicesOf(farm, list).map(newerWordOf)

/** A stored word in /api; an unknown word stays as it is. */
export const newerWord = (farm: Farm, list: string, kept: string): string =>
  keptToNewer(choicesOf(farm, list)).get(kept) ?? kept

/** The stored word of a word of /api. */
export const keptWord = (farm: Farm, list: string, newer: string): string =>
  newerToKept(choicesOf(farm, list)).get(newer) ?? newer

const none: readonly Choice[] = []

const choicesOf = (farm: Farm, list: string): readonly Choice[] => farm.lists[list] ?? none

const newerWordOf = ({ value, newer }: Choice): string => newer ?? value

const keptToNewer = once(
  (choices: readonly Choice[]) => new Map(choices.map((choice) => [choice.value, newerWordOf(choice)])),
)

const newerToKept = once(
  (choices: readonly Choice[]) => new Map(choices.map((choice) => [newerWordOf(choice), choice.value])),
)
