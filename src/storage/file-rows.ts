import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { chunkBytes } from './blob-rows.ts'
import type { Reading, Writing } from './database.ts'
import { insertAll } from './insertion.ts'
import { known } from './known.ts'
import { prepared, preparedChange, preparedFirst } from './prepared.ts'
import { isReferredTo } from './records/referrers.ts'
import { inSlices } from './slices.ts'
import type { FileRow } from './tables.ts'

export type StoredFile = Selectable<FileRow>

export const fingerprint = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface NewFile {
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly uid: number
  readonly created: number
}

/** Keeps a file; bytes that the farm already has are kept once. */
export async function insertFile(rows: Writing, file: NewFile): Promise<number> {
  const { bytes, sha256, ...rest } = file
  const fresh = await lockBlob(rows, sha256, bytes.length)
  for (let position = 0; fresh && position * chunkBytes < bytes.length; position += 1) {
    const chunk = bytes.subarray(position * chunkBytes, (position + 1) * chunkBytes)
    await insertAll(rows, 'blob_chunk', [{ sha256, position, bytes: chunk }])
  }
  const inserted = await insertRow(rows, { uuid: randomUUID(), ...rest, size: bytes.length, sha256 })
  return known(inserted).id
}

const insertRow = preparedFirst((rows: Writing, file: Omit<StoredFile, 'id'>) =>
  rows.insertInto('file').values(file).returning('id'),
)

/** Locks the bytes against being linked and unlinked at once; tells whether they are new here. */
async function lockBlob(rows: Writing, sha256: string, size: number): Promise<boolean> {
  await blobLocked(rows, { sha256, size })
  return (await anyChunk(rows, { sha256 })) === undefined
}

interface Hash {
  readonly sha256: string
}

const blobLocked = preparedChange((rows, { sha256, size }: Hash & { readonly size: number }) =>
  rows
    .insertInto('blob')
    .values({ sha256, size })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ size })),
)

const anyChunk = preparedFirst((rows, { sha256 }: Hash) =>
  rows.selectFrom('blob_chunk').select('position').where('sha256', '=', sha256).limit(1),
)

export async function filesByIds(rows: Reading, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  const found = await inSlices(ids, (slice) => filesWith(rows, { ids: slice }))
  return new Map(found.map((file) => [file.id, file]))
}

interface Ids {
  readonly ids: readonly number[]
}

const filesWith = prepared((rows, { ids }: Ids) => rows.selectFrom('file').selectAll().where('id', 'in', ids))

export async function bytesOf(rows: Reading, sha256: string): Promise<Buffer> {
  const chunks = await chunksInOrder(rows, { sha256 })
  return Buffer.concat(chunks.map((chunk) => chunk.bytes))
}

const chunksInOrder = prepared((rows, { sha256 }: Hash) =>
  rows.selectFrom('blob_chunk').select('bytes').where('sha256', '=', sha256).orderBy('position'),
)

/** Removes those of these files that no record refers to any more, and their bytes with the last of them. */
export async function sweepFiles(rows: Writing, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // Locked before it is asked who holds them: whoever is about to take one over has either done so by then, or finds it gone.
  for (const { id, sha256 } of await filesToRemove(rows, { ids })) {
    if (await isReferredTo(rows, 'file', id)) continue
    await blobToRemove(rows, { sha256 })
    await deleteFile(rows, { id })
    if ((await anyFile(rows, { sha256 })) !== undefined) continue
    await deleteChunks(rows, { sha256 })
    await deleteBlob(rows, { sha256 })
  }
}

const filesToRemove = prepared((rows, { ids }: Ids) =>
  rows.selectFrom('file').selectAll().where('id', 'in', ids).orderBy('id').forUpdate(),
)

const blobToRemove = prepared((rows, { sha256 }: Hash) =>
  rows.selectFrom('blob').select('sha256').where('sha256', '=', sha256).forUpdate(),
)

const deleteFile = preparedChange((rows, { id }: { readonly id: number }) =>
  rows.deleteFrom('file').where('id', '=', id),
)

const anyFile = preparedFirst((rows, { sha256 }: Hash) =>
  rows.selectFrom('file').select('id').where('sha256', '=', sha256).limit(1),
)

const deleteChunks = preparedChange((rows, { sha256 }: Hash) =>
  rows.deleteFrom('blob_chunk').where('sha256', '=', sha256),
)

const deleteBlob = preparedChange((rows, { sha256 }: Hash) => rows.deleteFrom('blob').where('sha256', '=', sha256))

/** Locks files that a record is about to refer to; those that do not exist are missing. */
export async function lockFiles(rows: Writing, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  if (ids.length === 0) return new Map()
  return new Map((await filesToName(rows, { ids })).map((file) => [file.id, file]))
}

const filesToName = prepared((rows, { ids }: Ids) =>
  rows.selectFrom('file').selectAll().where('id', 'in', ids).forKeyShare(),
)
