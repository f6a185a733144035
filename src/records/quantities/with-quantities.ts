import { isDeepStrictEqual } from 'node:util'
import { usualQuantityBundle } from '../../farm/bundle-names.ts'
import type { Fields } from '../../fields/field.ts'
import { decimalKey } from '../../fields/key.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'
import { listIn, type QuantityInLog, quantitiesIn, termsIn } from './in-log.ts'

/** A quantity that a log is to have, and where in the log it stood before. */
export interface WantedQuantity {
  readonly uuid: string
  readonly bundle: string
  readonly values: Values
  readonly before?: Pick<QuantityInLog, 'field' | 'position'>
}

interface Log {
  /** Those of its type. */
  readonly fields: Fields
  readonly values: Values
}

/**
 * What a log says that has exactly these quantities, in this order. What is as it was stays as it is kept; what only changes how much
 * there is of an asset is kept as an adjustment; and the materials are those that the quantities name.
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

/** In the order in which they stood, and then those that have come. */
function materialsOf(values: Values, wanted: readonly WantedQuantity[]): readonly number[] {
  const named = new Set(wanted.flatMap((quantity) => termsIn(quantity.values)))
  const stood = listIn<number>(values.material).filter((term) => named.has(term))
  return [...new Set([...stood, ...named])]
}
