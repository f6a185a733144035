/** Edit distance with transpositions (Damerau-Levenshtein). */
function distance(one: string, other: string): number {
  let [before, row]: number[][] = [[], Array.from({ length: other.length + 1 }, (_, place) => place)]
  for (let at = 0; at < one.length; at += 1) {
    const next = [at + 1]
    for (let place = 0; place < other.length; place += 1) {
      const exchanged = (row?.[place] ?? 0) + (one[at] === other[place] ? 0 : 1)
      const isSwapped = at > 0 && place > 0 && one[at] === other[place - 1] && one[at - 1] === other[place]
      const swapped = isSwapped ? (before?.[place - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY
      next.push(Math.min(exchanged, swapped, (row?.[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    ;[before, row] = [row, next]
  }
  return row?.at(-1) ?? 0
}

/** The word that was probably meant; none where every one differs in more than a third of its letters. */
export function nearestTo(word: string, known: readonly string[]): string | undefined {
  const from = (other: string) => distance(word.toLowerCase(), other.toLowerCase())
  const [nearest = ''] = known.toSorted((one, other) => from(one) - from(other))
  return from(nearest) * 3 <= Math.max(word.length, nearest.length) ? nearest : undefined
}

/** Words that may have been meant, nearest first. */
export function nearTo(word: string, known: readonly string[]): readonly string[] {
  const near = known
    .map((other) => ({ other, from: distance(word.toLowerCase(), other.toLowerCase()) }))
    .filter(({ other, from }) => from * 2 <= Math.max(word.length, other.length))
  return near.toSorted((one, other) => one.from - other.from).map(({ other }) => other)
}

/** A question to put after a refusal, or nothing where there is nothing to ask. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = nearestTo(word, known)
  return nearest === undefined ? '' : ` Is ${nearest} meant?`
}
