import type { Farm, Language } from '../farm/farm.ts'
import { isTimezone } from '../fields/time.ts'
import { Refusal, type RefusalName } from '../refusal.ts'
import type { FarmSettings } from '../storage/settings.ts'

export function knownLanguage({ languages }: Farm, code: string, refusal: RefusalName = 'invalid-content'): string {
  const codes = languages.map(({ language }) => language)
  if (codes.includes(code)) return code
  throw new Refusal(refusal, `This farm does not know the language "${code}": it knows ${codes.join(', ')}.`)
}

/** The setting `languages` as stored, after checking each code. */
export const knownLanguages = (farm: Farm, given: string): string =>
  codesIn(given)
    .map((code) => knownLanguage(farm, code))
    .join(',')

/** The farm's own language, and those that a manager added. */
export function listedLanguages(farm: Farm, { language, languages }: FarmSettings): readonly Language[] {
  const listed = new Set([language, ...codesIn(languages)])
  return farm.languages.filter((one) => listed.has(one.language))
}

/** The codes in the setting `languages`. */
export const codesIn = (given: string): string[] => given.split(/[\s,]+/).filter((code) => code !== '')

/** The default zone. */
export const usualTimezone = 'UTC'

export function knownTimezone(name: string): string {
  if (isTimezone(name)) return name
  throw new Refusal(
    'invalid-content',
    `There is no time zone "${name.slice(0, 100)}": write one such as Europe/Berlin.`,
  )
}
