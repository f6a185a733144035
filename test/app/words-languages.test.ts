import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { scriptOf, shortKeys, withShortKeys } from '../../build/words.mjs'
import { asOlderFields, fieldsOf, isOnlyNewer } from '../../src/farm/fields-of.ts'
import { roleNames } from '../../src/farm/people/roles.ts'
import { scopes } from '../../src/farm/people/scopes.ts'
import { resourceNames } from '../../src/farm/resource-names.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Fields } from '../../src/fields/field.ts'
import { refusals } from '../../src/refusal.ts'
import { form } from '../../src/words/en/form.ts'
import { pages } from '../../src/words/en/pages.ts'
import { today } from '../../src/words/en/today.ts'
import { en } from '../../src/words/en.ts'
import { languages } from '../../src/words/languages.ts'
import type { Plural, TextPart, Words } from '../../src/words/words.ts'
import { locale } from '../../web/words/locale.ts'
import { addWords, type LanguageTexts, say, translation } from '../../web/words/say.ts'

const others: [code: string, words: Words][] = []
for (const [code, { words }] of Object.entries(languages)) if (words) others.push([code, (await words()).default])

const english: Readonly<Record<string, TextPart>> = { ...en, pages }
const holes = (text: string) => [...new Set(text.match(/\{\w+\}/g))].sort()
const textsOf = (words: string | Plural) => (typeof words === 'string' ? [words] : Object.values(words))
const holesOf = (words: string | Plural) => [...new Set(textsOf(words).flatMap(holes))].sort()

/** Every key of a language with its part, and every kind of label. */
const keysOf = (parts: object): string[] =>
  Object.entries(parts).flatMap(([part, own]) => Object.keys(own).map((key) => `${part}: ${key}`))
const kindsOfLabels = { labels: { types: 0, fields: 0, lists: 0 }, server: { roles: 0, scopes: 0, refusals: 0 } }
const pluralForms = ['zero', 'one', 'two', 'few', 'many', 'other']

function differences(wanted: readonly string[], there: readonly string[]) {
  const missing = wanted.filter((key) => !there.includes(key))
  return { missing, unknown: there.filter((key) => !wanted.includes(key)) }
}

afterEach(() => {
  translation.value = null
  locale.value = 'en-GB'
})

