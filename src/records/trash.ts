import { requireRight } from '../access/caller.ts'
import type { Farm, RecordTypeName } from '../farm/farm.ts'
import { fieldsOfBundle } from '../farm/fields-of.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import type { StoredFile } from '../storage/file-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { readTrashDays } from '../storage/settings.ts'
import {
  contentOf,
  countTrashed,
  endRecord,
  findTrashed,
  lockIdentity,
  type RecordContent,
  type Removal,
  type TrashedIdentity,
  trashedPage,
} from '../storage/trash-rows.ts'
import { keptFiles } from '../storage/unused-files.ts'
import { lastPageOf, type PageRequest } from './finding/paging.ts'
import { namedIn } from './writing/named-records.ts'
import type { WriteContext } from './writing/write-context.ts'

/** A record that lies in the trash. */
export interface TrashEntry extends Pick<StoredRecord, 'uuid' | 'type' | 'id' | 'bundle'> {
  readonly name: string
  readonly removal: Removal
  /** When it is deleted for good, by the current retention. */
  readonly ends: number
  /** Its existing files. */
  readonly files: readonly StoredFile[]
}

/** The same with the record as it was. */
export interface TrashedRecordView extends TrashEntry {
  readonly record: StoredRecord
}

interface TrashList {
  readonly entries: readonly TrashEntry[]
  /** The number of the last page. */
  readonly last: number
}

interface TrashQuery extends PageRequest {
  readonly farm: Farm
  readonly types: readonly RecordTypeName[]
}

/** A page of the trash, newest removal first. */
export async function trashList(snapshot: Snapshot, { farm, types, page, limit }: TrashQuery): Promise<TrashList> {
  const last = lastPageOf(await countTrashed(snapshot, types), { page, limit })
  const found: TrashRow[] = []
  for (const trashed of await trashedPage(snapshot, { types, offset: page * limit, limit })) {
    const content = await contentOf(snapshot, trashed)
    // An entry without a journal cannot be shown: the doctor names it.
    if (content !== undefined) found.push(foundIn(farm, trashed, content))
  }
  return { entries: await entriesOf(snapshot, found), last }
}

export async function trashedRecord(
  snapshot: Snapshot,
  farm: Farm,
  uuid: string,
): Promise<TrashedRecordView | undefined> {
  const trashed = await findTrashed(snapshot, uuid)
  if (trashed === undefined) return undefined
  const content = await contentOf(snapshot, trashed)
  if (content === undefined) return undefined
  const [entry] = await entriesOf(snapshot, [foundIn(farm, trashed, content)])
  return entry && { ...entry, record: content.record }
}

/** The part of a record for its entry: records may be large, and a page has many. */
type TrashRow = Omit<TrashEntry, 'ends' | 'files'> & { readonly removed: number; readonly fileIds: readonly number[] }

const foundIn = (farm: Farm, { uuid, removed }: TrashedIdentity, { record, removal }: RecordContent): TrashRow => ({
  uuid,
  removed,
  type: record.type,
  id: record.id,
  bundle: record.bundle,
  name: nameOf(record) ?? '',
  removal,
  fileIds: filesOf(farm, record),
})

async function entriesOf(snapshot: Snapshot, found: readonly TrashRow[]): Promise<readonly TrashEntry[]> {
  const days = await readTrashDays(snapshot)
  const files = await keptFiles(snapshot, [...new Set(found.flatMap(({ fileIds }) => fileIds))])
  return found.map(({ removed, fileIds, ...entry }) => ({
    ...entry,
    ends: removed + days * 86_400,
    files: fileIds.flatMap((id) => files.get(id) ?? []),
  }))
}

const filesOf = (farm: Farm, { type, bundle, values }: StoredRecord): readonly number[] => [
  ...new Set(
    namedIn(fieldsOfBundle(farm.records[type], bundle), values).flatMap(({ to, id }) => (to === 'file' ? [id] : [])),
  ),
]

interface TrashEnding {
  readonly uuid: string
  /** The revisions that the caller may have seen. */
  readonly seen?: readonly number[]
}

export const endingIsForManagers = 'Only managers end removed records for good; they end by themselves in time.'

/** Ends a record in the trash for good, as a part of a transaction. */
export async function endIn({ installation, tx, caller }: WriteContext, { uuid, seen }: TrashEnding): Promise<void> {
  requireRight(caller, 'configure', endingIsForManagers)
  await lockIdentity(tx, { uuid })
  const trashed = await findTrashed(tx, uuid)
  if (trashed === undefined) throw notInTrash(uuid)
  const { type, number: id } = trashed
  const revision = (await contentOf(tx, trashed))?.removal.revision
  if (seen !== undefined && (revision === undefined || !seen.includes(revision))) {
    throw new Refusal(
      'precondition-failed',
      `${type} ${id} does not have the tag in If-Match. Look at it in the trash again.`,
    )
  }
  await endRecord(tx, { type, id, uuid, at: installation.clock() })
}

export const notInTrash = (uuid: string): Refusal =>
  new Refusal('not-found', `Nothing called ${uuid} lies in the trash.`)
