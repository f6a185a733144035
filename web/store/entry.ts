import type { Fields, RecordType } from './types.ts'

/** What has become of something that is to be sent: `frozen` was on the wire, and nobody knows whether the server has it. */
type EntryState = 'waiting' | 'frozen' | 'needs-you'

export interface Fault {
  /** A path such as `quantity[1].measure`. */
  readonly field: string
  readonly message: string
}

/** A field that two people have changed. Texts can be joined and lists united. */
export interface Conflict {
  readonly field: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  readonly kind: 'text' | 'list' | 'value'
}

/** Why it needs a person. */
export interface Problem {
  readonly status: number | null
  /** The refusal's URN, or nothing. */
  readonly type: string
  readonly detail: string
  readonly errors: readonly Fault[]
  readonly requestId: string | null
  readonly conflicts?: readonly Conflict[]
  /** Of a conflict: the version that the server has. */
  readonly tag?: string
  /** Who changed or removed it meanwhile, and when (Unix seconds). */
  readonly by?: { readonly name: string; readonly at: number }
  /** Of a record that is not there any more. */
  readonly removed?: 'to-trash' | 'for-good'
}

/** One request that waits to be sent. */
export interface Entry {
  /** Its place in the order. */
  readonly n: number
  /** Of `Idempotency-Key`. */
  readonly key: string
  /** Entries of one set are one atomic batch, of which this is the UUID. */
  readonly set: string
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'RESTORE'
  readonly type: RecordType
  /** UUID. */
  readonly record: string
  /** The number that the record had when it was read; of a creation its UUID. */
  readonly id: string
  readonly bundle: string
  /** Of the record, for lists. */
  readonly name: string
  /** Of a creation everything; of a change only what changes, and null clears. */
  readonly body: Fields
  /** The record as it was read, its name among the fields; null for a creation. */
  readonly base: Fields | null
  /** The version that was read, for `If-Match`; null where the server has told of none: then it is to be compared first. */
  readonly tag: string | null
  /** Unix seconds: when it was saved. */
  readonly at: number
  /** Whether the clock of the device had been compared with the server's by then. */
  readonly clock: 'compared' | 'unsure'
  /** By how many seconds the clock was taken to be ahead of the server's. */
  readonly ahead: number
  /** The UUIDs that it refers to. */
  readonly after: readonly string[]
  readonly state: EntryState
  /** How often it was on the wire. */
  readonly tries: number
  /** How often in a row the server has failed at it. */
  readonly failures: number
  readonly problem: Problem | null
  /** The set that it takes back. */
  readonly undoes?: string
  /** Later edits that were merged into it: what they changed was this before. */
  readonly edits: readonly Edit[]
}

export interface Edit {
  readonly set: string
  readonly before: Fields
}

/** An entry that the server has acknowledged. */
export interface SentEntry {
  readonly n: number
  readonly set: string
  /** The server's id of the changes, by which they are undone. */
  readonly changeSet: string | null
  /** Of the farm that has acknowledged it; null where nobody asks whether it is still there. */
  readonly edition: string | null
  /** Milliseconds. */
  readonly sentAt: number
  readonly entry: Entry
}

/** A photo or file that is added to a record once the record itself is there. */
export interface PhotoEntry {
  readonly uuid: string
  readonly record: string
  readonly type: RecordType
  readonly field: 'images' | 'files'
  readonly set: string
  readonly name: string
  readonly bytes: Blob
  readonly size: number
  readonly at: number
  readonly state: EntryState | 'sent'
  readonly tries: number
  readonly failures: number
  readonly problem: Problem | null
  /** Milliseconds, once it is sent, and the server's id of the change. */
  readonly sentAt?: number
  readonly changeSet?: string | null
}

/** A photo without its bytes, as it lies in memory. */
export type PhotoWaiting = Omit<PhotoEntry, 'bytes'>
