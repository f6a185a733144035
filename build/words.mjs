import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const room = join(root, 'src/words')

/** @typedef {Readonly<Record<string, Readonly<Record<string, unknown>>>>} Parts */

/** What a file of the room of words has to say. @param {string} name */
async function read(name) {
  const file = await rolldown({ input: join(room, `${name}.ts`), cwd: root, logLevel: 'warn' })
  const { output } = await file.generate({ format: 'es', codeSplitting: false })
  await file.close()
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
}

/** The languages beside English that the app speaks, each as its script brings it. */
export async function otherLanguages() {
  const [{ languages }, { en }] = await Promise.all([read('languages'), read('en')])
  /** @type {Map<string, string>} */
  const scripts = new Map()
  for (const [code, { words, rightToLeft }] of Object.entries(languages))
    if (words !== undefined) scripts.set(code, scriptOf(en, (await words()).default, rightToLeft ? 'rtl' : 'ltr'))
  return scripts
}

/**
 * The English words have the keys: another language says its texts in the same order, part by part, which takes a third fewer bytes.
 * @param {Parts} en @param {Parts} words @param {'ltr' | 'rtl'} direction
 */
export function scriptOf(en, words, direction) {
  const texts = Object.entries(en).map(([part, english]) => {
    const keys = Object.keys(english)
    return [keys[0], keys.map((key) => words[part]?.[key])]
  })
  return `export default ${JSON.stringify({ direction, texts: Object.fromEntries(texts), labels: words.labels })}`
}
