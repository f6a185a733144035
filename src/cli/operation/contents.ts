import type { Manifest } from '../../storage/backup/manifest.ts'

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** A size in the largest unit of which it has at least one. */
function inBytes(size: number): string {
  if (size < 1024) return counted(size, 'byte', 'bytes')
  if (size < 1024 ** 2) return `${(size / 1024).toFixed(1)} KiB`
  return size < 1024 ** 3 ? `${(size / 1024 ** 2).toFixed(1)} MiB` : `${(size / 1024 ** 3).toFixed(1)} GiB`
}

/** What a backup or an export holds, in a few words. */
export function contentsOf({ rows, blobs }: Manifest): string {
  return [
    counted(rows.log ?? 0, 'log', 'logs'),
    counted(rows.asset ?? 0, 'asset', 'assets'),
    counted(rows.term ?? 0, 'term', 'terms'),
    counted(rows.account ?? 0, 'account', 'accounts'),
    `${counted(blobs.count, 'photo or file', 'photos and files')} (${inBytes(blobs.size)})`,
    counted(rows.journal ?? 0, 'journal entry', 'journal entries'),
  ].join(', ')
}
