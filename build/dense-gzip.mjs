// @ts-nocheck Typed arrays are read by index throughout, always within their bounds.
import { gunzipSync, gzipSync } from 'node:zlib'

/** Repetitions that DEFLATE (RFC 1951) can express. */
const [shortest, longest, windowSize] = [3, 258, 32_768]
/** Candidates looked at per position, and rounds of improving a block. */
const [mostCandidates, rounds] = [1024, 3]
const headSize = 10

/**
 * A gzip file of fewer bytes than zlib's, for any reader: repetitions are chosen by what they cost in the codes of
 * their block, as Zopfli does. Slow, for files of the app alone.
 * @param {Uint8Array} content
 */
export function denseGzip(content) {
  const usual = gzipSync(content, { level: 9, memLevel: 6 })
  const matches = findMatches(content)
  const out = new BitWriter()
  const greedy = cheapestPath(content, matches, { from: 0, to: content.length, costs: fixedCosts() })
  const blocks = splitBlocks(greedy, content)
  for (const [index, [from, to]] of blocks.entries()) {
    const symbols = bestSymbols(content, matches, { from, to })
    writeBlock(out, symbols, index === blocks.length - 1 ? 1 : 0)
  }
  const dense = Buffer.concat([usual.subarray(0, headSize), out.bytes(), usual.subarray(-8)])
  if (!gunzipSync(dense).equals(Buffer.from(content))) throw new Error('The dense gzip file is not what went in.')
  return dense.length < usual.length ? dense : usual
}

/** @typedef {readonly Uint16Array[]} Matches Per position: pairs of a length and the nearest distance that reaches it, both growing. */

/** @param {Uint8Array} content @returns {Matches} */
function findMatches(content) {
  const size = content.length
  const [heads, before] = [new Map(), new Int32Array(size).fill(-1)]
  const found = new Array(size)
  for (let at = 0; at < size; at++) {
    const pairs = []
    const key = at + 2 < size ? (content[at] << 16) | (content[at + 1] << 8) | content[at + 2] : -1
    if (key >= 0) {
      let [other, best] = [heads.get(key) ?? -1, shortest - 1]
      const most = Math.min(longest, size - at)
      for (let looks = 0; other >= 0 && at - other <= windowSize && looks < mostCandidates; looks++) {
        if (content[other + best] === content[at + best]) {
          let length = 0
          while (length < most && content[other + length] === content[at + length]) length++
          if (length > best) {
            pairs.push(length, at - other)
            best = length
            if (length === most) break
          }
        }
        other = before[other] ?? -1
      }
      before[at] = heads.get(key) ?? -1
      heads.set(key, at)
    }
    found[at] = Uint16Array.from(pairs)
  }
  return found
}

/** Symbols and extra bits of lengths and distances, by RFC 1951 section 3.2.5. */
const lengthSymbols = new Uint16Array(longest + 1)
const lengthExtra = new Uint8Array(longest + 1)
const lengthBases = new Uint16Array(29)
for (let symbol = 0, base = shortest; symbol < 28; symbol++) {
  const extra = symbol < 8 ? 0 : (symbol >> 2) - 1
  lengthBases[symbol] = base
  for (let length = base; length < base + (1 << extra) && length <= longest; length++) {
    lengthSymbols[length] = 257 + symbol
    lengthExtra[length] = extra
  }
  base += 1 << extra
}
lengthSymbols[longest] = 285
lengthExtra[longest] = 0
lengthBases[28] = longest

const distanceBases = new Uint16Array(30)
const distanceExtra = new Uint8Array(30)
for (let symbol = 0, base = 1; symbol < 30; symbol++) {
  distanceExtra[symbol] = symbol < 4 ? 0 : (symbol >> 1) - 1
  distanceBases[symbol] = base
  base += 1 << (distanceExtra[symbol] ?? 0)
}
const distanceSymbols = new Uint8Array(windowSize + 1)
for (let distance = 1, symbol = 0; distance <= windowSize; distance++) {
  if (symbol < 29 && distance >= (distanceBases[symbol + 1] ?? 0)) symbol++
  distanceSymbols[distance] = symbol
}

