import { isPlainAdjustment, nothing, type Quantity } from './quantity.ts'
import type { Thing } from './thing.ts'

/** A log and what was measured in it. The record interface tells that in three lists. */
export class MeasuringLog {
  readonly bundle: string
  readonly uuid: string
  number = 0
  measured: readonly Quantity[] = []
  adjustments: readonly Quantity[] = []
  materials: readonly Thing[] = []
  /** Materials of which nothing more is said are quantities, too. */
  plain: ReadonlyMap<Thing, Quantity> = new Map()

  constructor(bundle: string, uuid: string) {
    this.bundle = bundle
    this.uuid = uuid
  }

  get hasMaterials(): boolean {
    return this.bundle === 'input'
  }

  /** As the newer generation lists them. */
  get quantities(): readonly Quantity[] {
    return [...this.measured, ...this.adjustments, ...this.plain.values()]
  }

  /**
   * What the newer generation wants it to have, in this order. Gives back those that it has let go of: a material that was wanted beside another
   * quantity that names it has become a part of that one.
   */
  want(wanted: readonly Quantity[], changed: readonly Quantity[] = []): readonly Quantity[] {
    const had = this.quantities
    const isAsItWas = (list: readonly Quantity[], one: Quantity) => list.includes(one) && !changed.includes(one)
    const plain = wanted.filter((one) => isAsItWas([...this.plain.values()], one))
    const others = wanted.filter((one) => !plain.includes(one))
    const adjusting = others.filter(
      (one) => isAsItWas(this.adjustments, one) || (!isAsItWas(this.measured, one) && isPlainAdjustment(one)),
    )
    if (this.hasMaterials) {
      const named = new Set(wanted.flatMap(({ says }) => says.materials))
      this.materials = [...new Set([...this.materials.filter((term) => named.has(term)), ...named])]
    }
    this.measured = others.filter((one) => !adjusting.includes(one))
    this.adjustments = adjusting
    this.#findPlain()
    return had.filter((one) => !wanted.includes(one))
  }

  /** The lists of the record interface are other ones. Gives back the quantities that are gone by that. */
  tell(lists: Partial<Pick<MeasuringLog, 'measured' | 'adjustments' | 'materials'>>): readonly Quantity[] {
    const had = this.quantities
    Object.assign(this, lists)
    if (this.hasMaterials) {
      for (const one of this.measured)
        one.says = { ...one.says, materials: one.says.materials.filter((term) => this.materials.includes(term)) }
    }
    this.#findPlain()
    return had.filter((one) => !this.quantities.includes(one))
  }

  #findPlain(): void {
    const named = new Set(this.measured.flatMap(({ says }) => says.materials))
    const unnamed = this.materials.filter((term) => !named.has(term))
    this.plain = new Map(unnamed.map((term) => [term, this.plain.get(term) ?? plainMaterial(term)]))
  }
}

const plainMaterial = (term: Thing): Quantity => ({
  type: 'material',
  uuid: undefined,
  says: { ...nothing, materials: [term] },
})
