import { pages } from './en/pages.ts'
import { languages } from './languages.ts'
import type { ServerLabels } from './words.ts'

type Key = keyof typeof pages

export interface PageWords {
  readonly language: string
  readonly direction: 'ltr' | 'rtl'
  /** Placeholders without a value stay: a page puts markup there. */
  readonly say: (key: Key, values?: Readonly<Record<string, string | number>>) => string
  /** Labels of roles, scopes and refusals; undefined in English, their source. */
  readonly labels: ServerLabels | undefined
}

/** Falls back to English. */
export async function pageWords(language: string): Promise<PageWords> {
  const spoken = Object.hasOwn(languages, language) ? languages[language] : undefined
  const words = (await spoken?.words?.())?.default
  const texts: Readonly<Record<Key, string>> = words?.pages ?? pages
  return {
    language: words === undefined ? 'en' : language,
    direction: spoken?.rightToLeft ? 'rtl' : 'ltr',
    say: (key, values = {}) =>
      texts[key].replace(/\{(\w+)\}/g, (hole, name: string) =>
        Object.hasOwn(values, name) ? String(values[name]) : hole,
      ),
    labels: words?.server,
  }
}