/** @typedef {{ readonly literals: Float64Array, readonly distances: Float64Array }} Costs Bits per symbol. */

/** @returns {Costs} */
function fixedCosts() {
  const literals = Float64Array.from({ length: 286 }, (_, symbol) => (symbol < 144 ? 8 : symbol < 256 ? 9 : 7))
  return { literals, distances: new Float64Array(30).fill(5) }
}

/** @typedef {Uint16Array} Symbols Pairs: a literal and 0, or a length and its distance. */

/**
 * The cheapest way through a part of the content.
 * @param {Uint8Array} content
 * @param {Matches} matches
 * @param {{ readonly from: number, readonly to: number, readonly costs: Costs }} part
 * @returns {Symbols}
 */
function cheapestPath(content, matches, { from, to, costs: { literals, distances } }) {
  const size = to - from
  const lengthCosts = new Float64Array(longest + 1)
  for (let length = shortest; length <= longest; length++)
    lengthCosts[length] = (literals[lengthSymbols[length]] ?? 0) + lengthExtra[length]
  const [best, lengths, offsets] = [
    new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY),
    new Uint16Array(size + 1),
    new Uint16Array(size + 1),
  ]
  best[0] = 0
  for (let at = 0; at < size; at++) {
    const here = best[at]
    const literal = here + literals[content[from + at]]
    if (literal < best[at + 1]) {
      best[at + 1] = literal
      lengths[at + 1] = 1
    }
    const pairs = matches[from + at]
    for (let pair = 0, length = shortest; pair < pairs.length; pair += 2) {
      const [most, distance] = [Math.min(pairs[pair], size - at), pairs[pair + 1]]
      const symbol = distanceSymbols[distance]
      const start = here + distances[symbol] + distanceExtra[symbol]
      for (; length <= most; length++) {
        const cost = start + lengthCosts[length]
        if (cost < best[at + length]) {
          best[at + length] = cost
          lengths[at + length] = length
          offsets[at + length] = distance
        }
      }
    }
  }
  const reversed = []
  for (let at = size; at > 0; at -= lengths[at])
    if (lengths[at] === 1) reversed.push([content[from + at - 1], 0])
    else reversed.push([lengths[at], offsets[at]])
  return Uint16Array.from(reversed.reverse().flat())
}

/** @param {Symbols} symbols */
function countsOf(symbols) {
  const [literals, distances] = [new Float64Array(286), new Float64Array(30)]
  for (let at = 0; at < symbols.length; at += 2) {
    const [value, distance] = [symbols[at], symbols[at + 1]]
    literals[distance === 0 ? value : lengthSymbols[value]]++
    if (distance > 0) distances[distanceSymbols[distance]]++
  }
  literals[256] = 1
  return { literals, distances }
}

/** @param {Float64Array} counts */
function entropy(counts) {
  const sum = counts.reduce((all, count) => all + count, 0)
  return Float64Array.from(counts, (count) => Math.log2(sum || 1) - (count === 0 ? 0 : Math.log2(count)))
}

/** Bits of a part, about. @param {Symbols} symbols */
function sizeAbout(symbols) {
  const { literals, distances } = countsOf(symbols)
  const [ofLiterals, ofDistances] = [entropy(literals), entropy(distances)]
  let bits = 0
  for (let symbol = 0; symbol < 286; symbol++)
    if (literals[symbol] > 0)
      bits += literals[symbol] * (ofLiterals[symbol] + (symbol > 264 && symbol < 285 ? (symbol - 261) >> 2 : 0)) + 4.5
  for (let symbol = 0; symbol < 30; symbol++)
    if (distances[symbol] > 0) bits += distances[symbol] * (ofDistances[symbol] + distanceExtra[symbol]) + 3.5
  return bits + 60
}

/**
 * Parts of the content whose symbols differ enough for codes of their own.
 * @param {Symbols} symbols
 * @param {Uint8Array} content
 */
