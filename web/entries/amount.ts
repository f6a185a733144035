import { decimalIn } from '../forms/typed-number.ts'
import { shortList } from '../look/names.ts'
import { useCopy } from '../look/use-logs.ts'
import { idsIn, type LocalRecord, partsIn, type RecordFields } from '../store/record.ts'
import { searchLogs } from '../store/search.ts'
import { dayOfYear, isoDay } from '../words/format.ts'
import { nameOfAsset } from './entry-words.ts'

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

/** Amounts recorded earlier, the newest first. */
export interface PastAmount {
  readonly value: number
  readonly unit: string
}

export function pastAmounts(logs: readonly LocalRecord[]): readonly PastAmount[] {
  const parts = logs.flatMap(({ fields }) => partsIn(fields.quantity))
  return parts
    .map((part) => ({ value: Number(part.value), unit: unitOf(part) }))
    .filter(({ value, unit }) => unit !== '' && value > 0)
}

const lastAmounts = 20
const enoughAmounts = 5
const farOff = 10

/** Units of the last amounts, the most frequent first. */
export function usualUnits(past: readonly PastAmount[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { unit } of past.slice(0, lastAmounts)) counts.set(unit, (counts.get(unit) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one).map(([unit]) => unit)
}

export type UnusualAmount =
  | { readonly kind: 'unit'; readonly usual: string }
  | { readonly kind: 'more' | 'less'; readonly usual: string }

/**
 * A unit never used before, or an amount far from the median of the last 20 in its unit. Undefined below five records:
 * they say little.
 */
export function unusualAmount({ value, unit }: EnteredAmount, past: readonly PastAmount[]): UnusualAmount | undefined {
  const amount = Number(decimalIn(value) ?? 0)
  if (amount <= 0 || past.length < enoughAmounts) return undefined
  const same = past.filter((one) => one.unit === unit).slice(0, lastAmounts)
  if (same.length === 0) return { kind: 'unit', usual: usualUnits(past)[0] ?? '' }
  if (same.length < enoughAmounts) return undefined
  const usual = medianOf(same.map((one) => one.value))
  const kind = amount > usual * farOff ? 'more' : amount < usual / farOff ? 'less' : undefined
  return kind && { kind, usual: amountWords({ value: String(Number(usual.toPrecision(4))), unit }) }
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2
}

/** "2026-167-412": day of the year and number of the planting, or the start of its UUID before it has a number. */
export function suggestedLot(at: number, { id, uuid }: Pick<LocalRecord, 'id' | 'uuid'>): string {
  const planting = id === uuid ? uuid.slice(0, 4) : id
  return [isoDay(at).slice(0, 4), String(dayOfYear(at)).padStart(3, '0'), planting].join('-')
}

export interface LotElsewhere {
  readonly lot: string
  readonly what: string
}

/** Another planting with the same lot, if there is one. */
export function useLotElsewhere(log: LocalRecord): LotElsewhere | null {
  const lot = lotOf(log)
  const taken = useCopy(async () => otherWith(lot, log, await searchLogs(lot)), lot + log.uuid)
  return lot === '' ? null : taken
}

export const lotOf = ({ fields }: LocalRecord): string =>
  typeof fields.lot_number === 'string' ? fields.lot_number : ''

export function otherWith(lot: string, log: LocalRecord, found: readonly LocalRecord[]): LotElsewhere | null {
  const own = idsIn(log.fields.asset)
  const other = found.find(
    ({ uuid, bundle, fields }) =>
      uuid !== log.uuid &&
      bundle === 'farm_harvest' &&
      fields.lot_number === lot &&
      !idsIn(fields.asset).some((id) => own.includes(id)),
  )
  return other === undefined ? null : { lot, what: shortList(idsIn(other.fields.asset).map(nameOfAsset)) }
}
