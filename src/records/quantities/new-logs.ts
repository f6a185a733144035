import type { Farm } from '../../farm/farm.ts'
import type { ChangeSet } from '../../storage/change-set.ts'
import type { Transaction } from '../../storage/database.ts'
import type { NewIdentity } from '../../storage/identity.ts'
import { must } from '../../storage/must.ts'
import { referenceRows } from '../../storage/records/index-rows.ts'
import type { QuantityRecordRow, TakenRow } from '../../storage/records/quantity-rows.ts'
import type { RecordToStore, StoredRecord } from '../../storage/records/stored.ts'
import type { ReferenceRow } from '../../storage/sql/tables.ts'
import { take, withUuids } from './added-quantities.ts'
import { hasQuantities, quantitiesIn } from './in-log.ts'
import { indexOfTaken, type NamedQuantity, takenRow } from './taken.ts'

/** Quantities that wait, by their UUIDs, and that nobody else takes until the transaction ends. */
export type WaitingQuantities = ReadonlyMap<string, QuantityRecordRow>

export const noneWaiting: WaitingQuantities = new Map()

interface OfLog {
  /** The log's number among the new ones. */
  readonly nth: number
  readonly quantity: NamedQuantity
}

/** What new logs bring along. */
export interface BroughtQuantities {
  readonly fresh: readonly OfLog[]
  readonly taken: readonly (OfLog & { readonly row: QuantityRecordRow })[]
}

const nothing: BroughtQuantities = { fresh: [], taken: [] }

export async function broughtBy(
  tx: Transaction,
  records: readonly RecordToStore[],
  waiting: WaitingQuantities,
): Promise<BroughtQuantities> {
  if (!records.some(({ type, values }) => type === 'log' && hasQuantities(values))) return nothing
  const all: OfLog[] = []
  for (const [nth, record] of records.entries()) {
    const named = await withUuids(tx, record, quantitiesIn(record.values))
    for (const quantity of named) all.push({ nth, quantity })
  }
  return {
    fresh: all.filter(({ quantity }) => !waiting.has(quantity.uuid)),
    taken: all.flatMap((one) => {
      const row = waiting.get(one.quantity.uuid)
      return row === undefined ? [] : [{ ...one, row }]
    }),
  }
}

/** All that follows from quantities that nobody knew before. */
export interface FreshRows {
  readonly quantity: readonly TakenRow[]
  readonly identities: readonly NewIdentity[]
  readonly references: readonly ReferenceRow[]
}

/** The logs that have been kept, and the numbers for what they brought along. */
interface StoredLogs {
  readonly farm: Farm
  readonly logs: readonly StoredRecord[]
  readonly numbers: readonly number[]
}

export function freshRows(
  { fresh }: BroughtQuantities,
  { farm, logs, numbers }: StoredLogs,
  { uid: by }: ChangeSet,
): FreshRows {
  const quantity = fresh.map((one, index) => {
    const { id: log, uid, changed } = must(logs[one.nth])
    const own = { id: must(numbers[index]), uid, created: changed, changed, revision: 0 }
    return takenRow(one.quantity, log, own)
  })
  return {
    quantity,
    identities: quantity.map(({ uuid, id }) => ({ uuid, type: 'quantity', number: id, uid: by })),
    references: quantity.flatMap((row, index) =>
      referenceRows(row.id, indexOfTaken(farm, row, must(fresh[index]).quantity.values)),
    ),
  }
}

/** Those that waited are parts of the new logs from here on. */
export async function takeBrought(
  tx: Transaction,
  { taken }: BroughtQuantities,
  { farm, logs, set }: Pick<StoredLogs, 'farm' | 'logs'> & { readonly set: ChangeSet },
): Promise<void> {
  for (const { nth, quantity, row } of taken) {
    const log = must(logs[nth])
    await take(tx, farm, { row, quantity, log: log.id, set, at: log.changed })
  }
}
