import { pages } from './en/pages.ts'
import { reports } from './en/reports.ts'
import { languages } from './languages.ts'
import type { Labels, Plural } from './words.ts'

/** Labels of the catalogue in a language; undefined in English, their source. */
export const labelsOf = async (language: string): Promise<Labels | undefined> =>
  (await languages[language]?.words?.())?.default.labels

/** The labels of every language but English. */
export const labelsOfAll = async (): Promise<readonly Labels[]> =>
  (await Promise.all(Object.keys(languages).map(labelsOf))).filter((labels) => labels !== undefined)

/** The texts of registers in a language, by `column.day`, `cell.days` or `product.milk`; English where it is not known. */
export async function registerWords(
  language: string,
): Promise<(key: string, values?: Readonly<Record<string, string>>) => string> {
  const words = (await languages[language]?.words?.())?.default
  const english: Readonly<Record<string, unknown>> = { ...pages, ...reports }
  const spoken: Readonly<Record<string, unknown>> = { ...words?.pages, ...words?.reports }
  return (key, values = {}) => {
    const text = [`register.${key}`, `reports.${key}`].map((one) => spoken[one] ?? english[one]).find(isText) ?? key
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => values[name] ?? hole)
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** Texts of reports, in the order of the English ones; undefined in English, which is part of the page. */
export async function reportTexts(language: string): Promise<readonly (string | Plural)[] | undefined> {
  const words = (await languages[language]?.words?.())?.default.reports
  return words && (Object.keys(reports) as (keyof typeof reports)[]).map((key) => words[key])
}
