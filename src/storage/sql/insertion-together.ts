import type { Selectable } from 'kysely'
import type { Transaction } from '../database.ts'
import { copyIn } from '../postgres/copy.ts'
import { insertAll, insertColumns, insertSheaf, type RowValues } from './insertion.ts'
import type { FacetRow, IdentityRow, JournalRow, QuantityRow, ReferenceRow } from './tables.ts'

/** Derived rows of new records. */
interface FollowingRows {
  readonly identity: readonly Pick<IdentityRow, 'uuid' | 'type' | 'number' | 'uid' | 'draft'>[]
  /** Quantities of new logs, with the ids drawn for them. */
  readonly quantity: readonly Readonly<Selectable<QuantityRow>>[]
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

const columnsWithQuantities = {
  ...columns,
  quantity: {
    id: 'bigint',
    uuid: 'text',
    bundle: 'text',
    name: 'text',
    name_key: 'text',
    uid: 'bigint',
    created: 'bigint',
    changed: 'bigint',
    revision: 'bigint',
    fields: 'text',
    log_id: 'bigint',
    field: 'text',
    position: 'bigint',
    measure: 'text',
    label_key: 'text',
    value_key: 'text',
    adjustment: 'text',
    unit_id: 'bigint',
  },
} as const

/**
 * Enters all of it. Where the database is a journey away that is one journey, by one statement of one shape whatever the number of
 * rows; where it is not, each table has its own.
 */
export async function insertTogether(tx: Transaction, rows: FollowingRows): Promise<void> {
  if (tx.engine === 'postgres')
    return rows.quantity.length === 0
      ? insertColumns(tx, columns, rows)
      : insertColumns(tx, columnsWithQuantities, rows)
  await insertAll(tx, 'identity', rows.identity)
  await insertAll(tx, 'quantity', rows.quantity)
  await insertAll(tx, 'reference', rows.reference)
  await insertAll(tx, 'facet', rows.facet)
  await insertAll(tx, 'journal', rows.journal)
}

/** Brings many rows in, by the way that costs the engine the least. */
export async function insertInBulk(tx: Transaction, sheaf: RowValues): Promise<void> {
  if (tx.engine === 'sqlite') await insertSheaf(tx, sheaf)
  else await copyIn(tx, sheaf)
}
