import { languages } from './languages.ts'
import type { Labels } from './words.ts'

/** What a language calls the things of the catalogue; English calls them as the catalogue does. */
export const labelsOf = async (language: string): Promise<Labels | undefined> =>
  (await languages[language]?.words?.())?.words.labels

/** The same of every language but English. */
export const labelsOfAll = async (): Promise<readonly Labels[]> =>
  (await Promise.all(Object.keys(languages).map(labelsOf))).filter((labels) => labels !== undefined)
