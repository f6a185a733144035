import { kibibyte, mebibyte } from '../../fields/byte-size.ts'
import type { Holdings } from '../../storage/trash-rows.ts'

/** One line about how much the trash holds. */
export const heldInTrash = ({ records, files, bytes }: Holdings): string =>
  `In the trash: ${counted(records, 'record')}, ${counted(files, 'file')}, ${sizeOf(bytes)}`

export const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`

export function sizeOf(bytes: number): string {
  if (bytes >= mebibyte) return `${(bytes / mebibyte).toFixed(1)} MiB`
  return bytes >= kibibyte ? `${(bytes / kibibyte).toFixed(1)} KiB` : `${bytes} bytes`
}
