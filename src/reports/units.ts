import type { Fraction } from '../fields/fraction.ts'
import { trimmedTextKey } from '../fields/key.ts'

/** Case matters here: read as mg, it would be wrong by a factor of 10⁹. */
const misleading = 'Mg'

const unit = (name: string, factor: Fraction, ...words: readonly string[]): KnownUnit => ({
  unit: name,
  factor,
  words: [name, ...words],
})

const times = (numerator: bigint, denominator = 1n): Fraction => ({ numerator, denominator })

/**
 * Units that can be converted, by measure. Ambiguous units stay apart: ton, gallon, pint, quart, bushel, hundredweight,
 * and ounces of a volume.
 */
export const unitWords: Readonly<Record<string, MeasureUnits>> = {
  weight: {
    shown: { metric: ['mg', 'g', 'kg', 't'], us: ['oz', 'lb'] },
    units: [
      unit('kg', times(1n), 'kgs', 'kilo', 'kilos', 'kilogram', 'kilograms', 'kilogramme', 'kilogrammes', 'kilogramm'),
      unit('g', times(1n, 1_000n), 'gr', 'gram', 'grams', 'gramme', 'grammes', 'gramm', 'gramo', 'gramos'),
      unit('mg', times(1n, 1_000_000n), 'milligram', 'milligrams'),
      unit('t', times(1_000n), 'tonne', 'tonnes', 'metric ton', 'metric tons'),
      unit('lb', times(45_359_237n, 100_000_000n), 'lbs', 'pound', 'pounds'),
      unit('oz', times(45_359_237n, 1_600_000_000n), 'ozs', 'ounce', 'ounces'),
    ],
  },
  volume: {
    shown: { metric: ['ml', 'l', 'm³'], us: ['US fl oz', 'US gal'] },
    units: [
      unit('l', times(1n), 'liter', 'liters', 'litre', 'litres', 'litro', 'litros'),
      unit('ml', times(1n, 1_000n), 'milliliter', 'milliliters', 'millilitre', 'millilitres'),
      unit('cl', times(1n, 100n), 'centiliter', 'centilitre'),
      unit('dl', times(1n, 10n), 'deciliter', 'decilitre'),
      unit('hl', times(100n), 'hectoliter', 'hectolitre'),
      unit('m³', times(1_000n), 'm3', 'cubic meter', 'cubic meters', 'cubic metre', 'cubic metres'),
      unit('US gal', times(3_785_411_784n, 1_000_000_000n), 'us gallon', 'us gallons'),
      unit('US fl oz', times(3_785_411_784n, 128_000_000_000n), 'us fluid ounce', 'us fluid ounces'),
      unit('ft³', times(28_316_846_592n, 1_000_000_000n), 'ft3', 'cu ft', 'cubic foot', 'cubic feet'),
    ],
  },
  length: {
    shown: { metric: ['mm', 'cm', 'm', 'km'], us: ['in', 'ft', 'mi'] },
    units: [
      unit('m', times(1n), 'meter', 'meters', 'metre', 'metres', 'metro', 'metros'),
      unit('mm', times(1n, 1_000n), 'millimeter', 'millimeters', 'millimetre', 'millimetres'),
      unit('cm', times(1n, 100n), 'centimeter', 'centimeters', 'centimetre', 'centimetres'),
      unit('km', times(1_000n), 'kilometer', 'kilometers', 'kilometre', 'kilometres'),
      unit('in', times(254n, 10_000n), 'inch', 'inches'),
      unit('ft', times(3_048n, 10_000n), 'foot', 'feet'),
      unit('yd', times(9_144n, 10_000n), 'yds', 'yard', 'yards'),
      unit('mi', times(1_609_344n, 1_000n), 'mile', 'miles'),
    ],
  },
  area: {
    shown: { metric: ['m²', 'ha'], us: ['ft²', 'acre'] },
    units: [
      unit('m²', times(1n), 'm2', 'sqm', 'sq m', 'square meter', 'square meters', 'square metre', 'square metres'),
      unit('ha', times(10_000n), 'hectare', 'hectares', 'hektar'),
      unit('km²', times(1_000_000n), 'km2', 'square kilometer', 'square kilometre'),
      unit('ft²', times(9_290_304n, 100_000_000n), 'ft2', 'sqft', 'sq ft', 'square foot', 'square feet'),
      unit('yd²', times(83_612_736n, 100_000_000n), 'yd2', 'sq yd', 'square yard', 'square yards'),
      unit('acre', times(40_468_564_224n, 10_000_000n), 'acres', 'ac'),
    ],
  },
  time: {
    shown: { metric: ['s', 'min', 'h'], us: ['s', 'min', 'h'] },
    units: [
      unit('h', times(1n), 'hr', 'hrs', 'hour', 'hours', 'stunde', 'stunden', 'hora', 'horas'),
      unit('min', times(1n, 60n), 'mins', 'minute', 'minutes', 'minuten', 'minuto', 'minutos'),
      unit('s', times(1n, 3_600n), 'sec', 'secs', 'second', 'seconds'),
    ],
  },
}

