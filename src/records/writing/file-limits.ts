import { inMebibytes } from '../../fields/byte-size.ts'
import { valueLimits } from '../../fields/limits.ts'
import type { Values } from '../../fields/value.ts'
import { filesByIds } from '../../storage/file-rows.ts'
import type { RecordDraft } from './draft.ts'
import type { Write } from './write.ts'

/** A record has so many files and bytes in all, photos and others together. */
export async function limitFiles({ tx }: Write, draft: RecordDraft, values: Values): Promise<void> {
  const holders = Object.keys(draft.fields).filter((name) => draft.fields[name]?.kind === 'attachment')
  const given = holders.find((name) => draft.drafts[name] !== undefined)
  if (given === undefined) return
  const ids = new Set(holders.flatMap((name) => (values[name] ?? []) as readonly number[]))
  if (ids.size > valueLimits.filesPerRecord) {
    draft
      .placeOf(given)
      .fault(`makes ${ids.size} files on this record; at most ${valueLimits.filesPerRecord} are taken`)
  }
  const files = await filesByIds(tx, [...ids])
  const bytes = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  if (bytes > valueLimits.fileBytesTogether) {
    draft.placeOf(given).fault(`makes more than ${inMebibytes(valueLimits.fileBytesTogether)} of files on this record`)
  }
}
