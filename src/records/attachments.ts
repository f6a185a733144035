import { limits } from '../fields/limits.ts'
import { fileExtension } from '../fields/mime.ts'
import type { Place } from '../fields/place.ts'
import type { FileDraft } from '../fields/value.ts'
import { fingerprint, insertFile, lockFiles, type StoredFile } from '../storage/file-rows.ts'
import type { Write } from './write.ts'

interface Spot {
  readonly before: readonly number[] | undefined
  readonly place: Place
  readonly name: string
}

/** Keeps the new files and those that are named; a new one with the bytes of one that is there is that one. */
export async function attachmentsOf(
  write: Write,
  spot: Spot,
  drafts: readonly FileDraft[],
): Promise<readonly number[]> {
  const named = drafts.flatMap((draft) => (draft.file === 'kept' ? [draft.id] : []))
  const known = await lockFiles(write.rows, [...named, ...(spot.before ?? [])])
  const there = new Map((spot.before ?? []).flatMap((id) => pairedWithContent(known.get(id))))
  let bytes = 0
  const ids: number[] = []
  for (const [index, draft] of drafts.entries()) {
    const kept =
      draft.file === 'kept' ? known.get(draft.id) : there.get(contentOf(draft.mime, fingerprint(draft.bytes)))
    if (draft.file === 'kept' && kept === undefined) {
      spot.place.inside(index).fault(`there is no file with the id ${draft.id}`)
      continue
    }
    bytes += kept?.size ?? (draft.file === 'new' ? draft.bytes.length : 0)
    ids.push(kept?.id ?? (await newFile(write, spot, draft)))
  }
  if (bytes > limits.fileBytesTogether) spot.place.fault('has more than 20 MiB of files together')
  return [...new Set(ids)]
}

const contentOf = (mime: string, sha256: string): string => `${sha256} ${mime}`

const pairedWithContent = (file: StoredFile | undefined): [string, StoredFile][] =>
  file === undefined ? [] : [[contentOf(file.mime, file.sha256), file]]

function newFile(write: Write, spot: Spot, draft: FileDraft): Promise<number> {
  if (draft.file === 'kept') throw new Error('A kept file is not new')
  const noun = spot.name === 'images' ? 'image' : 'file'
  return insertFile(write.rows, {
    name: `${write.bundle}_${noun}_${write.now}.${fileExtension(draft.mime)}`,
    mime: draft.mime,
    bytes: draft.bytes,
    sha256: fingerprint(draft.bytes),
    uid: write.caller.uid,
    created: write.now,
  })
}
