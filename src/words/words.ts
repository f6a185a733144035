import type { RefusalName } from '../refusal.ts'
import type { pages } from './en/pages.ts'
import type { en } from './en.ts'

/** Plural forms by the rules of the language: English has one and other. A missing form falls back to other. */
export type Plural = { readonly one: string; readonly other: string } & {
  readonly [Category in 'zero' | 'two' | 'few' | 'many']?: string
}

/** Texts with `{placeholders}` by key, or plural forms selected by `count`. */
export type TextPart = Readonly<Record<string, string | Plural>>

type TranslationOf<P> = { readonly [Key in keyof P]: P[Key] extends string ? string : Plural }

/** Labels of the catalogue: types, fields, and words of lists. */
export interface Labels {
  /** Singular and plural. */
  readonly types: Readonly<Record<string, readonly string[]>>
  /** By field name, or `farm_birth.asset` for a type or part with its own label. */
  readonly fields: Readonly<Record<string, string>>
  readonly lists: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Labels of rights, scopes and refusals. */
export interface ServerLabels {
  readonly roles: Readonly<Record<string, string>>
  readonly scopes: Readonly<Record<string, string>>
  readonly refusals: Readonly<Record<RefusalName, string>>
}

/** All texts of another language: every key of English, and the labels of the catalogue. */
export type Words = { readonly [Name in keyof typeof en]: TranslationOf<(typeof en)[Name]> } & {
  readonly labels: Labels
  readonly pages: TranslationOf<typeof pages>
  readonly server: ServerLabels
}
