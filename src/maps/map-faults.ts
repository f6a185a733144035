import { Refusal, type RefusalFault } from '../refusal.ts'

/** So many are told; the others are counted. */
const mostTold = 100

/** What is wrong with the features of a map, gathered, so that all of it can be put right at once. */
export class MapFaults {
  readonly #told: RefusalFault[] = []
  readonly #features = new Map<number | 'parent', RefusalFault[]>()
  #count = 0

  get count(): number {
    return this.#count
  }

  /** What is wrong with each feature that something is wrong with. */
  get features(): ReadonlyMap<number | 'parent', readonly RefusalFault[]> {
    return this.#features
  }

  /** Of a feature, or of what is made because features lie in it. */
  add(feature: number | 'parent', { field, ...fault }: RefusalFault): void {
    this.#count++
    this.#features.set(feature, [...(this.#features.get(feature) ?? []), { field, ...fault }])
    const at = feature === 'parent' ? feature : `features[${feature}]`
    if (this.#told.length < mostTold) this.#told.push({ ...fault, field: field === '' ? at : `${at}.${field}` })
  }

  refuse(): void {
    const [first] = this.#told
    if (first === undefined) return
    const more = this.#count > 1 ? ` (and ${this.#count - 1} more)` : ''
    throw new Refusal('invalid-content', `${first.field}: ${first.message}${more}. Nothing of the map was kept.`, {
      faults: this.#told,
    })
  }
}
