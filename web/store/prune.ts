import { commit } from './commit.ts'
import type { CopyDatabase } from './database.ts'
import { pendingRef } from './row.ts'

/** Takes done logs from before a time out of the copy, and the oldest of those that are more than so many. */
export async function dropLogs(
  database: CopyDatabase,
  { before, most }: { readonly before: number; readonly most: number },
): Promise<void> {
  const keysOf = (index: 'ref' | 'time', range: IDBKeyRange) => database.getAllKeysFromIndex('record', index, range)
  const pending = new Set(await keysOf('ref', IDBKeyRange.bound([pendingRef], [pendingRef, []])))
  const all = await keysOf('time', IDBKeyRange.bound(['log'], ['log', []]))
  const older = await keysOf('time', IDBKeyRange.bound(['log', -before, 1], ['log', []], true))
  const removed = [...new Set([...older, ...all.slice(most)])].filter((uuid) => !pending.has(uuid))
  if (removed.length > 0) await commit(database, { removed })
}
