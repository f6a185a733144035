import { signal } from '@preact/signals'
import { languages } from '../../src/words/languages.ts'
import { locale, localeFor } from './locale.ts'
import { type LanguageTexts, translation } from './say.ts'

const place = 'furrow-language'

/** Language of the app. */
export const language = signal('en')

/** Language chosen on this device, else the browser's. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(place), ...navigator.languages].map((code) => code?.split('-')[0] ?? '')
  await speak(wanted.find((code) => code in languages) ?? 'en')
}

/** Uses the account's language unless one was chosen on this device. */
export const followAccount = async (code: string): Promise<void> => {
  if (localStorage.getItem(place) === null) await chooseLanguage(code)
}

/** Returns false if its texts could not be loaded. */
export async function chooseLanguage(code: string): Promise<boolean> {
  const isSpoken = code in languages && (await speak(code))
  if (isSpoken) localStorage.setItem(place, code)
  return isSpoken
}

async function speak(code: string): Promise<boolean> {
  try {
    // The build leaves out the keys; the order is that of the English texts.
    const words: unknown = (await languages[code]?.words?.())?.default
    translation.value = await wholeIfWanted((words as LanguageTexts | undefined) ?? null)
  } catch {
    return false
  }
  language.value = code
  locale.value = localeFor(code, navigator.languages)
  document.documentElement.lang = code
  document.documentElement.dir = translation.value?.direction ?? 'ltr'
  return true
}

let isOwnerHere = false

/** Loads the texts of owner screens, now and with every further language. */
export async function loadOwnerWords(): Promise<void> {
  isOwnerHere = true
  translation.value = await wholeIfWanted(translation.value)
}

async function wholeIfWanted(words: LanguageTexts | null): Promise<LanguageTexts | null> {
  if (!isOwnerHere || words?.ofOwner === undefined) return words
  const { ofOwner, ...rest } = words
  return { ...rest, texts: { ...rest.texts, ...(await ofOwner()).default } }
}
