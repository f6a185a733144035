import { inMebibytes, mebibyte } from '../fields/byte-size.ts'
import { nameInAddress } from '../fields/file-name.ts'
import { Refusal } from '../refusal.ts'
import type { Snapshot } from '../storage/database.ts'
import { bytesOf, type StoredFile } from '../storage/file-rows.ts'
import { inString } from './record-template.ts'

const mostInlineBytes = 32 * mebibyte

interface FileForm {
  readonly base: string
  readonly form: 'inline' | 'link'
}

export const addressOfFile = (base: string, { id, name }: StoredFile): string =>
  `${base}/file/${id}/${nameInAddress(name)}`

/** How each file is written in an answer, as the inside of a JSON string: its content, or its address. */
export async function textsOfFiles(
  snapshot: Snapshot,
  files: ReadonlyMap<number, StoredFile>,
  { base, form }: FileForm,
): Promise<ReadonlyMap<number, string>> {
  if (form === 'link') return new Map([...files].map(([id, file]) => [id, inString(addressOfFile(base, file))]))
  const together = [...files.values()].reduce((sum, file) => sum + file.size, 0)
  if (together > mostInlineBytes) {
    throw new Refusal(
      'bad-query',
      `These records have more than ${inMebibytes(mostInlineBytes)} of files: narrow the list, or ask for files=link.`,
    )
  }
  const texts = new Map<number, string>()
  for (const file of files.values()) {
    const content = (await bytesOf(snapshot, file.sha256)).toString('base64')
    // The parameters of a media type may hold quotes.
    texts.set(file.id, inString(`data:${file.mime};base64,`) + content)
  }
  return texts
}
