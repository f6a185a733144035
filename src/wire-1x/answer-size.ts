import { inMebibytes, mebibyte } from '../fields/byte-size.ts'
import { Refusal } from '../refusal.ts'

/** Many records with large geometries would not fit into the memory of either side. */
const mostBytes = 64 * mebibyte

/** How much of one answer is taken; what goes beyond it is refused, with the advice what to ask for instead. */
export class AnswerBudget {
  readonly #advice: string
  #taken = 0

  constructor(advice: string) {
    this.#advice = advice
  }

  take(bytes: number): void {
    this.#taken += bytes
    if (this.#taken > mostBytes)
      throw new Refusal('bad-query', `These records are more than ${inMebibytes(mostBytes)} together: ${this.#advice}.`)
  }
}

/** One record is always shown. */
export const budgetOfPage = (records: number): AnswerBudget | undefined =>
  records > 1 ? new AnswerBudget('ask for fewer at a time with limit') : undefined
