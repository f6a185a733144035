import type { Farm, Language } from '../farm/farm.ts'
import { isTimezone } from '../fields/time.ts'
import { Refusal, type RefusalName } from '../refusal.ts'
import type { FarmSettings } from '../storage/settings.ts'

/** Answers the language code that was given, if this farm knows it. */
export function knownLanguage({ languages }: Farm, code: string, refusal: RefusalName = 'invalid-content'): string {
  const codes = languages.map(({ language }) => language)
  if (codes.includes(code)) return code
  throw new Refusal(refusal, `This farm does not know the language "${code}": it knows ${codes.join(', ')}.`)
}

/** The setting `languages` as it is kept: the codes that were given, if this farm knows them. */
export const knownLanguages = (farm: Farm, given: string): string =>
  codesIn(given)
    .map((code) => knownLanguage(farm, code))
    .join(',')

/** What the farm lists: its own language, and those that a manager has added. */
export function listedLanguages(farm: Farm, { language, languages }: FarmSettings): readonly Language[] {
  const listed = new Set([language, ...codesIn(languages)])
  return farm.languages.filter((one) => listed.has(one.language))
}

/** The codes that the setting `languages` holds. */
export const codesIn = (given: string): string[] => given.split(/[\s,]+/).filter((code) => code !== '')

/** Where nobody has said another. */
export const usualTimezone = 'UTC'

/** Answers the name of a time zone that was given, if there is one of that name. */
export function knownTimezone(name: string): string {
  if (isTimezone(name)) return name
  throw new Refusal(
    'invalid-content',
    `There is no time zone "${name.slice(0, 100)}": write one such as Europe/Berlin.`,
  )
}
