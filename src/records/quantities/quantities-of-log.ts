import { isDeepStrictEqual } from 'node:util'
import { materialQuantityBundle, usualQuantityBundle } from '../../farm/bundle-names.ts'
import type { Farm } from '../../farm/farm.ts'
import type { Fields } from '../../fields/field.ts'
import { decimalKey } from '../../fields/key.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'
import type { RecordIndex } from '../../storage/records/index-rows.ts'
import { columnsOfQuantity, type QuantityRecordRow, type TakenRow } from '../../storage/records/quantity-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import type { QuantityPlace } from '../../storage/sql/tables.ts'
import { indexOf } from '../record-index.ts'

/** A quantity in a log, and who it is. */
export interface NamedQuantity extends QuantityInLog {
  readonly uuid: string
}

/** Columns that the log does not hold. */
type OwnColumns = Pick<QuantityRecordRow, 'id' | 'uid' | 'created' | 'changed' | 'revision'>

/** The row of a quantity that a log has. */
export const takenRow = (quantity: NamedQuantity, log: number, own: OwnColumns): TakenRow => ({
  id: own.id,
  uuid: quantity.uuid,
  bundle: quantity.bundle,
  name: '',
  name_key: '',
  uid: own.uid,
  created: own.created,
  changed: own.changed,
  revision: own.revision,
  fields: '{}',
  log_id: log,
  field: quantity.field,
  position: quantity.position,
  ...columnsOfQuantity(quantity.values),
})

/** The quantity as the journal tells it: its log tells the rest. */
export const asTaken = (row: QuantityRecordRow): StoredRecord => {
  const { id, uuid, bundle, uid, created, changed, revision, log_id } = row
  const told: StoredRecord = { type: 'quantity', id, uuid, bundle, uid, created, changed, revision, values: {} }
  return log_id === null ? told : { ...told, log: log_id }
}

/** The index of a quantity while a log has it. */
export const indexOfTaken = (farm: Farm, row: QuantityRecordRow, values: Values): RecordIndex =>
  indexOf(farm, { ...asTaken(row), values })

/** A quantity as it stands in a log. */
export interface QuantityInLog {
  readonly field: QuantityPlace
  /** Its number in the list of that field. */
  readonly position: number
  /** A material of which the log says nothing more has no UUID in it. */
  readonly uuid: string | undefined
  readonly bundle: string
  /** By the field names of quantities. */
  readonly values: Values
}

/** Everything that the newer generation has as a quantity, in its order. */
export function quantitiesIn(values: Values): readonly QuantityInLog[] {
  const measured = listIn<PartValue>(values.quantity).map(measuredAs)
  const named = new Set(measured.flatMap((quantity) => termsIn(quantity.values)))
  return [
    ...measured,
    ...listIn<PartValue>(values.inventory).map(adjustmentAs),
    ...listIn<number>(values.material).flatMap((term, position) =>
      named.has(term) ? [] : [materialAs(term, position)],
    ),
  ]
}

export const hasQuantities = ({ quantity, inventory, material }: Values): boolean =>
  [quantity, inventory, material].some((list) => listIn(list).length > 0)

/** The materials that a quantity names. */
export const termsIn = ({ material_type }: Values): readonly number[] => listIn<number>(material_type)

export const listIn = <V extends Value>(value: Value | undefined): readonly V[] =>
  Array.isArray(value) ? (value as readonly V[]) : []

function measuredAs({ uuid, type, ...rest }: PartValue, position: number): QuantityInLog {
  const bundle = typeof type === 'string' ? type : usualQuantityBundle
  // Fields that the part lacks are left out.
  return { field: 'quantity', position, uuid, bundle, values: rest as Values }
}

function adjustmentAs({ uuid, asset, value }: PartValue, position: number): QuantityInLog {
  const signed = String(value ?? '0')
  const values = {
    measure: 'count',
    value: signed.replace(/^[+-]/, ''),
    adjustment: signed.startsWith('-') ? 'decrement' : 'increment',
    ...(asset === undefined ? {} : { inventory_asset: asset }),
  }
  return { field: 'inventory', position, uuid, bundle: usualQuantityBundle, values }
}

