import { signal } from '@preact/signals'

/** How dates and numbers are written: the device's way, as long as it speaks the language of the words. */
export const locale = signal(spoken(typeof navigator === 'undefined' ? [] : navigator.languages))

/** The farm's time zone: days and hours are the farm's, wherever the device is. */
export const timeZone = signal('UTC')

function spoken(languages: readonly string[]): string {
  return languages.find((language) => /^en\b/i.test(language)) ?? 'en-GB'
}
