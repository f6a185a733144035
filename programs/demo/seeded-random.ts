/** A seeded random generator: two demo farms with the same seed are identical. */
export class SeededRandom {
  #state: number

  constructor(seed: number, what: string) {
    this.#state = [...what].reduce((sum, letter) => Math.imul(sum ^ letter.charCodeAt(0), 0x9e3779b1), seed | 0)
  }

  /** From 0 up to but not including 1 (mulberry32). */
  roll(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  chance(share: number): boolean {
    return this.roll() < share
  }

  /** An integer, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.roll() * (most - least + 1))
  }

  /** With one decimal, as a scale shows it. */
  tenths(least: number, most: number): string {
    return (this.between(least * 10, most * 10) / 10).toFixed(1)
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.between(0, from.length - 1)] ?? from[0]
  }
}
