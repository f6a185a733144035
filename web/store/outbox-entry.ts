import type { KeptRecord, KeptRecordType, RecordFields } from './record.ts'

/**
 * One change that the user makes to one record. Fields are spelled as the record interface reads them; references are
 * `{id}` where the record has a number, else `{uuid}`; new plain terms are `{name}`.
 */
export type LocalChange =
  | {
      readonly verb: 'make'
      readonly type: KeptRecordType
      readonly bundle: string
      readonly uuid: string
      readonly fields: RecordFields
    }
  | {
      readonly verb: 'change'
      readonly type: KeptRecordType
      readonly uuid: string
      /** Only those that change; null clears. */
      readonly fields: RecordFields
      /** The record as it was when the person began; without it, as the copy has it now. What is not in the copy needs it. */
      readonly read?: KeptRecord
    }
  | { readonly verb: 'remove'; readonly type: KeptRecordType; readonly uuid: string; readonly read?: KeptRecord }
  /** Out of the trash, as it was. */
  | { readonly verb: 'restore'; readonly type: KeptRecordType; readonly uuid: string; readonly read: KeptRecord }

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
  /** The refusal's URN, or nothing. */
  readonly type: string
  readonly detail: string
  readonly errors: readonly ContentFault[]
  readonly requestId: string | null
  readonly conflicts?: readonly Conflict[]
  /** Of a conflict: the version that the server has. */
  readonly tag?: string
  /** Who changed or removed it meanwhile, and when (Unix seconds). */
  readonly by?: { readonly name: string; readonly at: number }
  /** Of a record that is not there any more. */
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
  readonly type: KeptRecordType
  /** UUID. */
  readonly record: string
  /** The number that the record had when it was read; of a creation its UUID. */
  readonly id: string
  readonly bundle: string
  /** Of the record, for lists. */
  readonly name: string
  /** Of a creation everything; of a change only what changes, and null clears. */
  readonly body: RecordFields
  /** The record as it was read, its name among the fields; null for a creation. */
  readonly base: RecordFields | null
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
  readonly problem: EntryProblem | null
  /** The set that it takes back. */
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
  /** The server's id of the change set, by which it is undone. */
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
  readonly type: KeptRecordType
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
  /** Milliseconds, once it is sent, and the server's id of the change. */
  readonly sentAt?: number
  readonly changeSet?: string | null
}

/** A photo without its bytes, as it lies in memory. */
export type WaitingPhoto = Omit<PhotoEntry, 'bytes'>

/** Tells whether the server may have an entry: it was on the wire, and nothing proves that it was rejected. */
export function mayBeOnServer({ state, tries, problem }: Pick<Entry, 'state' | 'tries' | 'problem'>): boolean {
  if (state !== 'needs-you') return state === 'frozen'
  return problem === null || !provesRejected(problem, tries)
}

/**
 * The answer to the only try is one. After more tries an answer may have been lost that said it was taken. But the farm looks for faults
 * in the content only after it has looked whether it has carried out the same before (by the key, by the UUID of a record or of a batch, by
 * `If-Match`): so faults in it prove that no try was taken. Whatever else it refuses for may come before that, or follow from what it took.
 * What somebody on the way says proves nothing. Of a conflict it is known what the farm has.
 */
export function provesRejected({ status, type, conflicts }: EntryProblem, tries: number): boolean {
  if (conflicts !== undefined) return true
  if (status === null || status >= 500 || !isFarmRefusal(type)) return false
  return tries === 1 || faultsInContent.has(type)
}

const faultsInContent = new Set(['urn:furrow:refusal:invalid-content', 'urn:furrow:refusal:bad-request'])

/** True for a refusal by the farm itself, not by a proxy on the way. */
export const isFarmRefusal = (type: string): boolean => type.startsWith('urn:furrow:')
