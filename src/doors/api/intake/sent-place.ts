import type { InputPlace } from '../../../fields/place.ts'
import type { Fault } from '../../../refusal.ts'
import { pointerOfPath } from '../errors/pointers.ts'

/** What is found wrong with a body, and the words of the farm's lists. */
export interface Collected {
  readonly faults: Fault[]
  readonly words: (list: string) => readonly string[]
}

/** Where in a JSON:API body a value stands: a fault points at it. */
export class SentPlace implements InputPlace {
  readonly address = undefined
  /** From the top of the document: `data`, `attributes`, `name`. */
  readonly path: readonly (string | number)[]
  readonly #collected: Collected

  constructor(path: readonly (string | number)[], collected: Collected) {
    this.path = path
    this.#collected = collected
  }

  /** As the writer would say it: without what every path begins with. */
  get at(): string {
    const [first = '', ...others] = this.path.slice(2).filter((step) => step !== 'data')
    return others.reduce<string>(
      (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${step}`),
      String(first),
    )
  }

  fault(message: string, allowed?: readonly string[]): undefined {
    const fault = this.faultOf(message)
    this.#collected.faults.push(allowed === undefined ? fault : { ...fault, allowed })
    return undefined
  }

  /** What would be wrong here. */
  faultOf(message: string): Fault {
    return { field: this.at, message, pointer: pointerOfPath(this.path) }
  }

  inside(step: string | number): SentPlace {
    return new SentPlace([...this.path, step], this.#collected)
  }

  requireInside(name: string): void {
    const pointer = pointerOfPath([...this.path, name])
    if (!this.#collected.faults.some((fault) => fault.pointer?.startsWith(pointer)))
      this.inside(name).fault('is required')
  }

  /** Lists are taken as they are sent. */
  keep(): void {}

  words(list: string): readonly string[] {
    return this.#collected.words(list)
  }
}
