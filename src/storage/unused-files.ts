import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot, Transaction } from './database.ts'
import type { StoredFile } from './file-rows.ts'
import { markEnded } from './identity.ts'
import { isReferredTo } from './records/referrers.ts'
import { readTrashDays } from './settings.ts'
import { inSlices, must } from './sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'

/** The record that names files no longer, and since when. */
interface LastNamedBy {
  readonly type: RecordTypeName
  readonly id: number
  readonly at: number
}

interface Ids {
  readonly ids: readonly number[]
}

interface Hash {
  readonly sha256: string
}

/** Files that no record names any more are kept for the retention time, and hidden meanwhile. */
export async function dropFiles(tx: Transaction, ids: readonly number[], last: LastNamedBy): Promise<void> {
  if (ids.length === 0) return
  // Locked before it is asked who holds them: whoever is about to take one over has either done so by then, or finds it gone.
  const dropped = await unnamedAmong(tx, await lockedFiles(tx, { ids }))
  if (dropped.length === 0) return
  if ((await readTrashDays(tx)) === 0) await freeFiles(tx, dropped, last.at)
  else await markedUnused(tx, { ids: dropped.map(({ id }) => id), last_type: last.type, last_id: last.id, at: last.at })
}

const lockedFiles = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('file').selectAll().where('id', 'in', ids).orderBy('id').forUpdate(),
)

async function unnamedAmong(tx: Transaction, files: readonly StoredFile[]): Promise<readonly StoredFile[]> {
  const unnamed: StoredFile[] = []
  for (const file of files) if (!(await isReferredTo(tx, 'file', file.id))) unnamed.push(file)
  return unnamed
}

type FileMark = Ids & Pick<StoredFile, 'last_type' | 'last_id'> & { readonly at: number }

const markedUnused = preparedChange((tx, { ids, last_type, last_id, at }: FileMark) =>
  tx.updateTable('file').set({ unused_since: at, last_type, last_id }).where('id', 'in', ids),
)

/**
 * Files for a record that comes back, or says again what it said before: those that no record names are in use again. Answers those that
 * are there; the others were freed. They stay until the transaction ends.
 */
export async function takeFilesBack(tx: Transaction, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const there = await filesToTakeBack(tx, { ids })
  const unused = there.flatMap(({ id, unused_since }) => (unused_since === null ? [] : [id]))
  if (unused.length > 0) await inUseAgain(tx, { ids: unused })
  return new Set(there.map(({ id }) => id))
}

const filesToTakeBack = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('file').select(['id', 'unused_since']).where('id', 'in', ids).orderBy('id').forNoKeyUpdate(),
)

const inUseAgain = preparedChange((tx, { ids }: Ids) =>
  tx.updateTable('file').set({ unused_since: null, last_type: null, last_id: null }).where('id', 'in', ids),
)

/** Files whether or not a record names them, for those who may bring them back. */
export async function keptFiles(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  const found = await inSlices(ids, (slice) => anyFiles(snapshot, { ids: slice }))
  return new Map(found.map((file) => [file.id, file]))
}

const anyFiles = prepared((snapshot, { ids }: Ids) => snapshot.selectFrom('file').selectAll().where('id', 'in', ids))

/** Frees the files that a record was the last to name. */
export async function freeFilesOf(tx: Transaction, { type, id, at }: LastNamedBy): Promise<void> {
  await freeFiles(tx, await unnamedAmong(tx, await lastNamedBy(tx, { type, id })), at)
}

const lastNamedBy = prepared((snapshot, { type, id }: { readonly type: string; readonly id: number }) =>
  snapshot
    .selectFrom('file')
    .selectAll()
    .where('unused_since', 'is not', null)
    .where('last_type', '=', type)
    .where('last_id', '=', id)
    .orderBy('id')
    .forUpdate(),
)

export interface FileSlice {
  /** Unused or removed until then. */
  readonly until: number
  /** Begins after this one. */
  readonly after: number
  readonly most: number
  readonly now: number
}

/** Frees some of the files that no record has named for long. Answers the last that was looked at, or undefined at the end. */
export async function freeLongUnused(
  tx: Transaction,
  { until, after, most, now }: FileSlice,
): Promise<number | undefined> {
  const files = await longUnused(tx, { until, after, most })
  await freeFiles(tx, await unnamedAmong(tx, files), now)
  return files.at(-1)?.id
}

const unusedIn = (snapshot: Snapshot, { until, after, most }: Omit<FileSlice, 'now'>) =>
  snapshot
    .selectFrom('file')
    .selectAll()
    .where('unused_since', '<=', until)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .forUpdate()

const longUnused = prepared((snapshot, slice: Omit<FileSlice, 'now'>) =>
  unusedIn(snapshot, slice).where('last_type', 'is not', null),
)

/** The same for uploads whose record never came. */
export async function freeForgotten(
  tx: Transaction,
  { until, after, most, now }: FileSlice,
): Promise<number | undefined> {
  const files = await longForgotten(tx, { until, after, most })
  await freeFiles(tx, files, now)
  return files.at(-1)?.id
}

const longForgotten = prepared((snapshot, slice: Omit<FileSlice, 'now'>) =>
  unusedIn(snapshot, slice).where('last_type', 'is', null),
)

/** Number and bytes of an account's uploads for future records. */
interface WaitingFiles {
  readonly files: number
  readonly bytes: number
}

/** Serialises concurrent requests of one account. */
export async function lockWaiting(tx: Transaction, uid: number): Promise<WaitingFiles> {
  await accountHeld(tx, { uid })
  const { files, bytes } = must(await waitingOf(tx, { uid }))
  return { files: Number(files), bytes: Number(bytes ?? 0) }
}

const accountHeld = prepared((snapshot, { uid }: { readonly uid: number }) =>
  snapshot.selectFrom('account').select('uid').where('uid', '=', uid).forNoKeyUpdate(),
)

const waitingOf = preparedFirst((snapshot, { uid }: { readonly uid: number }) =>
  snapshot
    .selectFrom('file')
    .select(({ fn }) => [fn.countAll<number>().as('files'), fn.sum<number | null>('size').as('bytes')])
    .where('unused_since', 'is not', null)
    .where('last_type', 'is', null)
    .where('uid', '=', uid),
)

/** Their bytes go with the last file that has them. */
async function freeFiles(tx: Transaction, files: readonly StoredFile[], at: number): Promise<void> {
  for (const { id, uuid, sha256 } of files) {
    await blobToRemove(tx, { sha256 })
    await deleteFile(tx, { id })
    await markEnded(tx, uuid, at)
    if ((await anyFile(tx, { sha256 })) !== undefined) continue
    await deleteChunks(tx, { sha256 })
    await deleteBlob(tx, { sha256 })
  }
}

const blobToRemove = prepared((snapshot, { sha256 }: Hash) =>
  snapshot.selectFrom('blob').select('sha256').where('sha256', '=', sha256).forUpdate(),
)

const deleteFile = preparedChange((tx, { id }: { readonly id: number }) => tx.deleteFrom('file').where('id', '=', id))

const anyFile = preparedFirst((snapshot, { sha256 }: Hash) =>
  snapshot.selectFrom('file').select('id').where('sha256', '=', sha256).limit(1),
)

const deleteChunks = preparedChange((tx, { sha256 }: Hash) => tx.deleteFrom('blob_chunk').where('sha256', '=', sha256))

const deleteBlob = preparedChange((tx, { sha256 }: Hash) => tx.deleteFrom('blob').where('sha256', '=', sha256))
