import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { StoredFile } from '../../storage/file-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { readTrashDays } from '../../storage/settings.ts'
import {
  type RecordContent,
  contentOf,
  countTrashed,
  findTrashed,
  type Removal,
  type TrashedIdentity,
  trashedPage,
} from '../../storage/trash-rows.ts'
import { keptFiles } from '../../storage/unused-files.ts'
import { lastPageOf, type Paging } from '../finding/paging.ts'
import { namedIn } from '../writing/named-records.ts'

/** A record that lies in the trash. */
export interface TrashEntry extends Pick<StoredRecord, 'uuid' | 'type' | 'id' | 'bundle'> {
  readonly name: string
  readonly removal: Removal
  /** When it ends for good, if nobody changes how long things are kept. */
  readonly ends: number
  /** Those of its files that are there. */
  readonly files: readonly StoredFile[]
}

/** The same with the record as it was. */
export interface TrashedRecord extends TrashEntry {
  readonly record: StoredRecord
}

export interface TrashList {
  readonly entries: readonly TrashEntry[]
  /** The number of the last page. */
  readonly last: number
}

interface Wanted extends Paging {
  readonly farm: Farm
  readonly types: readonly RecordTypeName[]
}

/** A page of the trash, what was removed last first. */
export async function trashList(snapshot: Snapshot, { farm, types, page, limit }: Wanted): Promise<TrashList> {
  const last = lastPageOf(await countTrashed(snapshot, types), { page, limit })
  const found: Found[] = []
  for (const trashed of await trashedPage(snapshot, { types, offset: page * limit, limit })) {
    const content = await contentOf(snapshot, trashed)
    // Of what the journal does not tell nothing can be shown: the doctor names it.
    if (content !== undefined) found.push(foundIn(farm, trashed, content))
  }
  return { entries: await entriesOf(snapshot, found), last }
}

/** What lies in the trash under this UUID, if anything does. */
export async function trashedRecord(snapshot: Snapshot, farm: Farm, uuid: string): Promise<TrashedRecord | undefined> {
  const trashed = await findTrashed(snapshot, uuid)
  if (trashed === undefined) return undefined
  const content = await contentOf(snapshot, trashed)
  if (content === undefined) return undefined
  const [entry] = await entriesOf(snapshot, [foundIn(farm, trashed, content)])
  return entry && { ...entry, record: content.record }
}

/** What is kept of a record for its entry: records may be large, and a page has many. */
type Found = Omit<TrashEntry, 'ends' | 'files'> & { readonly removed: number; readonly fileIds: readonly number[] }

const foundIn = (farm: Farm, { uuid, removed }: TrashedIdentity, { record, removal }: RecordContent): Found => ({
  uuid,
  removed,
  type: record.type,
  id: record.id,
  bundle: record.bundle,
  name: nameOf(record) ?? '',
  removal,
  fileIds: filesOf(farm, record),
})

async function entriesOf(snapshot: Snapshot, found: readonly Found[]): Promise<readonly TrashEntry[]> {
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
