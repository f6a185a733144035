import * as fc from 'fast-check'
import type { Draw, Newer } from './fact.ts'
import { anyText, one, some } from './kinds.ts'
import { newerSent, newerShown, olderSent, olderShown, type Thing } from './thing.ts'
import type { World } from './world.ts'

export type QuantityType = 'standard' | 'material' | 'test'

/** What was measured, or by how much an inventory has changed. */
export interface Measured {
  readonly measure: string | null
  readonly value: Value | null
  readonly unit: Thing | null
  readonly label: string | null
  readonly adjustment: string | null
  readonly inventoryOf: Thing | null
  readonly materials: readonly Thing[]
  readonly method: Thing | null
}

/** A decimal as it was written, and the fraction that it was rounded from. */
export interface Value {
  readonly decimal: string
  readonly fraction?: readonly [number, number]
}

/** One of them, in a log or waiting for one. */
export interface Quantity {
  readonly type: QuantityType
  /** Unknown until the newer generation has shown it. */
  uuid: string | undefined
  says: Measured
}

export const nothing: Measured = {
  measure: null,
  value: null,
  unit: null,
  label: null,
  adjustment: null,
  inventoryOf: null,
  materials: [],
  method: null,
}

export const olderMeasures = [
  ...['count', 'length', 'weight', 'area', 'volume', 'time', 'temperature', 'pressure', 'water_content', 'value'],
  ...['rate', 'rating', 'ratio', 'probability'],
]
export const newerMeasures = [...olderMeasures, 'speed']
export const adjustments = ['increment', 'decrement', 'reset']

/** An inventory adjustment of the record interface, and nothing more. */
export function isPlainAdjustment({ type, says }: Pick<Quantity, 'type' | 'says'>): boolean {
  const { measure, value, unit, label, adjustment, inventoryOf } = says
  const isCounted = type === 'standard' && measure === 'count' && unit === null && label === null
  const isAboveZero = value !== null && value.fraction === undefined && Number(value.decimal) > 0
  return (
    isCounted && isAboveZero && inventoryOf?.family === 'asset' && ['increment', 'decrement'].includes(adjustment ?? '')
  )
}

let labels = 0
/** No two rows of a log look the same to the record interface. */
const anyLabel = (draw: Draw): string => `${anyText(draw).replace('\n', ' ')} #${labels++}`

const anyDecimal = (draw: Draw): string => {
  const whole = draw(fc.integer, { min: -99, max: 99 })
  return one(draw, [`${whole}`, `${whole}.50`, `${whole}.125`])
}

/** Twenty places, rounded to the nearest. */
export function roundedFraction(numerator: number, denominator: number): string {
  const scaled = (2n * BigInt(numerator) * 10n ** 20n + BigInt(denominator)) / (2n * BigInt(denominator))
  return `0.${String(scaled).padStart(20, '0')}`
}

const anyValue = (draw: Draw): Value => {
  const fraction = one<Value['fraction']>(draw, [undefined, undefined, undefined, [1, 3], [2, 7]])
  if (fraction === undefined) return { decimal: anyDecimal(draw) }
  return { decimal: roundedFraction(...fraction), fraction }
}

const orNone = <T>(draw: Draw, any: () => T): T | null => (draw(fc.integer, { min: 0, max: 2 }) > 0 ? any() : null)

/** Whatever the newer generation may say of a quantity of this type. */
export function anyMeasured(draw: Draw, world: World, type: QuantityType): Measured {
  if (type === 'standard' && draw(fc.boolean)) return anyAdjustment(draw, world)
  const thing = one<Thing>(draw, [...world.movers, ...world.plots])
  return {
    measure: orNone(draw, () => one(draw, newerMeasures)),
    value: orNone(draw, () => anyValue(draw)),
    unit: orNone(draw, () => one(draw, world.terms('farm_quantity_units'))),
    label: orNone(draw, () => anyLabel(draw)),
    adjustment: orNone(draw, () => one(draw, adjustments)),
    inventoryOf: orNone(draw, () => thing),
    materials: type === 'material' ? some(draw, world.terms('farm_materials')) : [],
    method: type === 'test' ? orNone(draw, () => one(draw, world.terms('test_method'))) : null,
  }
}

