import type { Choice, Farm } from '../farm.ts'
import { once } from '../fields-of.ts'

/** The words of a list as the newer generation has them. */
export const newerWords = (farm: Farm, list: string): readonly string[] => choicesOf(farm, list).map(newerWordOf)

/** What the newer generation calls a word of a list; one that the list does not have stays as it is. */
export const newerWord = (farm: Farm, list: string, kept: string): string =>
  keptToNewer(choicesOf(farm, list)).get(kept) ?? kept

/** The word that is kept for one of the newer generation. */
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
