import type { Selectable } from 'kysely'
import { lockAccountsToName } from './access/account-rows.ts'
import type { Database, Snapshot, Transaction } from './database.ts'
import { editionInSql, noEdition, readEdition } from './farm-state.ts'
import { lockInSql } from './sql/advisory-locks.ts'
import { ask, fragment, inSlices, onItsOwn } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from './sql/prepared.ts'
import { type GivenNumbers, numbersToUndo } from './sql/record-numbers.ts'
import type { ChangeSetRow, JournalVerb } from './sql/tables.ts'

/** Author, time and origin of changes made together. */
export type NewChangeSet = Pick<ChangeSetRow, 'id' | 'at' | 'uid' | 'client' | 'request'>

/** All changes that one request makes. */
export class ChangeSet {
  readonly id: string
  readonly uid: number
  hasChanges = false
  /** The answer for a repeated request. */
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
  return changeSetOf(snapshot, { id })
}

const changeSetOf = preparedFirst((snapshot, { id }: { readonly id: string }) =>
  snapshot.selectFrom('change_set').select(['uid', 'results']).where('id', '=', id),
)

/** The changes of one request, as they are kept. */
export type KeptSet = Readonly<Selectable<ChangeSetRow>>

export const changeSetWith = (snapshot: Snapshot, id: string): Promise<KeptSet | undefined> => setWith(snapshot, { id })

const setWith = preparedFirst((snapshot, { id }: { readonly id: string }) =>
  snapshot.selectFrom('change_set').selectAll().where('id', '=', id),
)

