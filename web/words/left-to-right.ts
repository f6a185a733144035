import { translation } from './say.ts'

/** Isolates figures, ids and coordinates in right-to-left texts (Unicode LRI and PDI). */
export const leftToRight = (text: string): string =>
  translation.value?.direction === 'rtl' ? `\u2066${text}\u2069` : text
