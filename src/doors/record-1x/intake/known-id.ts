import type { NamedType } from '../../../farm/resource-names.ts'

/** The id of a record whose type is known, wherever the id itself is written. */
export class KnownId {
  readonly type: NamedType
  readonly id: number
  readonly written: string

  constructor(type: NamedType, id: number, written: string) {
    this.type = type
    this.id = id
    this.written = written
  }

  /** Faults show it as it was written. */
  toJSON(): string {
    return this.written
  }
}

/** For fields that refer to nothing: whatever is called `id` there is no id of a record. */
export const asWritten = (input: unknown): unknown => (input instanceof KnownId ? input.written : input)
