import type { Words } from './words.ts'

interface LanguageEntry {
  /** In English. */
  readonly name: string
  /** In the language itself. */
  readonly native: string
  readonly rightToLeft?: true
  /** Missing for English, which is part of the app. */
  readonly words?: () => Promise<{ readonly default: Words }>
}

/** The languages of Furrow. A new one is its file of texts beside this one, and its line here. */
export const languages: Readonly<Record<string, LanguageEntry>> = {
  en: { name: 'English', native: 'English' },
  de: { name: 'German', native: 'Deutsch', words: () => import('./de.json', { with: { type: 'json' } }) },
  es: { name: 'Spanish', native: 'Español', words: () => import('./es.json', { with: { type: 'json' } }) },
}
