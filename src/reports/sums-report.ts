import { animalBundle, groupBundle } from '../farm/bundle-names.ts'
import type { ReportName } from '../farm/farm.ts'
import type { Fraction } from '../fields/fraction.ts'
import { trimmedTextKey } from '../fields/key.ts'
import { parseWkt } from '../fields/wkt/parser.ts'
import { shapesOf } from '../fields/wkt/shapes.ts'
import { squareMetresOf } from '../fields/wkt/size.ts'
import { whereaboutsOf } from '../history/location.ts'
import { type WithholdingPeriod, withheldOfAssets } from '../history/withholding.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { atPresent } from '../storage/farm-state.ts'
import { recordsByIds } from '../storage/records/record-rows.ts'
import { nameOf } from '../storage/records/stored.ts'
import type { ShownAmount, SummedAmount } from './amounts.ts'
import { plus, shownNumber } from './exact-sum.ts'
import { compareTexts, type ReportLine } from './line.ts'
import type { KnownAsset, KnownThings } from './log-facts.ts'
import { listedBy, type NamedRecord, namedTerms, type Terms, type TermWithParent } from './named-records.ts'
import { type Totals, type TotalsQuery, type TreatmentsByAsset, totalsOf } from './totals.ts'
import { reduced, type ShownUnits, type UnitSystem } from './units.ts'

/** Yield per area. */
export interface Yield {
  readonly value: string
  readonly unit: string
  readonly squareMetres: string
}

export interface YieldingAmount extends ShownAmount {
  /** Null if a planting has no size, or a log names several plantings or none. */
  readonly yield: Yield | null
  /** Product of animals, by the unit if no label names it. */
  readonly product: HerdProduct | null
}

export type HerdProduct = 'milk' | 'eggs'

export interface ShownLine {
  readonly key: string
  readonly logs: readonly number[]
  readonly withoutLot: readonly number[]
  readonly crops: readonly TermWithParent[]
  readonly types: readonly string[]
  readonly assets: readonly NamedRecord[]
  readonly herds: readonly NamedRecord[]
  readonly areas: readonly NamedRecord[]
  readonly materials: readonly NamedRecord[]
  readonly bundles: readonly string[]
  readonly amounts: readonly YieldingAmount[]
}

/** The yield of one planting alone. */
export interface PlantingYield {
  readonly planting: NamedRecord
  readonly crops: readonly TermWithParent[]
  readonly amount: YieldingAmount
  readonly yield: Yield
}

export interface SumsReport extends Pick<Totals, 'logs' | 'withoutLot' | 'withoutAmount'> {
  readonly lines: readonly ShownLine[]
  readonly yields: readonly PlantingYield[]
  /** Of inputs: what is still withheld. */
  readonly withholding: readonly TreatmentWithholding[]
}

interface SumsAsked extends TotalsQuery {
  readonly shownUnits: ShownUnits
  readonly now: number
}

/** A report that adds up quantities. */
export async function sumsReport(snapshot: Snapshot, installation: Records, asked: SumsAsked): Promise<SumsReport> {
  const totals = await totalsOf(snapshot, installation, asked)
  const { things, lines } = totals
  const plantings = lines.flatMap((line) => [...line.plantings])
  const known = [...new Set(plantings)].flatMap((id) => things.assets.get(id) ?? [])
  const sizes = await sizesToday(snapshot, known, asked.now)
  const terms = await namedTerms(
    snapshot,
    lines.flatMap(({ crops, areas, materials }) => [...crops, ...areas, ...materials]),
  )
  const after = { now: asked.now, things, treated: totals.treated }
  const withholding = asked.report === 'inputs' ? await withheldAfter(snapshot, after) : []
  const telling = { things, terms, sizes, units: asked.shownUnits, report: asked.report }
  const { logs, withoutLot, withoutAmount } = totals
  return {
    logs,
    withoutLot,
    withoutAmount,
    lines: lines.map((line) => shownLine(line, telling)).toSorted(byWords),
    yields: [...totals.plantings].flatMap(([id, line]) => yieldsOf(id, line, telling)).toSorted(byPlanting),
    withholding,
  }
}

interface SumsTotals {
  readonly things: KnownThings
  readonly terms: Terms
  readonly sizes: ReadonlyMap<number, Fraction>
  readonly units: ShownUnits
  readonly report: ReportName
}

