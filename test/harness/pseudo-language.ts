import type { BrowserContext } from 'playwright-core'
import { scriptOf, shortKeys } from '../../build/words.mjs'
import german from '../../src/words/de.json' with { type: 'json' }
import { en } from '../../src/words/en.ts'

const vowels: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'î', o: 'ö', u: 'ü' }

/** Each word grows where it has a vowel, always in the same way; placeholders, and what is a sign or a unit, stay as they are. */
const longer = (text: string): string =>
  text.replace(/\{\w+\}|\p{L}+/gu, (word) => (word.startsWith('{') ? word : longerWord(word)))

function longerWord(word: string): string {
  const places = word.match(/[aeiou]/g)?.length ?? 0
  let lacking = Math.ceil(word.length * 0.4)
  const each = Math.ceil(lacking / places)
  return word.replace(/[aeiou]/g, (vowel) => {
    const more = Math.min(each, lacking)
    lacking -= more
    return (vowels[vowel] ?? vowel).repeat(1 + more)
  })
}

function stretched(words: unknown): unknown {
  if (typeof words === 'string') return longer(words)
  if (Array.isArray(words)) return words.map(stretched)
  return Object.fromEntries(Object.entries(words as object).map(([key, value]) => [key, stretched(value)]))
}

/** English, longer by two fifths and read from right to left: what is cut off or stays at its side in it will do so in some language. */
const pseudo = stretched({ ...en, labels: german.labels }) as Parameters<typeof scriptOf>[1]

const script = scriptOf(en, pseudo, { direction: 'rtl', short: await shortKeys() })

/** The app finds it in the place of German, and no worker that would keep that may be there. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  await context.route(/\/app\/de-[\w-]{8}\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: script }),
  )
  await context.addInitScript("if (location.protocol !== 'about:') localStorage.setItem('furrow-language', 'de')")
}
