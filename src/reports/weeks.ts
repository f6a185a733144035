import { beginningOf, dayAt, mondayOf } from '../fields/day.ts'

/** Tells the week of one second after the other; those of a report come in order, so that the last answer often holds. */
export class Weeks {
  readonly #zone: string
  #monday = 0
  #from = 0
  #to = 0

  constructor(zone: string) {
    this.#zone = zone
  }

  /** The Monday of its week. */
  of(second: number): number {
    if (second < this.#from || second >= this.#to) {
      this.#monday = mondayOf(dayAt(second, this.#zone))
      this.#from = beginningOf(this.#monday, this.#zone)
      this.#to = beginningOf(this.#monday + 7, this.#zone)
    }
    return this.#monday
  }
}
