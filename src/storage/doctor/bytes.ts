import { createHash } from 'node:crypto'
import { blobHashes, chunksOf } from '../blob-rows.ts'
import type { Snapshot } from '../database.ts'
import type { Report } from '../report.ts'
import { ask, fragment } from '../sql/fragment.ts'
import { prepared } from '../sql/prepared.ts'
import { countOf } from '../sql/row-count.ts'
import { type Finding, type Found, restoreBackup } from './finding.ts'

/** Reads every photo and file to its last byte. */
export async function checkBytes(snapshot: Snapshot, found: Found, report: Report): Promise<void> {
  const total = await countOf(snapshot, 'blob')
  let done = 0
  for await (const hash of blobHashes(snapshot)) {
    const sum = createHash('sha256')
    for await (const chunk of chunksOf(snapshot, hash)) sum.update(chunk)
    if (sum.digest('hex') !== hash) found(changed(await nameOf(snapshot, hash)))
    done += 1
    report('photos and files', done, total)
  }
  const sizes = await ask<{ id: number; name: string }>(
    snapshot,
    fragment`select file.id, file.name from file join blob on blob.sha256 = file.sha256
      where file.size <> blob.size`,
  )
  for (const { id, name } of sizes)
    found({
      what: `File ${id} (${name}) is not as long as it was`,
      mend: restoreBackup,
      alike: 'files that are not as long as they were',
    })
}

const changed = (bytes: string): Finding => ({
  what: `The bytes of ${bytes} are not those that were recorded`,
  mend: restoreBackup,
  alike: 'files whose bytes are not those that were recorded',
})

async function nameOf(snapshot: Snapshot, hash: string): Promise<string> {
  const files = await someFiles(snapshot, { hash })
  const names = files.map(({ id, name }) => `file ${id} (${name})`).join(', ')
  return names === '' ? hash : names
}

const someFiles = prepared((snapshot, { hash }: { readonly hash: string }) =>
  snapshot.selectFrom('file').select(['id', 'name']).where('sha256', '=', hash).limit(3),
)
