import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { chunkBytes } from './blob-rows.ts'
import type { Snapshot, Transaction } from './database.ts'
import { claimIdentities } from './identity.ts'
import { must } from './must.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
import { inSlices } from './sql/slices.ts'
import type { FileRow } from './sql/tables.ts'

export type StoredFile = Selectable<FileRow>

export const fingerprint = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

interface NewFile {
  readonly uuid: string
  readonly name: string
  readonly mime: string
  readonly bytes: Uint8Array
  readonly sha256: string
  readonly uid: number
  readonly created: number
}

/** Keeps a file; bytes that the farm already has are kept once. */
export async function insertFile(tx: Transaction, file: NewFile): Promise<number> {
  const { bytes, sha256, ...rest } = file
  const fresh = await lockBlob(tx, sha256, bytes.length)
  for (let position = 0; fresh && position * chunkBytes < bytes.length; position += 1) {
    const chunk = bytes.subarray(position * chunkBytes, (position + 1) * chunkBytes)
    await insertAll(tx, 'blob_chunk', [{ sha256, position, bytes: chunk }])
  }
  const { id } = must(await insertRow(tx, { ...rest, size: bytes.length, sha256 }))
  await claimIdentities(tx, [{ uuid: rest.uuid, type: 'file', number: id, uid: rest.uid }])
  return id
}

const insertRow = preparedFirst(
  (tx: Transaction, file: Omit<StoredFile, 'id' | 'unused_since' | 'last_type' | 'last_id'>) =>
    tx.insertInto('file').values(file).returning('id'),
)

/** Locks the bytes against being linked and unlinked at once; tells whether they are new here. */
async function lockBlob(tx: Transaction, sha256: string, size: number): Promise<boolean> {
  await blobLocked(tx, { sha256, size })
  return (await anyChunk(tx, { sha256 })) === undefined
}

interface Hash {
  readonly sha256: string
}

const blobLocked = preparedChange((tx, { sha256, size }: Hash & { readonly size: number }) =>
  tx
    .insertInto('blob')
    .values({ sha256, size })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ size })),
)

const anyChunk = preparedFirst((snapshot, { sha256 }: Hash) =>
  snapshot.selectFrom('blob_chunk').select('position').where('sha256', '=', sha256).limit(1),
)

/** Those of these files that records name: of others nothing is told. */
export async function filesByIds(snapshot: Snapshot, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  const found = await inSlices(ids, (slice) => filesWith(snapshot, { ids: slice }))
  return new Map(found.map((file) => [file.id, file]))
}

interface Ids {
  readonly ids: readonly number[]
}

const filesWith = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('file').selectAll().where('id', 'in', ids).where('unused_since', 'is', null),
)

/** Those that records name, no more than so many. */
export const allFiles = prepared((snapshot, { most }: { readonly most: number }) =>
  snapshot.selectFrom('file').selectAll().where('unused_since', 'is', null).orderBy('id').limit(most),
)

export async function bytesOf(snapshot: Snapshot, sha256: string): Promise<Buffer> {
  const chunks = await chunksInOrder(snapshot, { sha256 })
  return Buffer.concat(chunks.map((chunk) => chunk.bytes))
}

const chunksInOrder = prepared((snapshot, { sha256 }: Hash) =>
  snapshot.selectFrom('blob_chunk').select('bytes').where('sha256', '=', sha256).orderBy('position'),
)

/** Locks files that a record is about to refer to; those that do not exist, or that no record names any more, are missing. */
export async function lockFiles(tx: Transaction, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  if (ids.length === 0) return new Map()
  return new Map((await filesToName(tx, { ids })).map((file) => [file.id, file]))
}

const filesToName = prepared((snapshot, { ids }: Ids) =>
  snapshot.selectFrom('file').selectAll().where('id', 'in', ids).where('unused_since', 'is', null).forKeyShare(),
)
