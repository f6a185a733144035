import { signal } from '@preact/signals'

/** How dates and numbers are written: the device's way, as long as it speaks the language of the words. */
export const locale = signal(localeFor('en', typeof navigator === 'undefined' ? [] : navigator.languages))

/** The farm's time zone: days and hours are the farm's, wherever the device is. */
export const timeZone = signal('UTC')

export function localeFor(language: string, ofDevice: readonly string[]): string {
  const own = ofDevice.find((one) => one.split('-')[0] === language && isLocale(one))
  return own ?? (language === 'en' ? 'en-GB' : language)
}

/** Not every browser names a locale: where the system has none, it says `en-US@posix`. */
function isLocale(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}
