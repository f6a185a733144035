import type { Calendar } from './calendar.ts'
import type { Words } from './words.ts'

/** What a demo farm is told from. */
export interface Story {
  readonly seed: number
  readonly calendar: Calendar
  readonly words: Words
}
