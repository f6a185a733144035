import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../../storage/database.ts'
import { revisionOf, toldBy } from '../../storage/journal.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'

interface Which {
  readonly type: RecordTypeName
  readonly id: number
}

/** A record as it was at a revision; nothing where there is none, or where it was removed by it. */
export async function recordAtRevision(
  snapshot: Snapshot,
  which: Which,
  revision: number,
): Promise<StoredRecord | undefined> {
  const entry = await revisionOf(snapshot, which, revision)
  return (entry && toldBy(entry)) ?? undefined
}
