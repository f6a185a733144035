import { createHash } from 'node:crypto'
import type { Selectable } from 'kysely'
import { imageSizeOf } from '../fields/image-size.ts'
import { textKey } from '../fields/key.ts'
import type { FileTexts } from '../fields/value.ts'
import type { Snapshot, Transaction } from './database.ts'
import { claimIdentities } from './identity.ts'
import { ask, fragment, inSlices, must } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
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
  /** Decides whether a record names it, or it waits for one. */
  readonly for: 'a record' | 'a record to come'
  /** Since when it waits; by default since it was created. */
  readonly since?: number
}

/** Keeps a file; bytes that the farm already has are kept once. */
export async function insertFile(tx: Transaction, file: NewFile): Promise<number> {
  const { bytes, sha256, for: purpose, since = file.created, ...rest } = file
  const fresh = await lockBlob(tx, sha256, bytes.length)
  for (let position = 0; fresh && position * chunkBytes < bytes.length; position += 1) {
    const chunk = bytes.subarray(position * chunkBytes, (position + 1) * chunkBytes)
    await insertAll(tx, 'blob_chunk', [{ sha256, position, bytes: chunk }])
  }
  const { width = null, height = null } = imageSizeOf(bytes) ?? {}
  const unused_since = purpose === 'a record' ? null : since
  const row = { ...rest, name_key: textKey(rest.name), size: bytes.length, sha256, width, height, unused_since }
  const { id } = must(await insertRow(tx, row))
  await claimIdentities(tx, [{ uuid: rest.uuid, type: 'file', number: id, uid: rest.uid }])
  return id
}

type NewRow = Omit<StoredFile, 'id' | 'last_type' | 'last_id' | 'changed' | keyof FileTexts>

const insertRow = preparedFirst((tx: Transaction, file: NewRow) => tx.insertInto('file').values(file).returning('id'))

/** Says something else of a file. */
export const updateFileTexts = preparedChange((tx, { id, ...texts }: FileTexts & Pick<StoredFile, 'id'>) =>
  tx.updateTable('file').set(texts).where('id', '=', id),
)

type FileName = Pick<StoredFile, 'id' | 'name' | 'changed'>

/** Calls a file something else. */
export async function renameFile(tx: Transaction, file: FileName): Promise<void> {
  await renamed(tx, { ...file, name_key: textKey(file.name) })
}

const renamed = preparedChange((tx, { id, ...name }: FileName & Pick<StoredFile, 'name_key'>) =>
  tx.updateTable('file').set(name).where('id', '=', id),
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

/** Files that records name; others are hidden. */
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

export async function bytesOf(snapshot: Snapshot, sha256: string): Promise<Buffer> {
  const chunks = await chunksInOrder(snapshot, { sha256 })
  return Buffer.concat(chunks.map((chunk) => chunk.bytes))
}

const chunksInOrder = prepared((snapshot, { sha256 }: Hash) =>
  snapshot.selectFrom('blob_chunk').select('bytes').where('sha256', '=', sha256).orderBy('position'),
)

interface SeenBy extends Ids {
  readonly uid: number
}

/** Files this account may see: those that records name, and its own uploads for a future record. */
export async function filesSeenBy(
  snapshot: Snapshot,
  ids: readonly number[],
  uid: number,
): Promise<ReadonlyMap<number, StoredFile>> {
  const found = await inSlices(ids, (slice) => seenWith(snapshot, { ids: slice, uid }))
  return new Map(found.map((file) => [file.id, file]))
}

const seenBy = (snapshot: Snapshot, { ids, uid }: SeenBy) =>
  snapshot
    .selectFrom('file')
    .selectAll()
    .where('id', 'in', ids)
    .where(({ or, and, eb }) =>
      or([eb('unused_since', 'is', null), and([eb('last_type', 'is', null), eb('uid', '=', uid)])]),
    )

const seenWith = prepared(seenBy)

/** Locks those of these files that a record of this account may refer to; what it may not know of is missing. */
export async function lockFiles(
  tx: Transaction,
  ids: readonly number[],
  uid: number,
): Promise<ReadonlyMap<number, StoredFile>> {
  if (ids.length === 0) return new Map()
  return new Map((await filesToName(tx, { ids, uid })).map((file) => [file.id, file]))
}

const filesToName = prepared((snapshot, asked: SeenBy) => seenBy(snapshot, asked).forKeyShare())

/** The bytes of a blob are kept in chunks of this size, the last of which may be shorter. */
export const chunkBytes = 262_144

const blobsAtOnce = 200

export async function* blobHashes(snapshot: Snapshot): AsyncGenerator<string> {
  for (let after = ''; ; ) {
    const page = await hashesAfter(snapshot, { after })
    for (const { sha256 } of page) yield sha256
    if (page.length < blobsAtOnce) return
    after = page.at(-1)?.sha256 ?? ''
  }
}

const hashesAfter = prepared((snapshot, { after }: { readonly after: string }) =>
  snapshot.selectFrom('blob').select('sha256').where('sha256', '>', after).orderBy('sha256').limit(blobsAtOnce),
)

/** The bytes of one blob, never more than a chunk at a time. */
export async function* chunksOf(snapshot: Snapshot, sha256: string): AsyncGenerator<Uint8Array> {
  for (let after = -1; ; ) {
    const chunk = await chunkAfter(snapshot, { sha256, after })
    if (chunk === undefined) return
    yield chunk.bytes
    after = chunk.position
  }
}

const chunkAfter = preparedFirst((snapshot, { sha256, after }: { readonly sha256: string; readonly after: number }) =>
  snapshot
    .selectFrom('blob_chunk')
    .select(['position', 'bytes'])
    .where('sha256', '=', sha256)
    .where('position', '>', after)
    .orderBy('position')
    .limit(1),
)

/** The size of the stored bytes, which may differ from the row. */
export async function sizeOfBlob(snapshot: Snapshot, sha256: string): Promise<number> {
  const [row] = await ask<{ size: number | null }>(
    snapshot,
    fragment`select sum(length(bytes)) as size from blob_chunk where sha256 = ${sha256}`,
  )
  return row?.size ?? 0
}
