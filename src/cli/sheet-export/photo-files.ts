import { isoTime } from '../../fields/time-zone.ts'
import { bytesOf, filesByIds, fingerprint, type StoredFile } from '../../storage/file-rows.ts'
import type { ExportedFile, FarmInSheets } from './farm-in-sheets.ts'
import { shortFile } from './other-files.ts'

/** Looked at together. */
const filesAtOnce = 200

/** Every photo and file that a record shows, and a sheet that lists them. */
export async function* photoFiles(whole: FarmInSheets): AsyncGenerator<ExportedFile> {
  const { snapshot, photos, report } = whole
  const rows: Record<string, string>[] = []
  for (let start = 0; start < photos.ids.length; start += filesAtOnce) {
    const found = await filesByIds(snapshot, photos.ids.slice(start, start + filesAtOnce))
    for (const file of found.values()) {
      const bytes = await bytesOf(snapshot, file.sha256)
      const isDamaged = fingerprint(bytes) !== file.sha256
      rows.push(rowOf(whole, file, isDamaged ? 'yes' : 'no'))
      const count = () => bytes.length
      yield { name: photos.pathOf(file), about: '', form: 'photo', bytes: [bytes], count, isDamaged }
      report('photos and files', rows.length, photos.ids.length)
    }
  }
  if (rows.length > 0) yield shortFile({ name: 'files.csv', about: 'Every photo and file, and where it is' }, rows)
}

const rowOf = ({ photos, zone }: FarmInSheets, file: StoredFile, damaged: 'yes' | 'no'): Record<string, string> => ({
  id: String(file.id),
  path: photos.pathOf(file),
  name: file.name,
  mime: file.mime,
  size: String(file.size),
  alt: file.alt ?? '',
  title: file.title ?? '',
  description: file.description ?? '',
  created: isoTime(file.created, zone),
  damaged,
  sha256: file.sha256,
  uuid: file.uuid,
})
