import { Refusal } from '../../refusal.ts'
import type { Report } from '../report.ts'
import { fates } from '../sql/table-fates.ts'
import {
  type ArchiveEntry,
  type ArchiveSource,
  hashOfBlob,
  type Manifest,
  manifestName,
  readManifest,
  Sums,
  tableOfPiece,
  wholeOf,
} from './manifest.ts'

/** Far above what an export writes: a larger one is no piece of ours. */
const mostPieceBytes = 256 * 1024 * 1024

/** Hands on what is in a source, and throws at the end at the latest if it is not exactly what was written. */
export const checked = (source: ArchiveSource, keep: (manifest: Manifest) => void): AsyncGenerator<ArchiveEntry> =>
  inTheNameOf(source, compared(source, keep))

/** Says of which source a fault is. */
async function* inTheNameOf<T>(source: ArchiveSource, items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items
  } catch (error) {
    if (!(error instanceof Refusal) || error.refusal !== 'invalid-content') throw error
    throw new Refusal('invalid-content', `${source.name} cannot be trusted: ${error.message}.`)
  }
}

async function* compared(source: ArchiveSource, keep: (manifest: Manifest) => void): AsyncGenerator<ArchiveEntry> {
  const sums = new Sums()
  let manifest: Manifest | undefined
  for await (const entry of source.entries()) {
    const { name, size } = entry
    const table = tableOfPiece(name)
    if (manifest !== undefined) throw new Refusal('invalid-content', `${name} comes after its manifest`)
    if (name === manifestName) {
      manifest = readManifest(await wholeOf(entry), sums)
    } else if (table !== undefined && isCarried(table)) {
      if (size > mostPieceBytes) throw new Refusal('invalid-content', `${name} is too large`)
      const bytes = await wholeOf(entry)
      sums.addPiece(table, name, bytes)
      yield { name, size, bytes: [bytes] }
    } else if (hashOfBlob(name) !== undefined) {
      yield { name, size, bytes: inTheNameOf(source, sums.passing(name, entry.bytes)) }
    } else {
      throw new Refusal('invalid-content', `${name} is no part of a farm that this release knows`)
    }
  }
  if (manifest === undefined) throw new Refusal('invalid-content', 'it has no manifest, so it was never finished')
  keep(manifest)
}

const isCarried = (table: string): boolean =>
  Object.hasOwn(fates, table) && typeof fates[table as keyof typeof fates] === 'object'

/** Reads all of it, changes nothing. */
export async function verify(source: ArchiveSource, report: Report): Promise<Manifest> {
  let manifest: Manifest | undefined
  let bytes = 0
  const keep = (found: Manifest) => {
    manifest = found
  }
  const told = () => report(`verifying ${source.name}, MiB`, Math.floor(bytes / 1024 ** 2), 0)
  told()
  for await (const entry of checked(source, keep)) {
    for await (const chunk of entry.bytes) bytes += chunk.length
    told()
  }
  if (manifest === undefined) throw new Error('A source that passed has a manifest')
  return manifest
}
