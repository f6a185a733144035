import { computed, signal } from '@preact/signals'
import { doing } from '../../src/words/en/doing.ts'
import { shell } from '../../src/words/en/shell.ts'
import { today } from '../../src/words/en/today.ts'
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

/** Says the words of a key, with its placeholders filled. */
type Say<W> = <K extends keyof W>(key: K, ...given: SayArguments<W[K]>) => string

type Intersection<P extends readonly unknown[]> = P extends readonly [infer First, ...infer Others]
  ? First & Intersection<Others>
  : unknown

/** What the app opens with: every part of it may say these. */
const opening = [shell, today, doing] as const

/** Another language: the texts of each part in the order of the English ones, by the first key of the part. */
export interface LanguageTexts {
  readonly direction: 'ltr' | 'rtl'
  readonly texts: Readonly<Record<string, readonly (string | Plural)[]>>
  readonly labels: Labels
}

/** Null while the app speaks English. */
export const translation = signal<LanguageTexts | null>(null)

export const say = sayAlso()

/** For a part of the app that brings words of its own along. */
export function sayAlso<P extends readonly TextPart[]>(...own: P): Say<Intersection<typeof opening> & Intersection<P>> {
  const words = computed((): TextPart => Object.assign({}, ...[...opening, ...own].map(inChosen)))
  return (key, ...given) => {
    const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>
    const found = words.value[key as string] ?? ''
    const text = typeof found === 'string' ? found : (found[pluralOf(Number(values.count))] ?? found.other)
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => shown(values[name] ?? hole))
  }
}

function inChosen(part: TextPart): TextPart {
  const keys = Object.keys(part)
  const texts = translation.value?.texts[keys[0] ?? '']
  return texts === undefined ? part : Object.fromEntries(keys.map((key, at) => [key, texts[at] ?? '']))
}

function pluralOf(count: number): keyof Plural {
  return new Intl.PluralRules(locale.value).select(count)
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString(locale.value) : value
}
