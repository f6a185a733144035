import type { Generated } from 'kysely'
import type { AccessTables } from './access-tables.ts'

/** Columns of every record type. `name_key` and every `*_key` compare as text (see fields/key.ts). */
interface RecordRow {
  id: Generated<number>
  uuid: string
  /** The bundle: a log or asset type, or a vocabulary's machine name. */
  bundle: string
  name: string
  name_key: string
  uid: number
  created: number
  changed: number
  revision: number
  /** The fields that have no column of their own, as JSON; parts carry a uuid each. */
  fields: string
}

interface LogRow extends RecordRow {
  timestamp: number
  status: 'pending' | 'done' | 'abandoned'
}

interface AssetRow extends RecordRow {
  archived: number
}

interface TermRow extends RecordRow {
  weight: number
}

/**
 * A quantity. One that waits for a log has its values in `fields`; of one that a log has taken, the log has them, and the row says
 * where. The columns after that are what it is found by, in both cases.
 */
export interface QuantityRow extends RecordRow {
  log_id: number | null
  field: QuantityPlace | null
  position: number | null
  measure: string
  label_key: string
  value_key: string
  adjustment: string
  unit_id: number | null
}

/** The field of its log that a quantity stands in. */
export type QuantityPlace = 'quantity' | 'inventory' | 'material'

/** One row per vocabulary of this installation; `vid` is given in order of first appearance and stays. */
interface VocabularyRow {
  vid: Generated<number>
  machine_name: string
}

/** Taken (locked) by whoever is about to create a term by name, so that racing requests create it once. */
interface TermClaimRow {
  vocabulary: string
  name_key: string
}

/** The meaning of a path's number (see records/path.ts). */
export interface PathRow {
  id: number
  source_type: string
  /** Also inside parts, such as `movement.area`. */
  field: string
  /** Empty where the field has a value of its own. */
  target_type: string
}

/** Every reference from a record, also from inside its parts. */
export interface ReferenceRow {
  source_id: number
  path: number
  target_id: number
}

/** Every comparable value that has no column of its own, under its comparison key, so that any field can be filtered. */
export interface FacetRow {
  record_id: number
  path: number
  /** The first characters of the key: short enough to index. */
  key: string
  /** Tells apart the values of one record that begin alike; 0 where `key` is the whole key. */
  nth: number
  /** The whole key where it is longer than `key`, else null. */
  whole_key: string | null
}

/** Subjects of movements, memberships and inventory: an asset, or an area, which is a term. */
export type ThingType = 'asset' | 'term'

/**
 * The stay of a thing in a place (movement) or group (membership), with its end. A movement has a row for each area, or
 * one with the place 0 without any, and a row for each asset that is a place; a membership one for each group, or one
 * with the place 0.
 */
export interface StayRow {
  kind: 'movement' | 'membership'
  thing_type: ThingType
  thing_id: number
  timestamp: number
  log_id: number
  place_type: ThingType
  place_id: number
  until: number
}

export interface InventoryChangeRow {
  thing_type: ThingType
  thing_id: number
  /** Empty if there is none. */
  measure: string
  /** 0 where there is none. */
  unit_id: number
  timestamp: number
  log_id: number
  position: number
  value: string
  /** 1: the level is that value from then on, whatever was before. */
  is_reset: number
}

export interface FileRow {
  id: Generated<number>
  uuid: string
  name: string
  name_key: string
  mime: string
  size: number
  sha256: string
  uid: number
  created: number
  /** The time of its last renaming. */
  changed: number | null
  /** For images. */
  width: number | null
  height: number | null
  /** The alternative text. */
  alt: string | null
  title: string | null
  description: string | null
  /** Since when no record names it; a restore may bring it back. */
  unused_since: number | null
  /** The last record that named it; what waits for its first record has none. */
  last_type: string | null
  last_id: number | null
}

/** The bytes of one or more files; locked by whoever links or unlinks them. */
interface BlobRow {
  sha256: string
  size: number
}

interface BlobChunkRow {
  sha256: string
  position: number
  bytes: Uint8Array
}

/** The changes of records with their authors. Append-only; emptied when a record is deleted for good. */
export interface JournalRow {
  sequence: Generated<number>
  at: number
  uid: number
  record_type: string
  record_id: number
  verb: JournalVerb
  /** The record as it was from then on; null for a removal. */
  after: string | null
  /** Each entry of a record is a revision of it, its removal too. */
  revision: number
  /** The changes that it was made with; null for what is older than sets. */
  set_id: string | null
  /** A random value by which an entry is told from another under the same number in another copy of the farm. */
  mark: number
}

export type JournalVerb = 'create' | 'update' | 'remove' | 'restore'

/** Changes that were made by one request. */
export interface ChangeSetRow {
  id: string
  at: number
  uid: number
  client: string | null
  request: string | null
  /** The set that this one undid. */
  undoes: string | null
  undone_by: string | null
  /** The answer of a batch with its own id, as JSON. */
  results: string | null
}

/** The identity of a UUID, kept for ever. */
export interface IdentityRow {
  uuid: string
  type: IdentifiedType
  /** The id of the record or file. */
  number: number
  /** The account that made it, whatever author is noted. */
  uid: number
  /** A fingerprint of the draft that a client made it with under a UUID of its own. */
  draft: string | null
  /** The time of removal, while it is in the trash. */
  removed: number | null
  /** The time of deletion for good. */
  ended: number | null
}

type IdentifiedType = 'log' | 'asset' | 'term' | 'quantity' | 'file'

/** Counts of records, maintained by triggers; the sum over the slots counts. */
interface TallyRow {
  record_table: string
  bundle: string
  /** A log's status; `kept` or `archived` for an asset; empty for a term. */
  status: string
  slot: number
  count: number
}

/** The answer to a request with an Idempotency-Key, for its repetition. */
export interface KeptAnswerRow {
  uid: number
  key: string
  /** A fingerprint of method, address and body. */
  request: string
  status: number
  headers: string
  body: string
  created: number
}

/** The farm's own settings (name, system of measurement, language) and the installation's secret. */
interface SettingRow {
  name: string
  value: string
}

/** The edition of the farm (see edition.ts); one row. */
interface EditionRow {
  value: string
}

/** A server that works on this farm, by the database's own clock; only on PostgreSQL, where there may be several. */
interface ServerRow {
  id: string
  host: string
  pid: number
  began: number
  /** The last heartbeat. */
  seen: number
}

interface MigrationRow {
  version: number
  name: string
  applied: number
}

export interface Tables extends AccessTables {
  log: LogRow
  asset: AssetRow
  term: TermRow
  quantity: QuantityRow
  vocabulary: VocabularyRow
  term_claim: TermClaimRow
  path: PathRow
  reference: ReferenceRow
  facet: FacetRow
  stay: StayRow
  inventory_change: InventoryChangeRow
  file: FileRow
  blob: BlobRow
  blob_chunk: BlobChunkRow
  journal: JournalRow
  change_set: ChangeSetRow
  identity: IdentityRow
  tally: TallyRow
  kept_answer: KeptAnswerRow
  setting: SettingRow
  edition: EditionRow
  server: ServerRow
  migration: MigrationRow
}
