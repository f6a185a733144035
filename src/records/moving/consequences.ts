import type { Farm } from '../../farm/farm.ts'
import { fieldsOf } from '../../farm/fields-of.ts'
import { areaNumbers } from '../../farm/newer/area-assets.ts'
import { implicationsOf } from '../../history/implications.ts'
import { Refusal } from '../../refusal.ts'
import type { Follower } from '../../storage/backup/import-rows.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { rowOfChange } from '../../storage/history/inventory-rows.ts'
import { forever, rowsOfStay } from '../../storage/history/stay-rows.ts'
import { claimIdentities, identitiesOf, markThere } from '../../storage/identity.ts'
import { DerivedRows, type RebuiltRows } from '../../storage/rebuilding.ts'
import { facetRows, referenceRows, unindex } from '../../storage/records/index-rows.ts'
import { pathNumber, spelled, usedPaths } from '../../storage/records/path.ts'
import {
  deleteQuantity,
  earlierMaterialUuid,
  insertQuantities,
  materialUuid,
  quantityRowsOfLogs,
  type TakenRow,
} from '../../storage/records/quantity-rows.ts'
import { presentBundles } from '../../storage/records/record-lookup.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { drawQuantityNumbers, insertAll } from '../../storage/sql/insertion.ts'
import {
  hasQuantities,
  indexOfTaken,
  type NamedQuantity,
  type QuantityInLog,
  quantitiesIn,
  takenRow,
  termsIn,
} from '../quantities/quantities-of-log.ts'
import { soundQuantities } from '../quantities/soundness.ts'
import { indexOf, pathsOf } from '../record-index.ts'

/** Works out everything that follows from records: index, timelines, inventory. */
export class Consequences implements Follower {
  readonly #farm: Farm
  readonly #derived = new DerivedRows()
  readonly #quantities: MovedQuantities
  readonly #unknown = new Set<string>()

  constructor(farm: Farm) {
    this.#farm = farm
    this.#quantities = new MovedQuantities(farm)
  }

  see(record: StoredRecord): void {
    refuseNumberOfArea(record)
    this.#derived.add(rebuiltFrom(this.#farm, record))
    this.#quantities.see(record)
    const name = unknownIn(this.#farm, record)
    if (name !== null) this.#unknown.add(name)
  }

  async store(tx: Transaction): Promise<void> {
    await this.#derived.store(tx)
    await this.#quantities.store(tx)
  }

  /** Repairs that need all records to be present. */
  mend(tx: Transaction): Promise<void> {
    return this.#quantities.mend(tx)
  }

  refuseUnknown(): void {
    if (this.#unknown.size === 0) return
    const names = [...this.#unknown].slice(0, 10).join(', ')
    throw new Refusal(
      'invalid-content',
      `No installed module knows ${names}. Give the farm's modules with --module, or take the ` +
        'records in as they are with --keep-unknown. Nothing was changed.',
    )
  }
}

/** It could not be told from an area in the newer generation. */
function refuseNumberOfArea({ type, id, values }: StoredRecord): void {
  if (type !== 'asset' || id < areaNumbers) return
  throw new Refusal(
    'invalid-content',
    `The asset “${values.name}” has the number ${id}: assets have numbers below ${areaNumbers}. Give it another one where it comes ` +
      'from. Nothing was changed.',
  )
}

/** Derived rows of quantities while a farm is moved. */
class MovedQuantities {
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

async function rowsByLog(
  tx: Transaction,
  logs: readonly StoredRecord[],
): Promise<ReadonlyMap<number, readonly TakenRow[]>> {
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

/** Derived rows of a record, by the same rules as a write. */
export function rebuiltFrom(farm: Farm, record: StoredRecord): RebuiltRows {
  const index = indexOf(farm, record)
  const { stays, inventoryChanges } = implicationsOf(record)
  return {
    reference: referenceRows(record.id, index),
    facet: facetRows(record.id, index),
    stay: stays.flatMap((stay) => rowsOfStay(stay).map((row) => ({ ...row, until: forever }))),
    inventory_change: inventoryChanges.map(rowOfChange),
  }
}

/** Types and fields of records that the catalogue does not know, such as those of a module that was not given. */
export async function unknownInFarm(snapshot: Snapshot, farm: Farm): Promise<readonly string[]> {
  const bundles = [...(await presentBundles(snapshot))].flatMap((present) => {
    const [type = '', bundle = ''] = present.split(' ')
    return Object.hasOwn(farm.records[type as 'log' | 'asset' | 'term'].bundles, bundle) ? [] : [`${type} ${bundle}`]
  })
  const known = new Set(pathsOf(farm).map(pathNumber))
  const fields = (await usedPaths(snapshot)).filter(({ id }) => !known.has(id)).map(spelled)
  return [...bundles.toSorted(), ...fields.toSorted()]
}

/** The unknown bundle or fields of a record, as an uninstalled module leaves them; else null. */
export function unknownIn(farm: Farm, { type: typeName, bundle: bundleName, values }: StoredRecord): string | null {
  const type = farm.records[typeName]
  const bundle = Object.hasOwn(type.bundles, bundleName) ? type.bundles[bundleName] : undefined
  if (bundle === undefined) return bundleName
  const fields = fieldsOf(type, bundle)
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(fields, name))
  return unknown === undefined ? null : `${bundleName}.${unknown}`
}