const byWord: ReadonlyMap<string, ReadonlyMap<string, KnownUnit>> = new Map(
  Object.entries(unitWords).map(([measure, { units }]) => [
    measure,
    new Map(units.flatMap((one) => one.words.map((word) => [trimmedTextKey(word), one]))),
  ]),
)

/** The unit of a word in a measure; undefined for an unknown unit. */
export const knownUnit = (measure: string, word: string): KnownUnit | undefined =>
  word.trim() === misleading ? undefined : byWord.get(measure)?.get(trimmedTextKey(word).replace(/\.$/, ''))

/** The measure of a unit; undefined for an unknown unit. No word occurs in two measures. */
export const measureOfUnit = (word: string): string | undefined =>
  [...byWord.keys()].find((measure) => knownUnit(measure, word) !== undefined)

/** The display units: one system throughout, or the units as written if all agree. */
export interface ShownUnits {
  readonly system: UnitSystem
  readonly written: 'kept' | 'converted'
}

/** The display units of a measure, smallest first. */
export function shownUnits(measure: string, system: UnitSystem): readonly KnownUnit[] {
  const units = unitWords[measure]
  return (units?.shown[system] ?? []).flatMap((name) => units?.units.find(({ unit }) => unit === name) ?? [])
}

/** The factor that converts an amount between two units. */
export const factorBetween = (from: KnownUnit, to: KnownUnit): Fraction =>
  reduced({
    numerator: from.factor.numerator * to.factor.denominator,
    denominator: from.factor.denominator * to.factor.numerator,
  })

export function reduced({ numerator, denominator }: Fraction): Fraction {
  const divisor = greatestDivisor(numerator < 0n ? -numerator : numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let [larger, smaller] = [one, other]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

/** Measures that can be summed; temperatures and ratings cannot. */
export const isSummed = (measure: string): boolean => !unsummed.includes(measure)

const unsummed: readonly string[] = [
  'temperature',
  'pressure',
  'water_content',
  'rate',
  'rating',
  'ratio',
  'probability',
  'speed',
]

export type UnitSystem = 'metric' | 'us'

export const unitSystems: readonly UnitSystem[] = ['metric', 'us']

/** A unit that can be converted into others of its measure. */
export interface KnownUnit {
  readonly unit: string
  /** The exact factor to the measure's first unit. */
  readonly factor: Fraction
  /** Accepted spellings; case does not matter. */
  readonly words: readonly string[]
}

interface MeasureUnits {
  /** Display units of a sum, smallest first. */
  readonly shown: Readonly<Record<UnitSystem, readonly string[]>>
  /** Factors are relative to the first. */
  readonly units: readonly KnownUnit[]
}
