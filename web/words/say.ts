import { signal } from '@preact/signals'
import { doing } from '../../src/words/en/doing.ts'
import { shell } from '../../src/words/en/shell.ts'
import { today } from '../../src/words/en/today.ts'
import type { en } from '../../src/words/en.ts'
import type { Labels, Plural, TextPart } from '../../src/words/words.ts'
import { locale } from './locale.ts'

type TextOf<W> = W extends Plural ? W['one'] | W['other'] : W
type PlaceholderNames<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | PlaceholderNames<Rest> : never
type ValuesOf<W> = W extends Plural ? { count: number } & PlaceholderValues<W> : PlaceholderValues<W>
type PlaceholderValues<W> = {
  readonly [Name in Exclude<PlaceholderNames<TextOf<W>>, 'count'>]: string | number
} & CountOf<W>
type CountOf<W> = 'count' extends PlaceholderNames<TextOf<W>> ? { readonly count: number } : unknown
type SayArguments<W> = keyof ValuesOf<W> extends never ? [] : [values: ValuesOf<W>]

type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer All) => void
  ? All
  : never

/** All texts of the app, by key. */
type AllWords = UnionToIntersection<(typeof en)[keyof typeof en]>

/** A translation: texts of each part in the order of the English ones, by the part's first key. */
export interface LanguageTexts {
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Readonly<Record<string, readonly (string | Plural)[]>>
  readonly labels: Labels
  /** Loads the texts of screens that need signal. */
  readonly ofOwner?: () => Promise<{ readonly default: LanguageTexts['texts'] }>
}

/** Null while the app speaks English. */
export const translation = signal<LanguageTexts | null>(null)

/** An English text and its index in its part: translations have the same order. */
interface EnglishText {
  readonly text: string | Plural
  readonly part: string
  readonly at: number
}

const english = new Map<string, EnglishText>()

/** Chunks add the texts of their part when loaded. */
export function addWords(...parts: readonly TextPart[]): void {
  for (const part of parts) {
    const entries = Object.entries(part)
    const first = entries[0]?.[0] ?? ''
    for (const [at, [key, text]] of entries.entries()) english.set(key, { text, part: first, at })
  }
}

addWords(shell, today, doing)

/** Text of a key with filled placeholders. An unknown key is returned as is. */
export function say<K extends keyof AllWords>(key: K, ...given: SayArguments<AllWords[K]>): string {
  const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>
  const found = wordsOf(key)
  const text = typeof found === 'string' ? found : (found[pluralOf(Number(values.count))] ?? found.other)
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => shown(values[name] ?? hole))
}

function wordsOf(key: string): string | Plural {
  const { text = key, part = '', at = 0 } = english.get(key) ?? {}
  return translation.value?.texts[part]?.[at] ?? text
}

function pluralOf(count: number): keyof Plural {
  return new Intl.PluralRules(locale.value).select(count)
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString(locale.value) : value
}
