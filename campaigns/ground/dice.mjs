/** The only source of randomness in a campaign, so that a seed reproduces it. */
export class Dice {
  #state

  constructor(/** @type {number} */ seed) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, but not including, 1 (a mixed Weyl sequence). */
  roll() {
    this.#state = (this.#state + 0x9e3779b9) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
  }

  /** An integer from `least` to `most`, both included. @param {number} least @param {number} most */
  whole(least, most) {
    return least + Math.floor(this.roll() * (most - least + 1))
  }

  /** @param {number} chance from 0 to 1 */
  happens(chance) {
    return this.roll() < chance
  }

  /** @template T @param {readonly T[]} things @returns {T} */
  pick(things) {
    const thing = things[Math.floor(this.roll() * things.length)]
    if (thing === undefined) throw new Error('There is nothing to pick from')
    return thing
  }

  /** A few of them, each at most once. @template T @param {readonly T[]} things @param {number} most @returns {T[]} */
  some(things, most) {
    const left = [...things]
    return Array.from({ length: Math.min(this.whole(0, most), left.length) }, () => {
      const [thing] = left.splice(Math.floor(this.roll() * left.length), 1)
      return /** @type {T} */ (thing)
    })
  }

  bytes(/** @type {number} */ length) {
    const bytes = Buffer.alloc(length)
    for (let at = 0; at < length; at += 4) {
      const word = Math.floor(this.roll() * 2 ** 32)
      for (let n = 0; n < 4 && at + n < length; n++) bytes[at + n] = word >>> (8 * n)
    }
    return bytes
  }

  /** Separate dice for concurrent work. */
  apart() {
    return new Dice(this.whole(0, 2 ** 32 - 1))
  }
}