const shownLine = (line: ReportLine, telling: SumsTotals): ShownLine => ({
  key: line.key,
  logs: line.logs,
  withoutLot: line.withoutLot,
  crops: listedBy(telling.terms, line.crops),
  types: [...line.types].toSorted(),
  assets: listedBy(telling.things.assets, line.assets).map(({ id, name }) => ({ id, name })),
  herds: listedBy(telling.things.assets, line.herds).map(({ id, name }) => ({ id, name })),
  areas: listedBy(telling.terms, line.areas),
  materials: listedBy(telling.terms, line.materials),
  bundles: [...line.bundles].toSorted(),
  amounts: line.amounts.map((amount) => shownAmount(line, amount, telling)),
})

function shownAmount(line: ReportLine, amount: SummedAmount, telling: SumsTotals): YieldingAmount {
  const shown = amount.shown(telling.units)
  const isOfAnimals = telling.report === 'harvest' && [...line.types].every((type) => givers.includes(type))
  return {
    ...shown,
    yield: yieldOf(amount, telling),
    product: isOfAnimals && line.types.size > 0 ? productOf(shown) : null,
  }
}

const givers: readonly string[] = [animalBundle, groupBundle]

/** Volumes of animals are milk. */
function productOf({ measure, label, unit }: ShownAmount): HerdProduct | null {
  if (label !== '') return null
  if (measure === 'volume') return 'milk'
  return /^(eggs?|ei|eier|huevos?)$/i.test(unit.trim()) ? 'eggs' : null
}

const byWords = (one: ShownLine, other: ShownLine): number => compareTexts(wordsOf(one), wordsOf(other))

const wordsOf = ({ crops, materials, herds, types, bundles, areas, assets, key }: ShownLine): readonly string[] => [
  ...[crops, materials, herds].map((things) => trimmedTextKey(things.map(({ name }) => name).join(', '))),
  [...types, ...bundles].join(', '),
  ...[areas, assets].map((things) => trimmedTextKey(things.map(({ name }) => name).join(', '))),
  key,
]

function yieldsOf(id: number, line: ReportLine, telling: SumsTotals): readonly PlantingYield[] {
  const planting = telling.things.assets.get(id)
  if (planting === undefined) return []
  const crops = listedBy(telling.terms, planting.crops)
  return line.amounts.flatMap((amount) => {
    const found = yieldOf(amount, telling)
    if (found === null) return []
    const shown = { ...amount.shown(telling.units), yield: found, product: null }
    return [{ planting: { id, name: planting.name }, crops, amount: shown, yield: found }]
  })
}

const byPlanting = (one: PlantingYield, other: PlantingYield): number =>
  compareTexts([trimmedTextKey(one.planting.name)], [trimmedTextKey(other.planting.name)]) ||
  one.planting.id - other.planting.id

interface Place {
  readonly unit: string
  readonly squareMetres: Fraction
}

/** Area units for yields: of beds and of fields. */
const places: Readonly<Record<UnitSystem, Readonly<Record<'bed' | 'field', Place>>>> = {
  metric: {
    bed: { unit: 'm²', squareMetres: { numerator: 1n, denominator: 1n } },
    field: { unit: 'ha', squareMetres: { numerator: 10_000n, denominator: 1n } },
  },
  us: {
    bed: { unit: 'ft²', squareMetres: { numerator: 9_290_304n, denominator: 100_000_000n } },
    field: { unit: 'acre', squareMetres: { numerator: 40_468_564_224n, denominator: 10_000_000n } },
  },
}

/** Square metres from which an area counts as a field. */
const smallestField = 1_000n

/** Only harvests have a yield. */
function yieldOf(amount: SummedAmount, { sizes, units, report }: SumsTotals): Yield | null {
  const found = [...amount.plantings].map((planting) => sizes.get(planting))
  if (report !== 'harvest' || !amount.isSummed || !amount.isOfSinglePlantings || found.includes(undefined)) return null
  const size = found.reduce<Fraction>((all, one) => reduced(plus(all, one ?? nothing)), nothing)
  const { value, unit } = ratePer(amount.total(units), size, units.system)
  return {
    value,
    unit: `${amount.unit(units)}/${unit}`,
    squareMetres: shownNumber(size),
  }
}