const anyAdjustment = (draw: Draw, { movers }: World): Measured => ({
  ...nothing,
  measure: 'count',
  value: { decimal: `${draw(fc.integer, { min: 1, max: 99 })}.${labels++}` },
  adjustment: one(draw, ['increment', 'decrement']),
  inventoryOf: one(draw, movers),
})

/** Whatever the record interface may say in a row of quantities. */
export const anyRow = (draw: Draw, world: World): Measured => ({
  ...nothing,
  measure: orNone(draw, () => one(draw, olderMeasures)),
  value: orNone(draw, () => ({ decimal: anyDecimal(draw) })),
  unit: orNone(draw, () => one(draw, world.terms('farm_quantity_units'))),
  label: anyLabel(draw),
})

/** And in one of inventory adjustments. */
export const anyInventoryRow = (draw: Draw, world: World): Measured => anyAdjustment(draw, world)

export const olderRowSent = ({ measure, value, unit, label }: Measured) => ({
  measure,
  value: value?.decimal ?? null,
  unit: unit && olderSent(unit),
  label,
})

export const olderRowShown =
  (base: string) =>
  ({ measure, value, unit, label }: Measured) => ({
    measure,
    value: value?.decimal ?? null,
    ...(unit === null ? {} : { unit: olderShown(base)(unit) }),
    label,
  })

const signed = ({ value, adjustment }: Measured): string => `${adjustment === 'decrement' ? '-' : ''}${value?.decimal}`

export const olderInventorySent = (says: Measured) => ({
  asset: olderSent(says.inventoryOf as Thing),
  value: signed(says),
})

export const olderInventoryShown = (base: string) => (says: Measured) => ({
  asset: olderShown(base)(says.inventoryOf as Thing),
  value: signed(says),
})

export const newerQuantitySent = (type: QuantityType, says: Measured): Required<Newer> => ({
  attributes: {
    measure: says.measure,
    value: says.value?.fraction
      ? { numerator: says.value.fraction[0], denominator: says.value.fraction[1] }
      : says.value && { decimal: says.value.decimal },
    label: says.label,
    inventory_adjustment: says.adjustment,
  },
  relationships: {
    units: says.unit && newerSent(says.unit),
    inventory_asset: says.inventoryOf && newerSent(says.inventoryOf),
    ...(type === 'material' ? { material_type: says.materials.map(newerSent) } : {}),
    ...(type === 'test' ? { test_method: says.method && newerSent(says.method) } : {}),
  },
})

export const newerQuantityShown = (type: QuantityType, says: Measured): Required<Newer> => ({
  attributes: {
    measure: says.measure,
    value: says.value && shownValue(says.value),
    label: says.label,
    inventory_adjustment: says.adjustment,
  },
  relationships: {
    units: says.unit && newerShown(says.unit),
    inventory_asset: says.inventoryOf && newerShown(says.inventoryOf),
    ...(type === 'material' ? { material_type: says.materials.map(newerShown) } : {}),
    ...(type === 'test' ? { test_method: says.method && newerShown(says.method) } : {}),
  },
})

function shownValue({ decimal, fraction }: Value) {
  if (fraction !== undefined) return { numerator: fraction[0], denominator: fraction[1], decimal }
  const [whole = '', places = ''] = decimal.split('.')
  return { numerator: Number(`${whole}${places}`), denominator: 10 ** places.length, decimal }
}

/** The fields of the catalogue that keep what is said of a quantity, by its type. */
const keptOfAll = ['measure', 'value', 'fraction', 'unit', 'label', 'adjustment', 'inventory_asset', 'inventory_area']

export const keptOfQuantities: Readonly<Record<`quantity ${QuantityType}`, readonly string[]>> = {
  'quantity standard': keptOfAll.toSorted(),
  'quantity material': [...keptOfAll, 'material_type'].toSorted(),
  'quantity test': [...keptOfAll, 'test_method'].toSorted(),
}
