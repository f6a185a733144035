import { trimmedTextKey } from '../../../../fields/key.ts'

/** A record that a row of the sheet stands for, and that rows below may name. */
export interface RowAbove {
  readonly row: number
  readonly bundle: string
  readonly name: string
  /** Its number, once it has one. */
  readonly id: number | undefined
}

/** The rows of a sheet that were read so far, by what rows below them may call them. */
export class RowsAbove {
  readonly #named = new Map<string, Map<number, RowAbove>>()
  readonly #under = new Map<string, RowAbove>()

  add(above: RowAbove, uuid: string | undefined): void {
    const key = trimmedTextKey(above.name)
    const those = this.#named.get(key) ?? new Map<number, RowAbove>()
    if (key !== '') this.#named.set(key, those.set(above.row, above))
    if (uuid !== undefined) this.#under.set(uuid, above)
  }

  /** Those that are called so, in the order of their rows. */
  called(word: string): readonly RowAbove[] {
    return [...(this.#named.get(trimmedTextKey(word))?.values() ?? [])]
  }

  under(uuid: string): RowAbove | undefined {
    return this.#under.get(uuid)
  }
}
