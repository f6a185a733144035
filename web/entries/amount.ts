import { decimalIn } from '../forms/typed-number.ts'
import { type LocalRecord, partsIn, type RecordFields } from '../store/record.ts'

/** A figure as it was typed, never rounded. */
export interface EnteredAmount {
  readonly value: string
  readonly unit: string
  /** Name of the measurement, if the unit does not imply it. */
  readonly label?: string
}

export const amountWords = ({ value, unit }: Pick<EnteredAmount, 'value' | 'unit'>): string =>
  `${decimalIn(value) ?? value} ${unit}`.trim()

const measures: readonly (readonly [RegExp, string])[] = [
  [/^(kg|g|mg|t|tonnes?|lbs?|oz|pounds?|kilos?)$/i, 'weight'],
  [/^(l|ml|litres?|liters?|gal|gallons?|m3|cc)$/i, 'volume'],
  [/^(m|cm|km|ft|feet|rows?)$/i, 'length'],
  [/^(m2|m²|ha|acres?)$/i, 'area'],
]

/** Measure of a unit: kg is a weight, bunches a count. */
export const measureOf = (unit: string): string => measures.find(([units]) => units.test(unit.trim()))?.[1] ?? 'count'

/** Quantities for a log. An empty figure is left out. */
export function quantityIn(amounts: readonly EnteredAmount[], unitTerms: readonly LocalRecord[] = []): RecordFields {
  const parts = amounts.map((amount) => partOf(amount, unitTerms)).filter((part) => Object.keys(part).length > 0)
  return parts.length === 0 ? {} : { quantity: parts }
}

function partOf({ value: typed, unit, label = '' }: EnteredAmount, unitTerms: readonly LocalRecord[]): RecordFields {
  const value = decimalIn(typed)
  return {
    ...(value === null ? {} : { measure: measureOf(unit), value }),
    ...(value === null || unit === '' ? {} : { unit: unitNamed(unit, unitTerms) }),
    ...(label === '' ? {} : { label }),
  }
}

/** Refers to an existing term by number, to a new one by name: two phones that add the same unit make one term. */
function unitNamed(unit: string, terms: readonly LocalRecord[]): RecordFields {
  const known = terms.find(({ name }) => name === unit)
  return known === undefined || known.id === known.uuid ? { name: unit } : { id: known.id, name: unit }
}

/** Sum of all quantities of the logs in this unit. */
export function sumOf(logs: readonly LocalRecord[], unit: string): number {
  const parts = logs.flatMap(({ fields }) => partsIn(fields.quantity))
  return parts.filter((part) => unitOf(part) === unit).reduce((sum, part) => sum + Number(part.value ?? 0), 0)
}

export function unitOf(part: RecordFields): string {
  const { name } = (part.unit ?? {}) as { readonly name?: unknown }
  return typeof name === 'string' ? name : ''
}
