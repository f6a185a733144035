import type { Snapshot } from './database.ts'
import { ask, fragment } from './sql/fragment.ts'
import { prepared, preparedFirst } from './sql/prepared.ts'

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

/** Of the bytes that are there, which need not be as many as the row says. */
export async function sizeOfBlob(snapshot: Snapshot, sha256: string): Promise<number> {
  const [row] = await ask<{ size: number | null }>(
    snapshot,
    fragment`select sum(length(bytes)) as size from blob_chunk where sha256 = ${sha256}`,
  )
  return row?.size ?? 0
}
