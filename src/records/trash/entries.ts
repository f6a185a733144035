import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { StoredFile } from '../../storage/file-rows.ts'
import { readTrashDays } from '../../storage/settings.ts'
import {
  type Content,
  contentOf,
  countTrashed,
  findTrashed,
  type Trashed,
  trashedPage,
} from '../../storage/trash-rows.ts'
import { keptFiles } from '../../storage/unused-files.ts'
import { lastPageOf, type Paging } from '../finding/paging.ts'
import { namedIn } from '../writing/named-records.ts'

/** A record that lies in the trash. */
export interface TrashEntry extends Content {
  readonly uuid: string
  /** When it ends for good, if nobody changes how long things are kept. */
  readonly ends: number
  /** Those of its files that are there. */
  readonly files: readonly StoredFile[]
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
  const trashed = await trashedPage(snapshot, { types, offset: page * limit, limit })
  return { entries: await entriesOf(snapshot, farm, trashed), last }
}

/** What lies in the trash under this UUID, if anything does. */
export async function trashEntry(snapshot: Snapshot, farm: Farm, uuid: string): Promise<TrashEntry | undefined> {
  const trashed = await findTrashed(snapshot, uuid)
  return trashed && (await entriesOf(snapshot, farm, [trashed]))[0]
}

/** Of what the journal does not tell nothing can be shown: the doctor names it. */
async function entriesOf(snapshot: Snapshot, farm: Farm, trashed: readonly Trashed[]): Promise<readonly TrashEntry[]> {
  const days = await readTrashDays(snapshot)
  const told: (Content & Trashed)[] = []
  for (const one of trashed) {
    const content = await contentOf(snapshot, one)
    if (content !== undefined) told.push({ ...one, ...content })
  }
  const files = await keptFiles(snapshot, [...new Set(told.flatMap(({ record }) => filesOf(farm, record)))])
  return told.map(({ uuid, removed, record, removal }) => ({
    uuid,
    record,
    removal,
    ends: removed + days * 86_400,
    files: filesOf(farm, record).flatMap((id) => files.get(id) ?? []),
  }))
}

const filesOf = (farm: Farm, { type, bundle, values }: Content['record']): readonly number[] => [
  ...new Set(
    namedIn(fieldsOfBundle(farm.records[type], bundle), values).flatMap(({ to, id }) => (to === 'file' ? [id] : [])),
  ),
]
