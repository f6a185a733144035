/** A cache for one state of the farm: cleared when the state changes, or when it is full. */
export class SnapshotCache<K, V> {
  readonly #most: number
  #state = ''
  #weight = 0
  #known = new Map<K, V>()

  constructor(most: number) {
    this.#most = most
  }

  knownIn(state: string): ReadonlyMap<K, V> {
    if (state !== this.#state) this.#beginAnew(state)
    return this.#known
  }

  keep(state: string, key: K, { value, weight }: { readonly value: V; readonly weight: number }): void {
    if (state !== this.#state || this.#weight + weight > this.#most) this.#beginAnew(state)
    this.#weight += weight
    this.#known.set(key, value)
  }

  /** Others may still read what was known before. */
  #beginAnew(state: string): void {
    this.#state = state
    this.#weight = 0
    this.#known = new Map()
  }
}
