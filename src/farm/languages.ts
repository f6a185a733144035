import { languages as spoken } from '../words/languages.ts'
import type { Language } from './farm.ts'

/** Every language that Furrow speaks; which of them a farm lists, its settings say. */
export const languages: readonly Language[] = Object.entries(spoken).map(
  ([language, { name, native, rightToLeft }]) => ({
    language,
    name,
    native,
    direction: rightToLeft ? 1 : 0,
  }),
)
