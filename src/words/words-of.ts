import { languages } from './languages.ts'
import type { Labels } from './words.ts'

/** What a language calls the things of the catalogue; English calls them as the catalogue does. */
export const labelsOf = async (language: string): Promise<Labels | undefined> =>
  (await languages[language]?.words?.())?.words.labels
