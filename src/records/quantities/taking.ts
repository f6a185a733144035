import { fieldsOfBundle } from '../../farm/fields-of.ts'
import { valueLimits } from '../../fields/limits.ts'
import type { Values } from '../../fields/value.ts'
import { Refusal } from '../../refusal.ts'
import type { Transaction } from '../../storage/database.ts'
import { type Identity, identitiesOf } from '../../storage/identity.ts'
import { lockQuantities, type QuantityRecordRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import type { RecordDraft } from '../writing/draft.ts'
import type { WriteContext } from '../writing/write-context.ts'
import { isGone, type QuantityFate } from './dropped-quantity.ts'
import { type WantedQuantity, withQuantities } from './quantities-of-log.ts'
import { type PlacedQuantity, quantitiesWithPlaces } from './reading.ts'

/** A log that is to be written. */
export interface LogToWrite {
  readonly bundle: string
  readonly values: Values
  readonly draft: RecordDraft
  /** The stored log, unless it is new. */
  readonly before?: StoredRecord
  /** The wanted quantities, if they are computed from the present ones. */
  readonly wanted?: ((own: readonly PlacedQuantity[]) => Promise<readonly WantedQuantity[]>) | undefined
  /** Quantities taken by other operations of the request; this one adds its own. */
  readonly taken: Map<string, QuantityRecordRow>
}

interface WithQuantities {
  readonly values: Values
  /** The fate of quantities that it drops. */
  readonly fate: QuantityFate
}

/** The values of a log with its wanted quantities: it takes waiting ones, and drops those that are not named. */
export async function takeOver({ tx, installation }: WriteContext, log: LogToWrite): Promise<WithQuantities> {
  const { draft, values, bundle, before, wanted } = log
  if (draft.quantities === undefined && wanted === undefined) return { values, fate: isGone }
  const fields = fieldsOfBundle(installation.farm.records.log, bundle)
  const own = before === undefined ? [] : await quantitiesWithPlaces(tx, before)
  if (wanted !== undefined) return { values: withQuantities({ fields, values }, await wanted(own)), fate: isGone }
  if (fields.quantity === undefined) draft.placeOf('quantity').fault(`logs of the type ${bundle} have no quantities`)
  return { values: withQuantities({ fields, values }, await named(tx, log, own)), fate: waitsUnlessNamed(draft) }
}

/** A material that it names and that another of its quantities names as well is a part of that one from here on. */
const waitsUnlessNamed =
  ({ quantities = [] }: RecordDraft): QuantityFate =>
  ({ uuid }) =>
    quantities.includes(uuid) ? 'is gone' : 'waits'

/** The quantities that a draft names, in its order. */
async function named(
  tx: Transaction,
  log: LogToWrite,
  own: readonly PlacedQuantity[],
): Promise<readonly WantedQuantity[]> {
  const uuids = [...new Set(log.draft.quantities)]
  refuseTooMany(log.draft, uuids.length)
  const known = new Map<string, WantedQuantity>(own.map((quantity) => [quantity.uuid, quantity]))
  const others = uuids.filter((uuid) => !known.has(uuid))
  for (const row of await waitingUnder(tx, others, log)) {
    known.set(row.uuid, { uuid: row.uuid, bundle: row.bundle, values: JSON.parse(row.fields) })
    log.taken.set(row.uuid, row)
  }
  return uuids.flatMap((uuid) => known.get(uuid) ?? [])
}

function refuseTooMany(draft: RecordDraft, count: number): void {
  if (count > valueLimits.partCount) draft.placeOf('quantity').fault(`has more than ${valueLimits.partCount} items`)
}

/** Quantities that can be taken; for the others a fault is noted if they were named. */
async function waitingUnder(
  tx: Transaction,
  uuids: readonly string[],
  { draft, taken }: LogToWrite,
): Promise<readonly QuantityRecordRow[]> {
  if (uuids.length === 0) return []
  const known = await identitiesOf(tx, uuids)
  const numbers = [...known.values()].filter(({ type }) => type === 'quantity').map(({ number }) => number)
  const rows = new Map((await lockQuantities(tx, numbers)).map((row) => [row.uuid, row]))
  return uuids.flatMap((uuid) => {
    const row = rows.get(uuid)
    const fault = taken.has(uuid) ? 'is named by another log of this request' : faultOf(uuid, known.get(uuid), row)
    if (fault === null) return row ?? []
    draft
      .placeOf('quantity')
      .inside(draft.quantities?.indexOf(uuid) ?? 0)
      .fault(fault)
    return []
  })
}

function faultOf(uuid: string, identity: Identity | undefined, row: QuantityRecordRow | undefined): string | null {
  if (identity?.type !== 'quantity') return `there is no quantity with the UUID ${uuid}`
  if (row === undefined) return `the quantity with the UUID ${uuid} was removed`
  if (row.log_id === null) return null
  return `the quantity with the UUID ${uuid} is in log ${row.log_id} already, and a quantity is in one log only`
}

/** A quantity that a log has is changed with its log. */
export function refuseIfTaken({ type, id, log }: StoredRecord): void {
  if (log === undefined) return
  throw new Refusal('conflict', `Meanwhile log ${log} has taken ${type} ${id}. Read it again and repeat your change.`)
}
