import { createHash } from 'node:crypto'
import { blobHashes, chunksOf } from '../blob-rows.ts'
import type { Reading } from '../database.ts'
import { ask, fragment } from '../fragment.ts'
import { prepared } from '../prepared.ts'
import type { Report } from '../report.ts'
import { countOf } from '../sql-question.ts'
import { type Finding, type Found, restoreBackup } from './finding.ts'

/** Reads every photo and file to its last byte. */
export async function checkBytes(rows: Reading, found: Found, report: Report): Promise<void> {
  const total = await countOf(rows, 'blob')
  let done = 0
  for await (const hash of blobHashes(rows)) {
    const sum = createHash('sha256')
    for await (const chunk of chunksOf(rows, hash)) sum.update(chunk)
    if (sum.digest('hex') !== hash) found(changed(await nameOf(rows, hash)))
    done += 1
    report('photos and files', done, total)
  }
  const sizes = await ask<{ id: number; name: string }>(
    rows,
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

async function nameOf(rows: Reading, hash: string): Promise<string> {
  const files = await someFiles(rows, { hash })
  const names = files.map(({ id, name }) => `file ${id} (${name})`).join(', ')
  return names === '' ? hash : names
}

const someFiles = prepared((rows, { hash }: { readonly hash: string }) =>
  rows.selectFrom('file').select(['id', 'name']).where('sha256', '=', hash).limit(3),
)
