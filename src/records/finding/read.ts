import { type Caller, requireRight } from '../../access/caller.ts'
import type { Snapshot } from '../../storage/database.ts'
import type { Records } from '../records.ts'

/** How a reader shows the records with these ids, at that time, on one snapshot. */
export type View<T> = (snapshot: Snapshot, ids: readonly number[], now: number) => Promise<T>

/** One record, shown as the reader wants it. */
export async function read<T>(
  installation: Records,
  caller: Caller,
  { id, view }: { readonly id: (snapshot: Snapshot) => Promise<number>; readonly view: View<T> },
): Promise<T> {
  requireRight(caller, 'read-records')
  return installation.database.read(async (snapshot) => view(snapshot, [await id(snapshot)], installation.clock()))
}
