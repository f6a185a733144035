import type { Transaction } from './database.ts'
import { editionInSql, noEdition, readEdition } from './edition.ts'
import { lockInSql } from './sql/advisory-locks.ts'
import { ask, fragment } from './sql/fragment.ts'

/** Who else may change records at the same time. */
export type Beside = 'others' | 'nobody'

/**
 * Begins a change of records: waits until those who want to be alone have done, and says which edition of the farm is changed. Until the
 * transaction ends it is this one. All in one statement, because every change begins with it.
 */
export async function beginChange(tx: Transaction, beside: Beside): Promise<string> {
  if (tx.engine === 'sqlite') return readEdition(tx)
  const lock = lockInSql('changes', beside === 'nobody' ? 'alone' : 'together')
  const [found] = await ask<{ edition: string | null }>(tx, fragment`select ${lock}, ${editionInSql} as edition`)
  return found?.edition ?? noEdition
}
