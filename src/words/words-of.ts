import { reports } from './en/reports.ts'
import { languages } from './languages.ts'
import type { Labels, Plural } from './words.ts'

/** Labels of the catalogue in a language; undefined in English, their source. */
export const labelsOf = async (language: string): Promise<Labels | undefined> =>
  (await languages[language]?.words?.())?.default.labels

/** The labels of every language but English. */
export const labelsOfAll = async (): Promise<readonly Labels[]> =>
  (await Promise.all(Object.keys(languages).map(labelsOf))).filter((labels) => labels !== undefined)

/** Texts of reports, in the order of the English ones; undefined in English, which is part of the page. */
export async function reportTexts(language: string): Promise<readonly (string | Plural)[] | undefined> {
  const words = (await languages[language]?.words?.())?.default.reports
  return words && (Object.keys(reports) as (keyof typeof reports)[]).map((key) => words[key])
}