function splitBlocks(symbols, content) {
  const cuts = new Set([0, symbols.length])
  /** @param {number} from @param {number} to */
  const split = (from, to) => {
    if (to - from < 800 || cuts.size > 40) return
    const whole = sizeAbout(symbols.subarray(from, to))
    /** @param {number} at */
    const sizeCut = (at) => sizeAbout(symbols.subarray(from, at)) + sizeAbout(symbols.subarray(at, to))
    let [low, high, best] = [from + 200, to - 200, { at: -1, size: Number.POSITIVE_INFINITY }]
    while (high - low > 40) {
      const step = (high - low) / 10
      const tried = Array.from({ length: 9 }, (_, index) => (low + Math.round(step * (index + 1))) & ~1)
      const sized = tried.map((at) => ({ at, size: sizeCut(at) })).sort((one, other) => one.size - other.size)
      if (sized[0] === undefined || sized[0].size >= best.size) break
      best = sized[0]
      low = Math.max(from + 200, best.at - Math.round(step))
      high = Math.min(to - 200, best.at + Math.round(step))
    }
    if (best.size >= whole) return
    cuts.add(best.at)
    split(from, best.at)
    split(best.at, to)
  }
  split(0, symbols.length)
  const bytes = new Map([[0, 0]])
  for (let at = 0, byte = 0; at < symbols.length; at += 2) {
    byte += symbols[at + 1] === 0 ? 1 : symbols[at]
    bytes.set(at + 2, byte)
  }
  const places = [...cuts].sort((one, other) => one - other).map((at) => bytes.get(at) ?? content.length)
  return places.slice(1).map((to, index) => /** @type {const} */ ([places[index] ?? 0, to]))
}

/**
 * @param {Uint8Array} content
 * @param {Matches} matches
 * @param {{ readonly from: number, readonly to: number }} block
 */
function bestSymbols(content, matches, { from, to }) {
  let symbols = cheapestPath(content, matches, { from, to, costs: fixedCosts() })
  let best = { symbols, size: blockOf(symbols).size }
  for (let round = 0; round < rounds; round++) {
    const { literals, distances } = countsOf(symbols)
    symbols = cheapestPath(content, matches, {
      ...{ from, to },
      costs: { literals: entropy(literals), distances: entropy(distances) },
    })
    const { size } = blockOf(symbols)
    if (size < best.size) best = { symbols, size }
  }
  return best.symbols
}

/**
 * Lengths of Huffman codes of at most so many bits (package-merge).
 * @param {Float64Array} counts
 * @param {number} most
 */
function codeLengths(counts, most) {
  const lengths = new Uint8Array(counts.length)
  const leaves = [...counts]
    .flatMap((count, symbol) => (count > 0 ? [{ count, symbols: [symbol] }] : []))
    .sort((one, other) => one.count - other.count)
  if (leaves.length <= 2) {
    for (const { symbols } of leaves) lengths[symbols[0] ?? 0] = 1
    return lengths
  }
  let packages = leaves
  for (let bits = 1; bits < most; bits++) {
    const paired = []
    for (let at = 0; at + 1 < packages.length; at += 2) {
      const [one, other] = [packages[at], packages[at + 1]]
      if (one && other) paired.push({ count: one.count + other.count, symbols: [...one.symbols, ...other.symbols] })
    }
    packages = [...leaves, ...paired].sort((one, other) => one.count - other.count)
  }
  for (const { symbols } of packages.slice(0, 2 * leaves.length - 2)) for (const symbol of symbols) lengths[symbol]++
  return lengths
}

const orderOfLengths = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

/** Runs of code lengths, with as many extra bits. @param {readonly number[]} lengths */
function runsOf(lengths) {
  const runs = []
  for (let at = 0; at < lengths.length; ) {
    const length = lengths[at] ?? 0
    let count = 1
    while (lengths[at + count] === length) count++
    at += count
    if (length === 0)
      while (count >= 3) {
        const some = Math.min(count, 138)
        runs.push(some > 10 ? [18, some - 11, 7] : [17, some - 3, 3])
        count -= some
      }
    else if (count >= 4) {
      runs.push([length, 0, 0])
      for (count -= 1; count >= 3; count -= Math.min(count, 6)) runs.push([16, Math.min(count, 6) - 3, 2])
    }
    for (; count > 0; count--) runs.push([length, 0, 0])
  }
  return runs
}