/** Existing sets by id. */
export async function changeSetsWith(
  snapshot: Snapshot,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeptSet>> {
  const found = await inSlices(ids, (slice) => setsWith(snapshot, { ids: slice }))
  return new Map(found.map((set) => [set.id, set]))
}

const setsWith = prepared((snapshot, { ids }: { readonly ids: readonly string[] }) =>
  snapshot.selectFrom('change_set').selectAll().where('id', 'in', ids),
)

export interface SetSelection {
  readonly uid?: number
  /** This second included. */
  readonly from?: number
  /** This second not included. */
  readonly to?: number
  /** The last set that was told already. */
  readonly after?: Pick<KeptSet, 'at' | 'id'>
  readonly most: number
}

/** Sets, newest first. */
export const latestSets = (snapshot: Snapshot, { after, ...selection }: SetSelection): Promise<readonly KeptSet[]> =>
  setsInOrder(snapshot, { ...selection, ...(after === undefined ? {} : { lastAt: after.at, lastId: after.id }) })

type InOrder = Omit<SetSelection, 'after'> & { readonly lastAt?: number; readonly lastId?: string }

const setsInOrder = prepared((snapshot, { uid, from, to, lastAt, lastId, most }: InOrder) => {
  let sets = snapshot.selectFrom('change_set').selectAll()
  if (uid !== undefined) sets = sets.where('uid', '=', uid)
  if (from !== undefined) sets = sets.where('at', '>=', from)
  if (to !== undefined) sets = sets.where('at', '<', to)
  if (lastAt !== undefined && lastId !== undefined)
    sets = sets.where(({ eb, refTuple, tuple }) => eb(refTuple('at', 'id'), '<', tuple(lastAt, lastId)))
  return sets.orderBy('at', 'desc').orderBy('id', 'desc').limit(most)
})

interface SetCount {
  readonly set_id: string | null
  readonly record_type: string
  readonly verb: JournalVerb
  readonly count: string | number | bigint
}

/** Counts of changes by set and kind. */
export const countsOfSets = (snapshot: Snapshot, ids: readonly string[]): Promise<readonly SetCount[]> =>
  inSlices(ids, (slice) => countsIn(snapshot, { ids: slice }))

const countsIn = prepared((snapshot, { ids }: { readonly ids: readonly string[] }) =>
  snapshot
    .selectFrom('journal')
    .select(['set_id', 'record_type', 'verb'])
    .select(({ fn }) => fn.countAll().as('count'))
    .where('set_id', 'in', ids)
    .groupBy(['set_id', 'record_type', 'verb'])
    .orderBy('record_type')
    .orderBy('verb'),
)

/** Notes which set has taken this one back. */
export async function markUndone(tx: Transaction, id: string, by: string): Promise<void> {
  await undoneMarked(tx, { id, by })
}

const undoneMarked = preparedChange((tx, { id, by }: { readonly id: string; readonly by: string }) =>
  tx.updateTable('change_set').set({ undone_by: by }).where('id', '=', id),
)

/** Forgets what a set was to be answered with. */
export async function forgetResults(tx: Transaction, id: string): Promise<void> {
  await resultsForgotten(tx, { id })
}

const resultsForgotten = preparedChange((tx, { id }: { readonly id: string }) =>
  tx.updateTable('change_set').set({ results: null }).where('id', '=', id),
)

/** Notes what is to be known of a set later. */
export async function noteResults(tx: Transaction, id: string, results: string): Promise<void> {
  await resultsNoted(tx, { id, results })
}

const resultsNoted = preparedChange((tx, { id, results }: { readonly id: string; readonly results: string }) =>
  tx.updateTable('change_set').set({ results }).where('id', '=', id),
)

/** Decides whether others may change records at the same time. */
export type WriteConcurrency = 'others' | 'nobody'

/** A dry run rolls a successful change back. */
export type ChangeEnding = 'kept' | 'undone'

interface Manner {
  readonly beside: WriteConcurrency
  readonly ending: ChangeEnding
  /** The account that makes the change. */
  readonly author?: number
  /** Throws where the change may not be made. */
  readonly verify?: (beginning: ChangeBeginning) => void
}

export interface ChangeBeginning {
  /** The edition of the farm. */
  readonly edition: string
  /** Until the transaction ends this account is neither blocked nor removed; undefined if it already is. */
  readonly author: number | undefined
}

/**
 * Changes records in one transaction. Where that is undone nobody else changes any meanwhile, so that no number is given in between: the
 * work gets the highest ids before it.
 */
export const inChange = <T>(
  database: Database,
  manner: Manner,
  work: (tx: Transaction, given?: GivenNumbers) => Promise<T>,
): Promise<T> =>
  manner.ending === 'kept'
    ? database.write(async (tx) => {
        // The first question of the work travels with the beginning, whose refusal comes first.
        const [beginning, done] = await Promise.allSettled([beginBy(tx, manner), work(tx)])
        for (const one of [beginning, done]) if (one.status === 'rejected') throw one.reason
        return (done as PromiseFulfilledResult<T>).value
      })
    : database.dryRun(async (tx) => {
        await beginBy(tx, { ...manner, beside: 'nobody' })
        return work(tx, await numbersToUndo(tx))
      })

/** Asked together, they are answered together; the account is locked after the changes. */
async function beginBy(tx: Transaction, { beside, author, verify }: Manner): Promise<void> {
  const asked = [beginChange(tx, beside), author === undefined ? [] : lockAccountsToName(tx, [author])] as const
  const [edition, [account]] = await Promise.all(asked)
  verify?.({ edition, author: account === undefined || account.blocked ? undefined : account.uid })
}

/**
 * Begins a change of records: waits until those who want to be alone have done, and says which edition of the farm is changed. Until the
 * transaction ends it is this one. All in one statement, because every change begins with it.
 */
export async function beginChange(tx: Transaction, beside: WriteConcurrency): Promise<string> {
  if (tx.engine === 'sqlite') return readEdition(tx)
  const lock = lockInSql('changes', beside === 'nobody' ? 'alone' : 'together')
  const [found] = await ask<{ edition: string | null }>(tx, fragment`select ${lock}, ${editionInSql} as edition`)
  return found?.edition ?? noEdition
}

/** Each change is a savepoint of one transaction, which is rolled back at the end. */
export const inDryRun = <T>(database: Database, work: (dry: Database) => Promise<T>): Promise<T> =>
  inChange(database, { beside: 'nobody', ending: 'undone' }, (tx) =>
    work({
      engine: tx.engine,
      read: (reading) => reading(tx),
      ask: (question) => question(tx),
      write: (change) => onItsOwn(tx, () => change(tx)),
      dryRun: () => Promise.reject(new Error('This is a dry run already')),
      close: async () => {},
    }),
  )

const changed = new WeakSet<Transaction>()

/** Called where a set of changes is kept. */
export const noteChange = (tx: Transaction): void => {
  changed.add(tx)
}

/** True if the journal grew since the last call. A reused connection counts as the same transaction. */
export const takeChange = (tx: Transaction): boolean => changed.delete(tx)
