import type { Farm } from '../../farm/farm.ts'
import type { Transaction } from '../../storage/database.ts'
import { claimIdentities, identitiesOf, markThere } from '../../storage/identity.ts'
import { must } from '../../storage/must.ts'
import { referenceRows, unindex } from '../../storage/records/index-rows.ts'
import { type TakenRow, deleteQuantity, earlierMaterialUuid, insertQuantities, materialUuid, quantityRowsOfLogs } from '../../storage/records/quantity-rows.ts'

import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { insertAll } from '../../storage/sql/insertion.ts'
import { drawQuantityNumbers } from '../../storage/sql/quantity-numbers.ts'
import { hasQuantities, type QuantityInLog, quantitiesIn, termsIn } from '../quantities/in-log.ts'
import { soundQuantities } from '../quantities/soundness.ts'
import { indexOfTaken, type NamedQuantity, takenRow } from '../quantities/taken.ts'

/** What follows from the quantities of logs while a farm is moved. */
export class MovedQuantities {
  readonly #farm: Farm
  #logs: StoredRecord[] = []
  /** Logs whose quantities are not kept as they say. */
  readonly #unsound: number[] = []

  constructor(farm: Farm) {
    this.#farm = farm
  }

  see(record: StoredRecord): void {
    if (record.type === 'log' && hasQuantities(record.values)) this.#logs.push(record)
  }

  /** Enters what the quantities of the logs seen since the last time refer to. */
  async store(tx: Transaction): Promise<void> {
    const logs = this.#logs
    this.#logs = []
    const rows = await rowsByLog(tx, logs)
    const references = logs.flatMap((log) => {
      const sound = soundQuantities(log, rows.get(log.id) ?? [])
      if (sound === null) this.#unsound.push(log.id)
      return (sound ?? []).flatMap(({ row, quantity }) =>
        referenceRows(row.id, indexOfTaken(this.#farm, row, quantity.values)),
      )
    })
    await insertAll(tx, 'reference', references)
  }

  /** Makes the rows anew that were not what their logs say, once everything else is there. */
  async mend(tx: Transaction): Promise<void> {
    for (const log of (await recordsByIds(tx, 'log', this.#unsound)).values()) await mendLog(tx, this.#farm, log)
  }
}

async function rowsByLog(tx: Transaction, logs: readonly StoredRecord[]): Promise<ReadonlyMap<number, readonly TakenRow[]>> {
  const byLog = new Map<number, TakenRow[]>()
  const rows = await quantityRowsOfLogs(
    tx,
    logs.map(({ id }) => id),
  )
  for (const row of rows) byLog.set(row.log_id, [...(byLog.get(row.log_id) ?? []), row])
  return byLog
}

/** Each keeps the number that its row had, or that is noted under its UUID. */
async function mendLog(tx: Transaction, farm: Farm, log: StoredRecord): Promise<void> {
  const rows = await quantityRowsOfLogs(tx, [log.id])
  const inLog = quantitiesIn(log.values)
  const materialOf = ({ values }: QuantityInLog) => ({ log: log.uuid, term: termsIn(values)[0] ?? 0, nth: 0 })
  const known = await identitiesOf(
    tx,
    inLog.flatMap((one) => one.uuid ?? [materialUuid(materialOf(one)), earlierMaterialUuid(materialOf(one))]),
  )
  const quantities = inLog.map((one): NamedQuantity => {
    const earlier = earlierMaterialUuid(materialOf(one))
    return { ...one, uuid: one.uuid ?? (known.has(earlier) ? earlier : materialUuid(materialOf(one))) }
  })
  for (const row of rows) {
    await unindex(tx, { type: 'quantity', id: row.id })
    await deleteQuantity(tx, row.id)
  }
  for (const quantity of quantities) {
    const row = rows.find(({ uuid }) => uuid === quantity.uuid)
    const number = row?.id ?? known.get(quantity.uuid)?.number ?? must((await drawQuantityNumbers(tx, 1))[0])
    const { uid, changed } = log
    const made = takenRow(quantity, log.id, { id: number, uid, created: changed, changed, revision: 0, ...row })
    await insertQuantities(tx, [made])
    await insertAll(tx, 'reference', referenceRows(number, indexOfTaken(farm, made, quantity.values)))
    if (known.has(quantity.uuid)) await markThere(tx, quantity.uuid)
    else await claimIdentities(tx, [{ uuid: quantity.uuid, type: 'quantity', number, uid }])
  }
}