/** Codes, header and size of a block. @param {Symbols} symbols */
function blockOf(symbols) {
  const { literals, distances } = countsOf(symbols)
  const [ofLiterals, ofDistances] = [codeLengths(literals, 15), codeLengths(distances, 15)]
  if (ofDistances.every((length) => length === 0)) ofDistances[0] = 1
  const [literalCount, distanceCount] = [lastUsed(ofLiterals, 257), lastUsed(ofDistances, 1)]
  const runs = runsOf([...ofLiterals.subarray(0, literalCount), ...ofDistances.subarray(0, distanceCount)])
  const counts = new Float64Array(19)
  for (const [symbol = 0] of runs) counts[symbol]++
  const ofRuns = codeLengths(counts, 7)
  let runCount = 19
  while (runCount > 4 && ofRuns[orderOfLengths[runCount - 1] ?? 0] === 0) runCount--
  let size = 17 + 3 * runCount
  for (const [symbol = 0, , extra = 0] of runs) size += ofRuns[symbol] + extra
  for (let symbol = 0; symbol < 286; symbol++)
    size += literals[symbol] * (ofLiterals[symbol] + (symbol > 264 && symbol < 285 ? (symbol - 261) >> 2 : 0))
  for (let symbol = 0; symbol < 30; symbol++) size += distances[symbol] * (ofDistances[symbol] + distanceExtra[symbol])
  return { ofLiterals, ofDistances, literalCount, distanceCount, runs, ofRuns, runCount, size }
}

/** @param {Uint8Array} lengths @param {number} least */
function lastUsed(lengths, least) {
  let count = lengths.length
  while (count > least && lengths[count - 1] === 0) count--
  return count
}

/** @param {BitWriter} out @param {Symbols} symbols @param {0 | 1} last */
function writeBlock(out, symbols, last) {
  const { ofLiterals, ofDistances, literalCount, distanceCount, runs, ofRuns, runCount } = blockOf(symbols)
  out.put(last, 1)
  out.put(2, 2)
  out.put(literalCount - 257, 5)
  out.put(distanceCount - 1, 5)
  out.put(runCount - 4, 4)
  for (const symbol of orderOfLengths.slice(0, runCount)) out.put(ofRuns[symbol], 3)
  const [literals, distances, lengths] = [codesOf(ofLiterals), codesOf(ofDistances), codesOf(ofRuns)]
  for (const [symbol = 0, value = 0, extra = 0] of runs) {
    out.put(lengths[symbol], ofRuns[symbol])
    out.put(value, extra)
  }
  for (let at = 0; at < symbols.length; at += 2) {
    const [value, distance] = [symbols[at], symbols[at + 1]]
    const symbol = distance === 0 ? value : lengthSymbols[value]
    out.put(literals[symbol], ofLiterals[symbol])
    if (distance === 0) continue
    out.put(value - (lengthBases[symbol - 257] ?? 0), lengthExtra[value])
    const far = distanceSymbols[distance]
    out.put(distances[far], ofDistances[far])
    out.put(distance - distanceBases[far], distanceExtra[far])
  }
  out.put(literals[256], ofLiterals[256])
}

/** Canonical codes, their bits in the order of the wire. @param {Uint8Array} lengths */
function codesOf(lengths) {
  const next = new Uint16Array(17)
  const counts = new Uint16Array(17)
  for (const length of lengths) if (length > 0) counts[length]++
  for (let bits = 1; bits <= 15; bits++) next[bits + 1] = (next[bits] + counts[bits]) << 1
  return Uint16Array.from(lengths, (length) => {
    let [code, reversed] = [length === 0 ? 0 : next[length]++, 0]
    for (let bit = 0; bit < length; bit++, code >>= 1) reversed = (reversed << 1) | (code & 1)
    return reversed
  })
}

class BitWriter {
  /** @type {number[]} */
  #bytes = []
  #held = 0
  #count = 0

  /** @param {number} value @param {number} bits */
  put(value, bits) {
    this.#held |= value << this.#count
    this.#count += bits
    while (this.#count >= 8) {
      this.#bytes.push(this.#held & 255)
      this.#held >>>= 8
      this.#count -= 8
    }
  }

  bytes() {
    return Uint8Array.from(this.#count > 0 ? [...this.#bytes, this.#held & 255] : this.#bytes)
  }
}
