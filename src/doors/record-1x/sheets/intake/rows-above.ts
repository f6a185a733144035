import { trimmedTextKey } from '../../../../fields/key.ts'

/** A record that a row of the sheet stands for, and that rows below may name. */
export interface RowAbove {
  readonly row: number
  readonly bundle: string
  readonly name: string
  readonly tags: readonly string[]
  /** Its number, once it has one. */
  readonly id: number | undefined
}

/** The rows of a sheet that were read so far, by what rows below them may call them. */
export class RowsAbove {
  readonly #called = new Map<string, Map<number, RowAbove>>()
  readonly #under = new Map<string, RowAbove>()

  add(above: RowAbove, uuid: string | undefined): void {
    for (const word of [above.name, ...above.tags]) this.#note(trimmedTextKey(word), above)
    if (uuid !== undefined) this.#under.set(uuid, above)
  }

  #note(key: string, above: RowAbove): void {
    if (key === '') return
    const those = this.#called.get(key) ?? new Map<number, RowAbove>()
    this.#called.set(key, those.set(above.row, above))
  }

  /** Those that have this name or ear tag, in the order of their rows. */
  called(word: string): readonly RowAbove[] {
    return [...(this.#called.get(trimmedTextKey(word))?.values() ?? [])]
  }

  under(uuid: string): RowAbove | undefined {
    return this.#under.get(uuid)
  }
}
