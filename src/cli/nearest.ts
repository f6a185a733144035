/** How many letters have to be put in, left out or exchanged to make one word of the other (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const letter of one) {
    const next = [(row[0] ?? 0) + 1]
    for (const [place, met] of [...other].entries()) {
      const exchanged = (row[place] ?? 0) + (letter === met ? 0 : 1)
      next.push(Math.min(exchanged, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The word that was probably meant. */
export function nearestTo(word: string, known: readonly string[]): string {
  const [nearest = ''] = known.toSorted((one, other) => distance(word, one) - distance(word, other))
  return nearest
}
