import type { Transaction } from '../database.ts'

const changed = new WeakSet<Transaction>()

/** Called where a set of changes is kept. */
export const noteChange = (tx: Transaction): void => {
  changed.add(tx)
}

/** Whether the journal was added to since this was last asked. A connection that is used again is the same transaction here. */
export const takeChange = (tx: Transaction): boolean => changed.delete(tx)