describe('the English words', () => {
  test('are all in the table of parts', () => {
    const files = readdirSync('src/words/en').map((name) => readFileSync(join('src/words/en', name), 'utf8'))
    const parts = files.flatMap((text) => text.match(/(?<=^export const )\w+/gm) ?? [])
    expect(Object.keys(english).sort()).toEqual(parts.sort())
  })
  test('have no outer spaces, and the same placeholders in each plural form', () => {
    for (const part of Object.values(english))
      for (const [key, words] of Object.entries(part)) {
        for (const text of textsOf(words)) expect(text, key).toBe(text.trim())
        if (typeof words !== 'string') expect(holes(words.other), key).toEqual(expect.arrayContaining(holes(words.one)))
      }
  })
  test('are added to the app part by part, so that translations find their texts', () => {
    const files = readdirSync('web', { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
    const merged = files.filter((name) => /\baddWords\(\s*\{/.test(readFileSync(join('web', name), 'utf8')))
    expect(merged).toEqual([])
  })
})

describe.each(others)('the words of %s', (code, words) => {
  const pairs = Object.entries(english).flatMap(([part, own]) =>
    Object.entries(own).map(
      ([key, text]) => [key, text, (words as unknown as Record<string, TextPart>)[part]?.[key]] as const,
    ),
  )
  test('have the keys of the English words and no others', () => {
    const none = { missing: [], unknown: [] }
    expect(differences(keysOf({ ...english, ...kindsOfLabels }), keysOf(words))).toEqual(none)
    expect(differences(Object.keys(refusals), Object.keys(words.server.refusals))).toEqual(none)
  })
  test('say something for every key, with the same placeholders', () => {
    for (const [key, text, said] of pairs) {
      if (said === undefined) throw new Error(`${key} is missing`)
      expect(typeof said, key).toBe(typeof text)
      expect(holesOf(said), key).toEqual(holesOf(text))
      for (const one of textsOf(said)) expect(one, key).toBe(one.trim())
      for (const one of textsOf(said)) expect(one, key).not.toBe('')
    }
  })
  test('have the links of the English pages, and words for every role and scope', () => {
    for (const [key, text] of Object.entries(pages))
      expect(words.pages[key as keyof typeof pages].match(/\[/g), key).toEqual(text.match(/\[/g))
    expect(Object.keys(words.server.roles)).toEqual([...roleNames])
    expect(Object.keys(words.server.scopes)).toEqual(scopes.map(({ name }) => name))
  })
  test('have every plural form of the language, for numbers up to a million', () => {
    const rules = new Intl.PluralRules(code)
    const needed = new Set(Array.from({ length: 1_000 }, (_, count) => rules.select(count)))
    for (const [key, , said] of pairs)
      if (said !== undefined && typeof said !== 'string') {
        for (const form of needed) expect(said[form], `${key}: ${form}`).toBeDefined()
        expect(differences(pluralForms, Object.keys(said)).unknown, key).toEqual([])
      }
  })
  test('name every type, field and choice of the stock catalogue, and nothing else', () => {
    const { types, fields, lists } = words.labels
    const [usedTypes, usedFields] = [new Set<string>(), new Set<string>()]
    const look = (given: Fields, scopes: readonly string[]) => {
      for (const [name, field] of Object.entries(given)) {
        const known = scopes.map((scope) => scope + name).find((key) => fields[key] !== undefined)
        expect(known, `${scopes[0]}${name}`).toBeDefined()
        usedFields.add(known ?? '')
        if (field.kind === 'part') look(field.fields, [`${name}.`, ''])
      }
    }
    for (const type of ['log', 'asset', 'term'] as const)
      for (const [name, bundle] of Object.entries(stockFarm.records[type].bundles)) {
        usedTypes.add(name)
        look(asOlderFields(fieldsOf(stockFarm.records[type], bundle)), [`${name}.`, `${resourceNames[type]}.`, ''])
      }
    expect(Object.keys(types).sort()).toEqual([...usedTypes].sort())
    for (const [name, labels] of Object.entries(types)) expect(labels, name).toHaveLength(2)
    expect(Object.keys(fields).sort()).toEqual([...usedFields].sort())
    const words1x = Object.entries(stockFarm.lists)
      .map(([list, choices]) => [list, choices.filter((one) => !isOnlyNewer(one)).map(({ value }) => value)] as const)
      .filter(([, values]) => values.length > 0)
    const named = Object.entries(lists).map(([list, labels]) => [list, Object.keys(labels)] as const)
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(words1x))
  })
})

test('the app shows the texts of a language file, with its number format', async () => {
  const [, words] = others.find(([code]) => code === 'de') ?? []
  const script = scriptOf(en, words as unknown as Parameters<typeof scriptOf>[1], { direction: 'ltr' })
  const read = (await import(`data:text/javascript,${encodeURIComponent(script)}`)) as { default: LanguageTexts }
  addWords(form)
  translation.value = read.default
  locale.value = 'de'
  expect(say('today.days-late', { count: 1 })).toBe('1 Tag überfällig')
  expect(say('today.days-late', { count: 1200 })).toBe('1.200 Tage überfällig')
  expect(say('form.save')).toBe('Speichern')
  translation.value = null
  expect([say('form.save'), say('today.late')]).toEqual(['Save', today['today.late']])
})

test('the build shortens keys that the app writes out, and leaves those that it composes', async () => {
  const short = await shortKeys()
  expect(short.get('entry.name.harvest')).toMatch(/^a\w+$/)
  expect(new Set(short.values()).size).toBe(short.size)
  expect(short.has('entry.harvest.about')).toBe(false)
  const code = "say('entry.name.harvest') + say('entry.harvest.about')"
  expect(withShortKeys(code, short)).toBe(code.replace('entry.name.harvest', short.get('entry.name.harvest') ?? ''))
})
