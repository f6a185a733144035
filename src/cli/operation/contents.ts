import type { Manifest } from '../../storage/backup/manifest.ts'

const counted = (count: number, one: string, many: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** What a backup or an export holds, in a few words. */
export function contentsOf({ rows, blobs }: Manifest): string {
  const mebibytes = (blobs.size / 1024 / 1024).toFixed(1)
  return [
    counted(rows.log ?? 0, 'log', 'logs'),
    counted(rows.asset ?? 0, 'asset', 'assets'),
    counted(rows.term ?? 0, 'term', 'terms'),
    counted(rows.account ?? 0, 'account', 'accounts'),
    `${counted(blobs.count, 'photo or file', 'photos and files')} (${mebibytes} MiB)`,
    counted(rows.journal ?? 0, 'journal entry', 'journal entries'),
  ].join(', ')
}
