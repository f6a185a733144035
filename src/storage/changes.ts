import type { Database, Transaction } from './database.ts'
import { editionInSql, noEdition, readEdition } from './edition.ts'
import { lockInSql } from './sql/advisory-locks.ts'
import { ask, fragment } from './sql/fragment.ts'
import { type GivenNumbers, numbersToUndo } from './sql/record-numbers.ts'
import { onItsOwn } from './sql/savepoint.ts'

/** Who else may change records at the same time. */
export type WriteConcurrency = 'others' | 'nobody'

/** What becomes of a change that could be made: in a dry run it is undone again. */
export type ChangeEnding = 'kept' | 'undone'

interface Manner {
  readonly beside: WriteConcurrency
  readonly ending: ChangeEnding
}

export interface BegunChange {
  /** Which edition of the farm is changed. */
  readonly edition: string
  /** In a dry run, the numbers that were given before it: what has a higher one is new. */
  readonly given?: GivenNumbers
}

/** Changes records in one transaction. Where that is undone nobody else changes any meanwhile, so that no number is given in between. */
export const inChange = <T>(
  database: Database,
  { beside, ending }: Manner,
  work: (tx: Transaction, begun: BegunChange) => Promise<T>,
): Promise<T> =>
  ending === 'kept'
    ? database.write(async (tx) => work(tx, { edition: await beginChange(tx, beside) }))
    : database.dryRun(async (tx) => {
        const edition = await beginChange(tx, 'nobody')
        return work(tx, { edition, given: await numbersToUndo(tx) })
      })

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

/** For work that makes several changes: each is a part of one transaction, which is undone in the end. */
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
