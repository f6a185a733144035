import type { RefusalName } from '../refusal.ts'
import type { pages } from './en/pages.ts'
import type { en } from './en.ts'

/** By the rules of the language: English has one and other. What a language lacks is said as other. */
export type Plural = { readonly one: string; readonly other: string } & {
  readonly [Category in 'zero' | 'two' | 'few' | 'many']?: string
}

/** Keys to text with `{placeholders}`, or to several of them by `count`. */
export type TextPart = Readonly<Record<string, string | Plural>>

type TranslationOf<P> = { readonly [Key in keyof P]: P[Key] extends string ? string : Plural }

/** What the catalogue calls things: types, fields, and the words of lists. */
export interface Labels {
  /** Each in the singular and the plural. */
  readonly types: Readonly<Record<string, readonly string[]>>
  /** By name; `farm_birth.asset` where a type, or a part such as `movement.area`, calls it otherwise. */
  readonly fields: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** What the server calls what may be done and what it does not do. */
export interface ServerLabels {
  readonly roles: Readonly<Record<string, string>>
  readonly scopes: Readonly<Record<string, string>>
  readonly refusals: Readonly<Record<RefusalName, string>>
}

/** All that another language says: every key of English, and what the catalogue calls things. */
export type Words = { readonly [Name in keyof typeof en]: TranslationOf<(typeof en)[Name]> } & {
  readonly labels: Labels
  readonly pages: TranslationOf<typeof pages>
  readonly server: ServerLabels
}
