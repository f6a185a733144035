import { lockInSql } from './advisory-locks.ts'
import type { Writing } from './database.ts'
import { editionInSql, noEdition, readEdition } from './edition.ts'
import { ask, fragment } from './fragment.ts'

/** Who else may change records at the same time. */
export type Beside = 'others' | 'nobody'

/**
 * Begins a change of records: waits until those who want to be alone have done, and says which edition of the farm is changed. Until the
 * transaction ends it is this one. All in one statement, because every change begins with it.
 */
export async function beginChange(rows: Writing, beside: Beside): Promise<string> {
  if (rows.engine === 'sqlite') return readEdition(rows)
  const lock = lockInSql('changes', beside === 'nobody' ? 'alone' : 'together')
  const [found] = await ask<{ edition: string | null }>(rows, fragment`select ${lock}, ${editionInSql} as edition`)
  return found?.edition ?? noEdition
}
