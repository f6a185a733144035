import type { Transaction } from '../database.ts'
import { insertAll, insertColumns } from './insertion.ts'
import type { FacetRow, IdentityRow, JournalRow, ReferenceRow } from './tables.ts'

/** What follows from new records, row by row. */
export interface FollowingRows {
  readonly identity: readonly Pick<IdentityRow, 'uuid' | 'type' | 'number' | 'uid' | 'draft'>[]
  readonly reference: readonly ReferenceRow[]
  readonly facet: readonly FacetRow[]
  readonly journal: readonly Omit<JournalRow, 'sequence'>[]
}

/** The columns that are given; PostgreSQL takes each as a list of this type. */
const columns = {
  identity: { uuid: 'text', type: 'text', number: 'bigint', uid: 'bigint', draft: 'text' },
  reference: { source_id: 'bigint', path: 'bigint', target_id: 'bigint' },
  facet: { record_id: 'bigint', path: 'bigint', key: 'text', nth: 'bigint', whole_key: 'text' },
  journal: {
    at: 'bigint',
    uid: 'bigint',
    record_type: 'text',
    record_id: 'bigint',
    verb: 'text',
    after: 'text',
    revision: 'bigint',
    set_id: 'text',
    mark: 'bigint',
  },
} as const

/**
 * Enters all of it. Where the database is a journey away that is one journey, by one statement of one shape whatever the number of
 * rows; where it is not, each table has its own.
 */
export async function insertTogether(tx: Transaction, rows: FollowingRows): Promise<void> {
  if (tx.engine === 'postgres') return insertColumns(tx, columns, rows)
  await insertAll(tx, 'identity', rows.identity)
  await insertAll(tx, 'reference', rows.reference)
  await insertAll(tx, 'facet', rows.facet)
  await insertAll(tx, 'journal', rows.journal)
}
