import type { Snapshot, Transaction } from './database.ts'
import { noteChange } from './feed/changed-transactions.ts'
import { insertAll } from './sql/insertion.ts'
import { preparedFirst } from './sql/prepared.ts'
import type { ChangeSetRow } from './sql/tables.ts'

/** Who makes changes together, when, and by what. */
export type NewChangeSet = Pick<ChangeSetRow, 'id' | 'at' | 'uid' | 'client' | 'request'>

/** All changes that one request makes. */
export class ChangeSet {
  readonly id: string
  readonly uid: number
  /** Whether anything has been changed. */
  hasChanges = false
  /** What is to be answered should the same come again. */
  results: string | null = null
  /** The set that is taken back by these changes. */
  undoes: string | null = null
  /** The UUIDs of terms that were made because a record names them. */
  readonly termsByName = new Set<string>()
  readonly #given: NewChangeSet

  constructor(given: NewChangeSet) {
    this.id = given.id
    this.uid = given.uid
    this.#given = given
  }

  /** Written last: what is undone on the way leaves no trace of the set either. */
  async keep(tx: Transaction): Promise<void> {
    const { hasChanges, undoes, results } = this
    if (!hasChanges && results === null && undoes === null) return
    if (hasChanges) noteChange(tx)
    await insertAll(tx, 'change_set', [{ ...this.#given, undoes, undone_by: null, results }])
  }
}

/** Makes changes that belong together, as a part of a transaction. */
export async function inChangeSet<T>(
  tx: Transaction,
  given: NewChangeSet,
  work: (set: ChangeSet) => Promise<T>,
): Promise<T> {
  const set = new ChangeSet(given)
  const done = await work(set)
  await set.keep(tx)
  return done
}

export async function findChangeSet(
  snapshot: Snapshot,
  id: string,
): Promise<Pick<ChangeSetRow, 'uid' | 'results'> | undefined> {
  return changeSetWith(snapshot, { id })
}

const changeSetWith = preparedFirst((snapshot, { id }: { readonly id: string }) =>
  snapshot.selectFrom('change_set').select(['uid', 'results']).where('id', '=', id),
)
