import { createHash, randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { chunkBytes } from './blob-rows.ts'
import type { Reading, Writing } from './database.ts'
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
    await rows.insertInto('blob_chunk').values({ sha256, position, bytes: chunk }).execute()
  }
  const { id } = await rows
    .insertInto('file')
    .values({ uuid: randomUUID(), ...rest, size: bytes.length, sha256 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks the bytes against being linked and unlinked at once; tells whether they are new here. */
async function lockBlob(rows: Writing, sha256: string, size: number): Promise<boolean> {
  await rows
    .insertInto('blob')
    .values({ sha256, size })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ size }))
    .execute()
  const chunk = await rows
    .selectFrom('blob_chunk')
    .select('position')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return chunk === undefined
}

export async function filesByIds(rows: Reading, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  const found = await inSlices(ids, (slice) => rows.selectFrom('file').selectAll().where('id', 'in', slice).execute())
  return new Map(found.map((file) => [file.id, file]))
}

export async function bytesOf(rows: Reading, sha256: string): Promise<Buffer> {
  const chunks = await rows
    .selectFrom('blob_chunk')
    .select('bytes')
    .where('sha256', '=', sha256)
    .orderBy('position')
    .execute()
  return Buffer.concat(chunks.map((chunk) => chunk.bytes))
}

/** Removes those of these files that no record refers to any more, and their bytes with the last of them. */
export async function sweepFiles(rows: Writing, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // Locked before it is asked who holds them: whoever is about to take one over has either done so by then, or finds it gone.
  const files = await rows.selectFrom('file').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
  for (const file of files) {
    if (await isReferredTo(rows, 'file', file.id)) continue
    await rows.selectFrom('blob').select('sha256').where('sha256', '=', file.sha256).forUpdate().execute()
    await rows.deleteFrom('file').where('id', '=', file.id).execute()
    const twin = await rows
      .selectFrom('file')
      .select('id')
      .where('sha256', '=', file.sha256)
      .limit(1)
      .executeTakeFirst()
    if (twin !== undefined) continue
    await rows.deleteFrom('blob_chunk').where('sha256', '=', file.sha256).execute()
    await rows.deleteFrom('blob').where('sha256', '=', file.sha256).execute()
  }
}

/** Locks files that a record is about to refer to; those that do not exist are missing. */
export async function lockFiles(rows: Writing, ids: readonly number[]): Promise<ReadonlyMap<number, StoredFile>> {
  if (ids.length === 0) return new Map()
  const found = await rows.selectFrom('file').selectAll().where('id', 'in', ids).forKeyShare().execute()
  return new Map(found.map((file) => [file.id, file]))
}
