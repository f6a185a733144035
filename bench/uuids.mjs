/** Mixes the bits of a number, so that numbers in a row are far apart. */
const mixed = (/** @type {number} */ number) => {
  let word = number >>> 0
  for (const factor of [0x7feb352d, 0x846ca68b]) word = Math.imul(word ^ (word >>> 16), factor) >>> 0
  return (word ^ (word >>> 15)) >>> 0
}

const seeds = { log: 1, asset: 2, term: 3, part: 4, set: 5 }
/** @typedef {keyof typeof seeds} Numbered */

/**
 * The UUID of a planted record: it looks random, but is derived from the number.
 * @param {Numbered} of
 * @param {number} number
 */
export function uuidOf(of, number) {
  const seed = seeds[of]
  const [a, b, c] = [0, 1, 2].map((nth) =>
    mixed(mixed(seed * 3 + nth) ^ number)
      .toString(16)
      .padStart(8, '0'),
  )
  const last = (seed * 2 ** 40 + number).toString(16).padStart(12, '0')
  return `${a}-${b?.slice(0, 4)}-4${b?.slice(5)}-8${c?.slice(0, 3)}-${last}`
}
