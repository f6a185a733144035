import { materialQuantityBundle, usualQuantityBundle } from '../../farm/bundle-names.ts'
import type { PartValue, Value, Values } from '../../fields/value.ts'
import type { QuantityPlace } from '../../storage/sql/tables.ts'

/** A quantity as it stands in a log. */
export interface QuantityInLog {
  readonly field: QuantityPlace
  /** Its number in the list of that field. */
  readonly position: number
  /** A material of which the log says nothing more has no UUID in it. */
  readonly uuid: string | undefined
  readonly bundle: string
  /** In terms of the fields of quantities. */
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

/** Whether a log has any: most have none. */
export const hasQuantities = ({ quantity, inventory, material }: Values): boolean =>
  [quantity, inventory, material].some((list) => listIn(list).length > 0)

/** The materials that a quantity names. */
export const termsIn = ({ material_type }: Values): readonly number[] => listIn<number>(material_type)

export const listIn = <V extends Value>(value: Value | undefined): readonly V[] =>
  Array.isArray(value) ? (value as readonly V[]) : []

function measuredAs({ uuid, type, ...rest }: PartValue, position: number): QuantityInLog {
  const bundle = typeof type === 'string' ? type : usualQuantityBundle
  // What a part has not is not in it.
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
