import { clock, dayAndYear } from '../../../words/format.ts'

/** "16 June 2026, 10:42" */
export const dayAndClockOf = (at: number): string => `${dayAndYear(at)}, ${clock(at)}`
