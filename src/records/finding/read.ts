import { type Caller, requireRight } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/history/point-in-time.ts'
import type { Records } from '../records.ts'

/** How a reader shows the records with these ids, at that time, on one snapshot. */
export type View<T> = (snapshot: Snapshot, ids: readonly number[], time: PointInTime) => Promise<T>

/** One record, shown as the reader wants it. */
export async function read<T>(
  installation: Records,
  caller: Caller,
  { id, time, view }: { readonly id: number; readonly time: PointInTime; readonly view: View<T> },
): Promise<T> {
  requireRight(caller, 'read-records')
  return installation.database.read((snapshot) => view(snapshot, [id], time))
}