const nothing: Fraction = { numerator: 0n, denominator: 1n }

/** Current size in square metres: of its own geometry, else of its location. Entries without a geometry are missing. */
async function sizesToday(
  snapshot: Snapshot,
  plantings: readonly KnownAsset[],
  now: number,
): Promise<ReadonlyMap<number, Fraction>> {
  const elsewhere = plantings.filter(({ geometry }) => geometry === '').map(({ id }) => id)
  const whereabouts = await whereaboutsOf(snapshot, elsewhere, atPresent(now))
  const sizes = new Map<string, Fraction>()
  return new Map(
    plantings.flatMap(({ id, geometry }) => {
      const shape = geometry === '' ? (whereabouts.get(id)?.geometry ?? '') : geometry
      const size = sizes.get(shape) ?? sizeOf(shape)
      sizes.set(shape, size)
      return size.numerator > 0n ? [[id, size]] : []
    }),
  )
}

const perSquareMetre = 1_000_000

/** A size as people say it: of beds in square metres, of fields in hectares, or as the other system has them. */
export function shownSize(size: Fraction, system: UnitSystem): string {
  const place = placeOf(size, system)
  return `${shownNumber(perPlace(size, place))} ${place.unit}`
}

/** An amount for each hectare, or what the size is told in. */
export const ratePer = (
  total: Fraction,
  size: Fraction,
  system: UnitSystem,
): { readonly value: string; readonly unit: string } => {
  const place = placeOf(size, system)
  const { numerator, denominator } = perPlace(size, place)
  return {
    value: shownNumber({
      numerator: total.numerator * denominator,
      denominator: total.denominator * numerator,
    }),
    unit: place.unit,
  }
}

const placeOf = (size: Fraction, system: UnitSystem): Place =>
  places[system][size.numerator < smallestField * size.denominator ? 'bed' : 'field']

const perPlace = (size: Fraction, { squareMetres }: Place): Fraction => ({
  numerator: size.numerator * squareMetres.denominator,
  denominator: size.denominator * squareMetres.numerator,
})

/** Rounded to a square millimetre. */
export function sizeOf(wkt: string): Fraction {
  const { areas } = wkt === '' ? { areas: [] } : shapesOf(parseWkt(wkt))
  const rings = areas.map((area) => area.map((ring) => ring.flatMap(([east, north]) => [Number(east), Number(north)])))
  const size = Math.round(squareMetresOf({ areas: rings }) * perSquareMetre)
  return { numerator: Number.isSafeInteger(size) ? BigInt(size) : 0n, denominator: BigInt(perSquareMetre) }
}

/** A treatment after which a product of some assets is still withheld. */
export interface TreatmentWithholding extends Pick<WithholdingPeriod, 'product' | 'until'> {
  readonly log: NamedRecord
  readonly bundle: string
  readonly assets: readonly NamedRecord[]
}

interface WithholdingQuery {
  readonly now: number
  readonly things: KnownThings
  readonly treated: TreatmentsByAsset
}

/** What is withheld now after the treatments of a report, the first to end first. */
async function withheldAfter(
  snapshot: Snapshot,
  { now, things, treated }: WithholdingQuery,
): Promise<readonly TreatmentWithholding[]> {
  const withheld = await withheldOfAssets(snapshot, [...treated.keys()], atPresent(now))
  const lines = new Map<string, { readonly period: WithholdingPeriod; readonly assets: number[] }>()
  for (const [asset, periods] of withheld) {
    for (const period of periods) {
      if (!treated.get(asset)?.some(({ id }) => id === period.log)) continue
      const key = `${period.log} ${period.product} ${period.until}`
      const line = lines.get(key) ?? { period, assets: [] }
      lines.set(key, line)
      line.assets.push(asset)
    }
  }
  const logs = await recordsByIds(snapshot, 'log', [...new Set([...lines.values()].map(({ period }) => period.log))])
  return [...lines.values()]
    .map(({ period: { product, until, log }, assets }) => ({
      product,
      until,
      log: { id: log, name: nameOf(logs.get(log) ?? { values: {} }) ?? '' },
      bundle: logs.get(log)?.bundle ?? '',
      assets: listedBy(things.assets, assets).map(({ id, name }) => ({ id, name })),
    }))
    .toSorted((one, other) => one.until - other.until || one.log.id - other.log.id)
}
