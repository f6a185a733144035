import { inMebibytes } from '../fields/byte-size.ts'
import { Refusal } from '../refusal.ts'

/** What is left of a body when its files are taken away has a bound of its own. */
export const plainPartTooLarge = (most: number): Refusal =>
  new Refusal('too-large', `Without its files a body may have ${inMebibytes(most)}: send fewer records at a time.`)
