import type { LocalRecord, LocalRecordType, RecordFields } from './record.ts'

/**
 * One change that the user makes to one record. Fields are spelled as the record interface reads them; references are
 * `{id}` where the record has a number, else `{uuid}`; new plain terms are `{name}`.
 */
export type LocalChange =
  | {
      readonly verb: 'make'
      readonly type: LocalRecordType
      readonly bundle: string
      readonly uuid: string
      readonly fields: RecordFields
    }
  | {
      readonly verb: 'change'
      readonly type: LocalRecordType
      readonly uuid: string
      /** Changed fields only; null clears. */
      readonly fields: RecordFields
      /** The record when editing began; by default as in the copy. Required if it is not in the copy. */
      readonly read?: LocalRecord
    }
  | { readonly verb: 'remove'; readonly type: LocalRecordType; readonly uuid: string; readonly read?: LocalRecord }
  /** Restores a record from the trash. */
  | { readonly verb: 'restore'; readonly type: LocalRecordType; readonly uuid: string; readonly read: LocalRecord }

export interface NewPhoto {
  /** The UUID of the record it belongs to. */
  readonly record: string
  readonly field: 'images' | 'files'
  readonly file: Blob
}

/** A set that is durable on this device: its changes are sent together and undone together. */
export interface SavedSet {
  readonly set: string
  readonly changes: readonly LocalChange[]
}

/** `frozen`: it was on the wire, and the server may have it. `needs-you`: the user has to decide. */
type EntryState = 'waiting' | 'frozen' | 'needs-you'

export interface ContentFault {
  /** A path such as `quantity[1].measure`. */
  readonly field: string
  readonly message: string
}

/** A field that two users have changed. Texts can be joined and lists united. */
export interface Conflict {
  readonly field: string
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
  readonly kind: 'text' | 'list' | 'value'
}

/** Why an entry needs the user. */
export interface EntryProblem {
  readonly status: number | null
  /** URN of the refusal, or ''. */
  readonly type: string
  readonly detail: string
  readonly errors: readonly ContentFault[]
  readonly requestId: string | null
  readonly conflicts?: readonly Conflict[]
  /** For a conflict: version on the server. */
  readonly tag?: string
  /** Account that changed or removed it, and when (Unix seconds). */
  readonly by?: { readonly name: string; readonly at: number }
  /** For a missing record. */
  readonly removed?: 'to-trash' | 'for-good'
}

/** One request in the queue. */
export interface Entry {
  /** Its position in the queue. */
  readonly n: number
  /** The `Idempotency-Key`. */
  readonly key: string
  /** UUID of the set: its entries are one atomic batch. */
  readonly set: string
  readonly method: 'POST' | 'PUT' | 'DELETE' | 'RESTORE'
  readonly type: LocalRecordType
  readonly record: string
  /** Number of the record when it was read; for a creation its UUID. */
  readonly id: string
  readonly bundle: string
  /** Name of the record, for lists. */
  readonly name: string
  /** All fields of a creation; only changed fields of an edit, null clears. */
  readonly body: RecordFields
  /** The record as read, including its name; null for a creation. */
  readonly base: RecordFields | null
  /** Version as read, for `If-Match`; null if unknown: then the entry is compared first. */
  readonly tag: string | null
  /** Unix seconds: when it was saved. */
  readonly at: number
  /** `compared`: the device's clock had been compared with the server's. */
  readonly clock: 'compared' | 'unsure'
  /** Seconds by which the clock was assumed to be ahead of the server's. */
  readonly ahead: number
  /** UUIDs that it refers to. */
  readonly after: readonly string[]
  readonly state: EntryState
  /** Number of requests. */
  readonly tries: number
  /** Consecutive server failures. */
  readonly failures: number
  readonly problem: EntryProblem | null
  /** The set that it undoes. */
  readonly undoes?: string
  /** Later edits that were merged into it, with the values before each. */
  readonly edits: readonly Edit[]
}

export interface Edit {
  readonly set: string
  readonly before: RecordFields
}

/** An acknowledged entry. */
export interface SentEntry {
  readonly n: number
  readonly set: string
  /** Change set id on the server, used to undo it. */
  readonly changeSet: string | null
  /** Edition of the farm that acknowledged it; null if it is not checked after a restore. */
  readonly edition: string | null
  /** Milliseconds. */
  readonly sentAt: number
  readonly entry: Entry
}

/** A photo or file that is added to its record after the record itself. */
export interface PhotoEntry {
  readonly uuid: string
  readonly record: string
  readonly type: LocalRecordType
  readonly field: 'images' | 'files'
  readonly set: string
  readonly name: string
  readonly bytes: Blob
  readonly size: number
  readonly at: number
  readonly state: EntryState | 'sent'
  readonly tries: number
  readonly failures: number
  readonly problem: EntryProblem | null
  /** Milliseconds, once sent; and the change set id. */
  readonly sentAt?: number
  readonly changeSet?: string | null
}

/** A photo without its bytes, as held in memory. */
export type WaitingPhoto = Omit<PhotoEntry, 'bytes'>

/** True if the server may have the entry: it was on the wire, and nothing proves a rejection. */
export function mayBeOnServer({ state, tries, problem }: Pick<Entry, 'state' | 'tries' | 'problem'>): boolean {
  if (state !== 'needs-you') return state === 'frozen'
  return problem === null || !provesRejected(problem, tries)
}

/**
 * The answer to a single try is proof. After several tries, the answer to an earlier one may have been lost. The
 * server looks for an earlier execution (by idempotency key, by UUID of record or batch, by `If-Match`) before it
 * validates content: so content faults prove that no try was executed. Other refusals may come before that check, or
 * result from the execution. An answer of a proxy proves nothing. After a conflict the server's state is known.
 */
export function provesRejected({ status, type, conflicts }: EntryProblem, tries: number): boolean {
  if (conflicts !== undefined) return true
  if (status === null || status >= 500 || !isFarmRefusal(type)) return false
  return tries === 1 || faultsInContent.has(type)
}

const faultsInContent = new Set(['urn:furrow:refusal:invalid-content', 'urn:furrow:refusal:bad-request'])

/** True for a refusal by the farm itself, not by a proxy on the way. */
export const isFarmRefusal = (type: string): boolean => type.startsWith('urn:furrow:')
