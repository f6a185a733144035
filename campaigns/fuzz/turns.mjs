/** Relative length of a turn of each part. */
const weights = /** @type {const} */ ({ model: 1, alike: 2, generated: 3 })

/** @typedef {keyof typeof weights} TimedPart */

/**
 * Divides the remaining time among the remaining turns.
 * @param {import('../ground/wishes.mjs').Campaign} campaign
 * @returns {(part: TimedPart) => () => boolean} begins a turn; it is asked whether the turn goes on
 */
export function turnsOf({ secondsLeft, wants, engines }) {
  const ofEach = /** @type {const} */ (['model', 'generated'])
  /** @type {TimedPart[]} */
  const coming = [...engines.flatMap(() => ofEach), 'alike']
  const asked = coming.filter((part) => wants(part) && (part !== 'alike' || engines.length > 1))
  return (part) => {
    const all = asked.reduce((sum, one) => sum + weights[one], 0)
    asked.splice(asked.indexOf(part), 1)
    const until = secondsLeft() * (1 - weights[part] / all)
    return () => secondsLeft() > until
  }
}