const materialAs = (term: number, position: number): QuantityInLog => ({
  field: 'material',
  position,
  uuid: undefined,
  bundle: materialQuantityBundle,
  values: { material_type: [term] },
})

/** A quantity that a log is to have, and where in the log it stood before. */
export interface WantedQuantity {
  readonly uuid: string
  readonly bundle: string
  readonly values: Values
  readonly before?: Pick<QuantityInLog, 'field' | 'position'>
}

interface Log {
  readonly fields: Fields
  readonly values: Values
}

/**
 * The values of a log with exactly these quantities, in this order. Unchanged ones stay as stored; pure inventory
 * changes are stored as adjustments; the materials are those of the quantities.
 */
export function withQuantities({ fields, values }: Log, wanted: readonly WantedQuantity[]): Values {
  const before = new Map(quantitiesIn(values).map((quantity) => [`${quantity.field} ${quantity.position}`, quantity]))
  const kept = wanted.map((quantity) => keptAs(quantity, { fields, values, before }))
  const lists = {
    quantity: kept.flatMap((one) => ('quantity' in one ? [one.quantity] : [])),
    inventory: kept.flatMap((one) => ('inventory' in one ? [one.inventory] : [])),
    ...(fields.material === undefined ? {} : { material: materialsOf(values, wanted) }),
  }
  const others = Object.entries(values).filter(([name]) => !Object.hasOwn(lists, name))
  const told = Object.entries(lists).filter(([name, list]) => list.length > 0 || isEmpty(values[name]))
  return Object.fromEntries([...others, ...told])
}

const isEmpty = (list: Value | undefined): boolean => list !== undefined && listIn(list).length === 0

type KeptPart = { readonly quantity: PartValue } | { readonly inventory: PartValue } | { readonly material: number }

interface LogAround extends Log {
  readonly before: ReadonlyMap<string, QuantityInLog>
}

function keptAs(wanted: WantedQuantity, { fields, values, before }: LogAround): KeptPart {
  const was = wanted.before && before.get(`${wanted.before.field} ${wanted.before.position}`)
  if (was !== undefined && isDeepStrictEqual(was.values, said(wanted.values))) return asItStands(was, values)
  const asset = fields.inventory === undefined ? undefined : adjustedAsset(wanted)
  if (asset !== undefined) return { inventory: { uuid: wanted.uuid, asset, value: signed(wanted.values) } }
  const type = wanted.bundle === usualQuantityBundle ? {} : { type: wanted.bundle }
  return { quantity: { uuid: wanted.uuid, ...type, ...said(wanted.values) } }
}

function asItStands({ field, position, values: own }: QuantityInLog, values: Values): KeptPart {
  if (field === 'material') return { material: Number(termsIn(own)[0]) }
  const part = listIn<PartValue>(values[field])[position] as PartValue
  return field === 'quantity' ? { quantity: part } : { inventory: part }
}

/** A message belongs to a revision of a quantity that waits: inside a log, it is the log that has revisions. */
function said({ revision_log_message: _, ...values }: Values): Values {
  return values
}

const ofAdjustments = new Set(['measure', 'value', 'adjustment', 'inventory_asset'])

/** The asset of a quantity that says no more than what an adjustment says. */
function adjustedAsset({ bundle, values }: WantedQuantity): Value | undefined {
  const { measure, value, adjustment, inventory_asset } = values
  const isPlain = bundle === usualQuantityBundle && Object.keys(said(values)).every((name) => ofAdjustments.has(name))
  if (!isPlain || measure !== 'count' || typeof value !== 'string' || !isAboveZero(value)) return undefined
  return adjustment === 'increment' || adjustment === 'decrement' ? inventory_asset : undefined
}

const isAboveZero = (decimal: string): boolean => decimalKey(decimal) > decimalKey('0')

const signed = ({ value, adjustment }: Values): string =>
  adjustment === 'decrement' ? `-${String(value).replace('+', '')}` : String(value)

/** Present ones in their order, then new ones. */
function materialsOf(values: Values, wanted: readonly WantedQuantity[]): readonly number[] {
  const named = new Set(wanted.flatMap((quantity) => termsIn(quantity.values)))
  const stood = listIn<number>(values.material).filter((term) => named.has(term))
  return [...new Set([...stood, ...named])]
}
