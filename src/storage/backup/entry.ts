/** One file of an export or an archive. Whoever is handed one reads its bytes to the end before asking for the next. */
export interface Entry {
  readonly name: string
  readonly size: number
  readonly bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Something that entries can be read from, as often as it takes. */
export interface Source {
  /** As the operator knows it. */
  readonly name: string
  entries(): AsyncIterable<Entry>
}

/** Table and number of a piece: `log/000001.jsonl`. */
export const pieceName = (table: string, number: number): string => `${table}/${String(number).padStart(6, '0')}.jsonl`

export const tableOfPiece = (name: string): string | undefined => /^([a-z_]+)\/\d{6,}\.jsonl$/.exec(name)?.[1]

export const blobName = (sha256: string): string => `blobs/${sha256}`

export const hashOfBlob = (name: string): string | undefined => /^blobs\/([0-9a-f]{64})$/.exec(name)?.[1]

export const manifestName = 'manifest.json'

export async function wholeOf({ bytes }: Entry): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
