import { readdir, readFile } from 'node:fs/promises'
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

/** Parts that only screens with signal say: their texts are a script of their own in each language. */
const partsOfOwner = ['bringing', 'owner', 'people', 'setup', 'settings', 'reports', 'moving']

/**
 * Scripts of the other languages, by name: `de`, and `owner-de` that it imports on demand.
 * @param {ReadonlyMap<string, string>} short
 */
export async function otherLanguages(short) {
  const [{ languages }, { en }] = await Promise.all([read('languages'), read('en')])
  const partsWhere = (/** @type {(part: string) => boolean} */ holds) =>
    Object.fromEntries(Object.entries(/** @type {Parts} */ (en)).filter(([part]) => holds(part)))
  const field = partsWhere((part) => !partsOfOwner.includes(part))
  const ofOwner = partsWhere((part) => partsOfOwner.includes(part))
  /** @type {Map<string, string>} */
  const scripts = new Map()
  for (const [code, { words, rightToLeft }] of Object.entries(languages)) {
    if (words === undefined) continue
    const texts = (await words()).default
    const direction = rightToLeft ? 'rtl' : 'ltr'
    scripts.set(code, scriptOf(field, texts, { direction, short, later: `owner-${code}` }))
    scripts.set(`owner-${code}`, `export default ${JSON.stringify(textsOf(ofOwner, texts, short))}`)
  }
  return scripts
}

/**
 * Short names of keys in the scripts of the app, by key: `entry.move.who` becomes `a4`. A key keeps its name if the
 * app composes it (`entry.${name}`) or never writes it out.
 */
export async function shortKeys() {
  const { en } = await read('en')
  const names = (await readdir(join(root, 'web'), { recursive: true })).filter((name) => /\.tsx?$/.test(name))
  const code = (await Promise.all(names.map((name) => readFile(join(root, 'web', name), 'utf8')))).join('\n')
  const written = new Set([...code.matchAll(literal)].map(([, , key]) => key))
  const composed = [...code.matchAll(/`([\w-]+\.(?:[\w.-]|\$\{[^`}]*\})*)`/g)].map(
    ([, text = '']) => new RegExp(`^${text.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
  )
  const keys = Object.values(/** @type {Parts} */ (en)).flatMap((part) => Object.keys(part))
  const fixed = keys.filter((key) => written.has(key) && !composed.some((pattern) => pattern.test(key)))
  return new Map(fixed.map((key, index) => [key, `a${index.toString(36)}`]))
}

const literal = /(['"`])([\w-]+\.[\w.-]+)\1/g

/** Code with short keys. @param {string} code @param {ReadonlyMap<string, string>} short */
export const withShortKeys = (code, short) =>
  code.replace(literal, (whole, quote, key) => (short.has(key) ? `${quote}${short.get(key)}${quote}` : whole))

/**
 * English holds the keys. Other languages list their texts in the same order, which saves a third of the bytes.
 * @param {Parts} en
 * @param {Parts} words
 * @param {{ direction: 'ltr' | 'rtl', short?: ReadonlyMap<string, string>, later?: string }} options
 */
export function scriptOf(en, words, { direction, short = new Map(), later }) {
  const document = JSON.stringify({ direction, texts: textsOf(en, words, short), labels: words.labels })
  const ofOwner = later === undefined ? '' : `,ofOwner:()=>import(${JSON.stringify(later)})`
  return `export default {...${document}${ofOwner}}`
}

/** @param {Parts} en @param {Parts} words @param {ReadonlyMap<string, string>} short */
function textsOf(en, words, short) {
  const texts = Object.entries(en).map(([part, english]) => {
    const keys = Object.keys(english)
    const [first = ''] = keys
    return [short.get(first) ?? first, keys.map((key) => words[part]?.[key])]
  })
  return Object.fromEntries(texts)
}
