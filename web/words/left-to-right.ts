import { translation } from './say.ts'

/** Figures, ids and coordinates keep their order where words are read from right to left: between the two signs of Unicode for that. */
export const leftToRight = (text: string): string =>
  translation.value?.direction === 'rtl' ? `\u2066${text}\u2069` : text
