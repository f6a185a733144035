import { isDeepStrictEqual } from 'node:util'
import type { Farm } from '../../farm/farm.ts'
import { fieldsOfBundle } from '../../farm/fields-of.ts'
import type { Transaction } from '../../storage/database.ts'
import { identitiesOf } from '../../storage/identity.ts'
import { latestRevisions } from '../../storage/journal.ts'
import { changeQuantity, quantityRowsOfLogs } from '../../storage/records/quantity-rows.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { raiseNumber } from '../../storage/sql/record-numbers.ts'
import { takeFilesBack } from '../../storage/unused-files.ts'
import { hasQuantities } from '../quantities/quantities-of-log.ts'
import { removeIn } from '../writing/remove.ts'
import { storeChange, storeNew, storeNumbered, storeRestored } from '../writing/storing.ts'
import type { WriteContext } from '../writing/write-context.ts'
import type { QuantityColumns } from './arriving-records.ts'

/** Brings a record of elsewhere to what it is there, in a farm that is in use: under its own number, author and times. */
export async function storeArriving(
  work: WriteContext,
  record: StoredRecord,
  columnsOf: QuantityColumns,
): Promise<void> {
  const { installation, tx, set } = work
  const { type, id } = record
  const before = (await recordsByIds(tx, type, [id])).get(id)
  await takeFilesBack(tx, filesIn(installation.farm, record))
  if (before === undefined) await storeMissing(work, record)
  else if (!isDeepStrictEqual(before.values, record.values) || before.changed !== record.changed) {
    const after = { ...record, uuid: before.uuid, revision: before.revision + 1 }
    await storeChange(tx, installation.farm, { before, after, set })
  }
  if (type === 'log' && hasQuantities(record.values)) await keepColumns(tx, id, columnsOf)
}

/** The quantities of a log keep their own authors and times, where their source knows them. */
async function keepColumns(tx: Transaction, log: number, columnsOf: QuantityColumns): Promise<void> {
  for (const row of await quantityRowsOfLogs(tx, [log])) {
    const own = columnsOf(row.uuid)
    const isAsThere = own === undefined || isDeepStrictEqual({ ...row, ...own }, { ...row })
    if (!isAsThere) await changeQuantity(tx, row.id, own)
  }
}

function filesIn(farm: Farm, { type, bundle, values }: StoredRecord): readonly number[] {
  const fields = Object.entries(fieldsOfBundle(farm.records[type], bundle))
  return fields.flatMap(([name, { kind }]) =>
    kind === 'attachment' ? ((values[name] as number[] | undefined) ?? []) : [],
  )
}

/** A record that was removed here comes back. Numbers that the farm gives later come after a new one. */
async function storeMissing({ installation, tx, set }: WriteContext, record: StoredRecord): Promise<void> {
  const { farm } = installation
  const { type, id, uuid } = record
  if ((await identitiesOf(tx, [uuid])).has(uuid)) {
    const [last] = await latestRevisions(tx, { type, id, most: 1 })
    await storeRestored(tx, farm, { record: { ...record, revision: (last?.revision ?? 0) + 1 }, set })
    return
  }
  if (type === 'quantity') {
    await storeNew(tx, farm, { type, records: [record], set })
    return
  }
  await storeNumbered(tx, farm, { record, set })
  await raiseNumber(tx, type, id)
}

/** Removes a record that is gone elsewhere; refused while others refer to it. */
export const removeDeparted = (work: WriteContext, { type, id }: Pick<StoredRecord, 'type' | 'id'>): Promise<void> =>
  removeIn(work, { type, id })
