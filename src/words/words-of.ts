import { reports } from './en/reports.ts'
import { languages } from './languages.ts'
import type { Labels, Plural } from './words.ts'

/** What a language calls the things of the catalogue; English calls them as the catalogue does. */
export const labelsOf = async (language: string): Promise<Labels | undefined> =>
  (await languages[language]?.words?.())?.default.labels

/** The same of every language but English. */
export const labelsOfAll = async (): Promise<readonly Labels[]> =>
  (await Promise.all(Object.keys(languages).map(labelsOf))).filter((labels) => labels !== undefined)

/** What reports say, in the order of the English words; nothing in English, which comes with the page. */
export async function reportTexts(language: string): Promise<readonly (string | Plural)[] | undefined> {
  const words = (await languages[language]?.words?.())?.default.reports
  return words && (Object.keys(reports) as (keyof typeof reports)[]).map((key) => words[key])
}
