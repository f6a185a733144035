import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const room = join(root, 'src/words')

/** @typedef {Readonly<Record<string, Readonly<Record<string, unknown>>>>} Parts */

/** @param {string} name */
async function read(name) {
  const file = await rolldown({ input: join(room, `${name}.ts`), cwd: root, logLevel: 'warn' })
  const { output } = await file.generate({ format: 'es', codeSplitting: false })
  await file.close()
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

/** The other languages of the app, each as a script. */
export async function otherLanguages() {
  const [{ languages }, { en }] = await Promise.all([read('languages'), read('en')])
  /** @type {Map<string, string>} */
  const scripts = new Map()
  for (const [code, { words, rightToLeft }] of Object.entries(languages))
    if (words !== undefined) scripts.set(code, scriptOf(en, (await words()).default, rightToLeft ? 'rtl' : 'ltr'))
  return scripts
}

/**
 * English holds the keys. Other languages list their texts in the same order, which saves a third of the bytes.
 * @param {Parts} en
 * @param {Parts} words
 * @param {'ltr' | 'rtl'} direction
 */
export function scriptOf(en, words, direction) {
  const texts = Object.entries(en).map(([part, english]) => {
    const keys = Object.keys(english)
    return [keys[0], keys.map((key) => words[part]?.[key])]
  })
  return `export default ${JSON.stringify({ direction, texts: Object.fromEntries(texts), labels: words.labels })}`
}
