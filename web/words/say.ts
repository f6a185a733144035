import { copy } from '../../src/words/en/copy.ts'
import { doing } from '../../src/words/en/doing.ts'
import { shell } from '../../src/words/en/shell.ts'
import { today } from '../../src/words/en/today.ts'
import { locale } from './locale.ts'

type Plural = { readonly one: string; readonly other: string }
type TextOf<W> = W extends Plural ? W['one'] | W['other'] : W
type Holes<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Holes<Rest> : never
type ValuesOf<W> = W extends Plural ? { count: number } & Filling<W> : Filling<W>
type Filling<W> = { readonly [Name in Exclude<Holes<TextOf<W>>, 'count'>]: string | number } & CountOf<W>
type CountOf<W> = 'count' extends Holes<TextOf<W>> ? { readonly count: number } : unknown
type Given<W> = keyof ValuesOf<W> extends never ? [] : [values: ValuesOf<W>]

/** Keys to text with `{placeholders}`, or to two of them by `count`. English is the source of the other languages. */
type Words = Readonly<Record<string, string | Plural>>

/** Says the words of a key, with its placeholders filled. */
type Say<W extends Words> = <K extends keyof W>(key: K, ...given: Given<W[K]>) => string

/** What the app opens with: every part of it may say these. */
const opening = { ...shell, ...copy, ...today, ...doing } as const

export const say = sayAlso({})

/** For a part of the app that brings words of its own along. */
export function sayAlso<W extends Words>(own: W): Say<typeof opening & W> {
  const words: Words = { ...opening, ...own }
  return (key, ...given) => {
    const values = (given[0] ?? {}) as Readonly<Record<string, string | number>>
    const found = words[key as string] ?? ''
    const text = typeof found === 'string' ? found : found[pluralOf(Number(values.count))]
    return text.replace(/\{(\w+)\}/g, (hole, name: string) => shown(values[name] ?? hole))
  }
}

function pluralOf(count: number): keyof Plural {
  return new Intl.PluralRules(locale.value).select(count) === 'one' ? 'one' : 'other'
}

function shown(value: string | number): string {
  return typeof value === 'number' ? value.toLocaleString(locale.value) : value
}
