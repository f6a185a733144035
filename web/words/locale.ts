import { signal } from '@preact/signals'

/** Locale of dates and numbers: the device's, if it has the language of the texts. */
export const locale = signal(localeFor('en', typeof navigator === 'undefined' ? [] : navigator.languages))

/** Time zone of the farm, wherever the device is. */
export const timeZone = signal('UTC')

export function localeFor(language: string, ofDevice: readonly string[]): string {
  const own = ofDevice.find((one) => one.split('-')[0] === language && isLocale(one))
  return own ?? (language === 'en' ? 'en-GB' : language)
}

/** Some browsers report an invalid locale, such as `en-US@posix`. */
function isLocale(language: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(language).length > 0
  } catch {
    return false
  }
}
