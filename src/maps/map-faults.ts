import { Refusal, type RefusalFault } from '../refusal.ts'

/** Further faults are counted, not listed. */
const mostTold = 100

/** Collects the faults of all features, so that the user can fix them at once. */
export class MapFaults {
  readonly #told: RefusalFault[] = []
  readonly #features = new Map<number | 'parent', RefusalFault[]>()
  #count = 0

  get count(): number {
    return this.#count
  }

  get features(): ReadonlyMap<number | 'parent', readonly RefusalFault[]> {
    return this.#features
  }

  /** A fault of a feature, or of a parent made for features. */
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
