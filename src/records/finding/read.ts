import { type Caller, requireRight } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { PointInTime } from '../../storage/history/point-in-time.ts'
import type { ReadBudget } from '../../storage/read-budget.ts'
import type { Records } from '../records.ts'

/** How a reader shows the records with these ids, at that time, on one snapshot. */
export type View<T> = (snapshot: Snapshot, ids: readonly number[], time: PointInTime) => Promise<T>

interface RecordView<T> {
  readonly id: (snapshot: Snapshot) => Promise<number>
  readonly time: PointInTime
  readonly budget: ReadBudget
  readonly view: View<T>
}

/** One record, shown as the reader wants it. */
export async function read<T>(
  installation: Records,
  caller: Caller,
  { id, time, budget, view }: RecordView<T>,
): Promise<T> {
  requireRight(caller, 'read-records')
  return installation.database.read(async (snapshot) => view(snapshot, [await id(snapshot)], time), budget)
}
