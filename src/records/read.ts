import { type Caller, requireRight } from '../access/caller.ts'
import type { Reading } from '../storage/database.ts'
import type { Keeping } from './keeping.ts'

/** How a reader shows the records with these ids, at that time, on one snapshot. */
export type View<T> = (rows: Reading, ids: readonly number[], now: number) => Promise<T>

/** One record, shown as the reader wants it. */
export async function read<T>(
  keeping: Keeping,
  caller: Caller,
  { id, view }: { readonly id: number; readonly view: View<T> },
): Promise<T> {
  requireRight(caller, 'read-records')
  return keeping.database.read((rows) => view(rows, [id], keeping.clock()))
}
