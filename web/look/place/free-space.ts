/** A rectangle on the screen: left, top, right, bottom. */
type Box = readonly [number, number, number, number]

const cell = 64

/** Accepts boxes that overlap no accepted one. Offer the important ones first. */
export class FreeSpace {
  readonly #taken = new Map<string, Box[]>()

  take(box: Box): boolean {
    const cells = cellsOf(box)
    if (cells.some((key) => this.#taken.get(key)?.some((other) => overlap(box, other)))) return false
    for (const key of cells) {
      const boxes = this.#taken.get(key)
      if (boxes === undefined) this.#taken.set(key, [box])
      else boxes.push(box)
    }
    return true
  }
}

function cellsOf([left, top, right, bottom]: Box): string[] {
  const keys: string[] = []
  for (let x = Math.floor(left / cell); x <= Math.floor(right / cell); x++)
    for (let y = Math.floor(top / cell); y <= Math.floor(bottom / cell); y++) keys.push(`${x} ${y}`)
  return keys
}

const overlap = (one: Box, other: Box): boolean =>
  one[0] < other[2] && one[2] > other[0] && one[1] < other[3] && one[3] > other[1]
