import type { RecordTypeName } from '../../farm/farm.ts'
import type { MatchPage } from '../../records/finding/find.ts'
import type { Records } from '../../records/records.ts'
import type { SnapshotCache } from '../http/answers/snapshot-cache.ts'
import type { Documents } from './wire/documents.ts'

/** The records of one type, as this door reads and writes them. */
export interface Collection {
  readonly installation: Records
  readonly documents: Documents
  /** What lists of this type have found, by their addresses; those of the past stay when a log's time comes. */
  readonly findings: Readonly<Record<'present' | 'past', SnapshotCache<string, MatchPage>>>
  readonly type: RecordTypeName
}
