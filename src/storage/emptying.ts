import { beginChange } from './change-set.ts'
import type { Database, Transaction } from './database.ts'
import { holdAlone, isAlone } from './sql/advisory-locks.ts'
import { endRecord, lockLongTrashed } from './trash-rows.ts'
import { type FileSlice, freeForgotten, freeLongUnused } from './unused-files.ts'

interface TrashEmptying {
  /** Rows removed or unused until then. */
  readonly until: number
  readonly now: number
  /** Behaviour if another server is already at it. */
  readonly ifBusy: 'wait' | 'leave'
}

const recordsAtOnce = 50
const filesAtOnce = 10

/**
 * Ends what was removed long ago, and frees the files that no record has named for as long, a little in each transaction, so that
 * nobody waits long behind it. Answers how many records ended.
 */
export async function emptyTrash(database: Database, emptying: TrashEmptying): Promise<number> {
  const { until, now } = emptying
  let ended = 0
  for (;;) {
    const some = await inTurn(database, emptying, (tx) => endSome(tx, until, now))
    if (some === undefined || some === 0) break
    ended += some
  }
  await freeAll(database, emptying, freeLongUnused)
  return ended
}

/** Frees the files that were sent until then for records that never came, a little in each transaction. */
export const freeForgottenFiles = (database: Database, emptying: TrashEmptying): Promise<void> =>
  freeAll(database, emptying, freeForgotten)

type FreeSlice = (tx: Transaction, slice: FileSlice) => Promise<number | undefined>

async function freeAll(database: Database, emptying: TrashEmptying, free: FreeSlice): Promise<void> {
  const { until, now } = emptying
  let after: number | undefined = 0
  while (after !== undefined) {
    const slice: FileSlice = { until, after, most: filesAtOnce, now }
    after = await inTurn<number | undefined>(database, emptying, (tx) => free(tx, slice))
  }
}

async function endSome(tx: Transaction, until: number, now: number): Promise<number> {
  const some = await lockLongTrashed(tx, { until, most: recordsAtOnce })
  for (const { type, number, uuid } of some) await endRecord(tx, { type, id: number, uuid, at: now })
  return some.length
}

/** Of several servers on one database, one at a time. */
const inTurn = <T>(
  database: Database,
  { ifBusy }: TrashEmptying,
  work: (tx: Transaction) => Promise<T>,
): Promise<T | undefined> =>
  database.write(async (tx) => {
    await beginChange(tx, 'others')
    if (ifBusy === 'wait') await holdAlone(tx, 'trash')
    else if (!(await isAlone(tx, 'trash'))) return undefined
    return work(tx)
  })
