import { signal } from '@preact/signals'
import { languages } from '../../src/words/languages.ts'
import { locale, localeFor } from './locale.ts'
import { type LanguageTexts, translation } from './say.ts'

const place = 'furrow-language'

/** What the app speaks. */
export const language = signal('en')

/** What was chosen on this device, else what the browser speaks. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(place), ...navigator.languages].map((code) => code?.split('-')[0] ?? '')
  await speak(wanted.find((code) => code in languages) ?? 'en')
}

/** Until somebody has chosen on this device, it speaks as the account says. */
export const followAccount = async (code: string): Promise<void> => {
  if (localStorage.getItem(place) === null) await chooseLanguage(code)
}

/** Answers whether its words could be had. */
export async function chooseLanguage(code: string): Promise<boolean> {
  const isSpoken = code in languages && (await speak(code))
  if (isSpoken) localStorage.setItem(place, code)
  return isSpoken
}

async function speak(code: string): Promise<boolean> {
  try {
    // The build leaves out the keys, which the English words have.
    const words: unknown = (await languages[code]?.words?.())?.default
    translation.value = (words as LanguageTexts | undefined) ?? null
  } catch {
    return false
  }
  language.value = code
  locale.value = localeFor(code, navigator.languages)
  document.documentElement.lang = code
  document.documentElement.dir = translation.value?.direction ?? 'ltr'
  return true
}
