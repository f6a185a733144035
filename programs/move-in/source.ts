import type { Installation } from '../../src/access/installation.ts'
import type { Farm } from '../../src/farm/farm.ts'
import type { FileTexts } from '../../src/fields/value.ts'
import type { QuantityColumns } from '../../src/records/moving/arriving-records.ts'
import type { Records } from '../../src/records/records.ts'
import type { StoredRecord } from '../../src/storage/records/stored.ts'
import type { Report } from '../../src/storage/report.ts'
import type { SourceResource } from './api-resources.ts'
import type { FileCheck } from './farm-comparison.ts'
import type { ArrivingAccount } from './farm-export.ts'
import type { MoveFinding, NoteChange } from './findings.ts'
import type { StoredSourceFiles } from './source-files.ts'
import type { SourceType } from './source-lists.ts'
import type { NoteFormat } from './source-values.ts'
import type { NotedReading, TargetFarm } from './target-farm.ts'
import type { UnknownType } from './unknown-types.ts'
import type { WorkingDirectory } from './working-directory.ts'

/** What this farm shows of records under /api. */
export type ShownResources = (
  records: Records,
  wanted: { readonly type: SourceType | 'quantity'; readonly ids: readonly number[] },
) => Promise<readonly SourceResource[]>

/** Checks that need the HTTP server. */
export interface ServedChecks {
  readonly unservedFiles: FileCheck
  readonly shownResources: ShownResources
}

export interface WriteRequest {
  readonly farm: Farm
  readonly here: TargetFarm
  readonly texts: NoteFormat
  readonly now: number
  readonly note: NoteChange
  readonly report: Report
}

export interface CompareRequest extends ServedChecks {
  readonly installation: Installation
  readonly texts: NoteFormat
  readonly report: Report
  readonly noted: NotedReading | undefined
}

/** Everything read from the other server, of either generation. */
export interface SourceReading {
  readonly counts: readonly (readonly [number, string])[]
  readonly files: StoredSourceFiles
  /** Files that records name, by their number over there. */
  readonly namedFiles: readonly number[]
  readonly isFurrow: boolean
  /** UUIDs of records, accounts and files, where the source shows them. */
  readonly uuids: readonly string[]
  /** Things that are not moved, beside those of every farmOS. */
  readonly notMoved: readonly string[]
  unknownTo(farm: Farm): readonly UnknownType[]
  /** Shows what this farm does not know as what it knows, with the rest as text; says what was concerned. */
  showAsKnown(farm: Farm): readonly MoveFinding[]
  moduleFor(farm: Farm, unknown: readonly UnknownType[]): string | null
  /** Writes the farm in the form of an export. */
  write(directory: WorkingDirectory, request: WriteRequest): Promise<void>
  compare(request: CompareRequest): Promise<readonly MoveFinding[]>
  /** The farm for a farm that moved in earlier. */
  follow(request: FollowRequest): FollowedFarm
}

/** State of a farm that follows another. */
export interface FollowRequest {
  readonly farm: Farm
  readonly noted: NotedReading
  readonly texts: NoteFormat
  readonly now: number
  readonly note: NoteChange
  /** Numbers of this farm by UUID, accounts included. */
  readonly byUuid: ReadonlyMap<string, number>
  /** Placeholder terms by vocabulary. */
  readonly standIns: ReadonlyMap<string, number>
  isFree(type: SourceType | 'user' | 'file', id: number): boolean
}

export interface FollowedFile {
  readonly uid: number
  /** Undefined in generation 1. */
  readonly uuid: string | undefined
  readonly name: string
  readonly mime: string
  readonly created: number
  readonly texts: FileTexts
}

/** The other farm as this one would store it today. */
export interface FollowedFarm {
  /** Terms, then assets, then logs; last the quantities that no log has. */
  records(): Iterable<StoredRecord>
  readonly quantityColumns: QuantityColumns
  /** Known after all records were asked for. */
  readonly accounts: readonly ArrivingAccount[]
  /** Placeholder terms by vocabulary, known after all records were asked for. */
  readonly standIns: ReadonlyMap<string, number>
  /** By the number over there. */
  fileOf(key: number): FollowedFile | undefined
  /** Numbers that differ from those over there. */
  readonly numbers: Readonly<Record<string, number>>
  /** The same in words. */
  readonly renumbered: readonly string[]
}
