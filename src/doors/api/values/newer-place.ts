import type { Farm } from '../../../farm/farm.ts'
import { newerWords } from '../../../farm/newer/words.ts'
import type { InputPlace } from '../../../fields/place.ts'

/** What a place is seen through: the farm for its words, and what is called otherwise in what was sent. */
export interface Naming {
  readonly farm: Farm
  readonly names?: ReadonlyMap<string, string>
}

/** A place for who judges a value by its own names: faults are told in the names and words of the newer generation. */
export class NewerPlace implements InputPlace {
  readonly #place: InputPlace
  readonly #naming: Naming

  constructor(place: InputPlace, naming: Naming) {
    this.#place = place
    this.#naming = naming
  }

  get at(): string {
    return this.#place.at
  }

  get address(): string | undefined {
    return this.#place.address
  }

  fault(message: string, allowed?: readonly string[]): undefined {
    return this.#place.fault(message, allowed)
  }

  inside(step: string | number): InputPlace {
    return this.#place.inside(this.#named(step))
  }

  requireInside(name: string): void {
    this.#place.requireInside(String(this.#named(name)))
  }

  keep(numbers: readonly number[]): void {
    this.#place.keep(numbers)
  }

  words(list: string): readonly string[] {
    return newerWords(this.#naming.farm, list)
  }

  #named(step: string | number): string | number {
    return (typeof step === 'string' ? this.#naming.names?.get(step) : undefined) ?? step
  }
}
