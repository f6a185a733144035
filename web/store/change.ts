import type { Fields, KeptRecord, RecordType } from './types.ts'

/**
 * What a person does to one record. Fields are spelled as the record interface reads them; references are `{id}` where the record has a
 * number, else `{uuid}`; plain terms that are new are `{name}`.
 */
export type Change =
  | {
      readonly verb: 'make'
      readonly type: RecordType
      /** `farm_harvest`, `animal`, `farm_areas`. */
      readonly bundle: string
      readonly uuid: string
      readonly fields: Fields
    }
  | {
      readonly verb: 'change'
      readonly type: RecordType
      readonly uuid: string
      /** Only those that change; null clears. */
      readonly fields: Fields
      /** The record as it was when the person began; without it, as the copy has it now. What is not in the copy needs it. */
      readonly read?: KeptRecord
    }
  | { readonly verb: 'remove'; readonly type: RecordType; readonly uuid: string; readonly read?: KeptRecord }
  /** Out of the trash, as it was. */
  | { readonly verb: 'restore'; readonly type: RecordType; readonly uuid: string; readonly read: KeptRecord }

export interface NewPhoto {
  /** The UUID of the record it belongs to. */
  readonly record: string
  readonly field: 'images' | 'files'
  readonly file: Blob
}

/** Durable on this device: all changes of one set are sent together, and are taken back together. */
export interface Saved {
  readonly set: string
  readonly changes: readonly Change[]
}
