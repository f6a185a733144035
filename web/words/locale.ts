import { signal } from '@preact/signals'

/** How dates and numbers are written: the device's way, as long as it speaks the language of the words. */
export const locale = signal(spoken(typeof navigator === 'undefined' ? [] : navigator.languages))

/** The farm's time zone: days and hours are the farm's, wherever the device is. */
export const timeZone = signal('UTC')

export function spoken(languages: readonly string[]): string {
  return languages.find((language) => /^en\b/i.test(language) && isLocale(language)) ?? 'en-GB'
}

/** Not every browser names a locale: where the system has none, it says `en-US@posix`. */
function isLocale(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}
