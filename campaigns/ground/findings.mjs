const mostShown = 20
const longest = 2_000

export class Findings {
  /** @type {string[]} */
  #shown = []
  count = 0

  add(/** @type {string} */ what) {
    this.count += 1
    if (this.#shown.length < mostShown) this.#shown.push(what.slice(0, longest))
  }

  /** @param {boolean} holds @param {string | (() => string)} otherwise */
  check(holds, otherwise) {
    if (!holds) this.add(typeof otherwise === 'string' ? otherwise : otherwise())
    return holds
  }

  all() {
    return this.#shown
  }
}
