import { readFileSync } from 'node:fs'
import { Refusal } from '../../src/refusal.ts'
import { demoFolder } from '../../src/shipped-folders.ts'
import type { FarmPoint } from './coordinates.ts'

export type Range = readonly [least: number, most: number]
type AmountRange = readonly [...Range, unit: string]

/** The name of a job with placeholders such as `{crop}`, and its materials. */
interface Job {
  readonly name: string
  readonly equipment: readonly string[]
}

export interface AreaPlan {
  readonly name: string
  readonly type: string
  readonly within?: string
  readonly about?: string
  readonly plot?: readonly [FarmPoint, FarmPoint]
  readonly polygon?: readonly [FarmPoint, ...FarmPoint[]]
  readonly line?: readonly FarmPoint[]
  readonly point?: FarmPoint
}

/** Areas side by side, numbered from 1. */
export interface AreaRow {
  readonly name: string
  readonly count: number
  readonly type: string
  readonly within: string
  readonly corner: FarmPoint
  readonly size: FarmPoint
  readonly columns: number
  readonly step: FarmPoint
}

export interface Crop {
  readonly name: string
  readonly family: string
  readonly where: 'garden' | 'tunnel' | 'field'
  /** The month of sowing. */
  readonly sownIn: number
  readonly isSownTwice?: true
  /** Its position in the field rotation; potatoes and pumpkins have half a field each. */
  readonly turn?: number
  /** Days from sowing to the first harvest. */
  readonly maturity: number
  /** Days under glass before planting out; missing if sown in place. */
  readonly nursery?: number
  /** Amount sown per place. */
  readonly sown: AmountRange
  /** Amount per harvest. */
  readonly yields: AmountRange
  readonly picks: number
  /** Days between harvests. */
  readonly between: number
  /** Height at harvest, in centimetres. */
  readonly height: number
  readonly covered?: 'Insect netting' | 'Straw mulch'
  readonly companions?: readonly string[]
  readonly isDrilled?: true
  /** Drilled crops close their rows by themselves; potatoes, pumpkins and maize are hoed. */
  readonly isHoed?: false
  readonly sowing?: string
  readonly hoeing?: string
  readonly harvesting?: string
}

type Bed = 'garden' | 'tunnel'

interface GardenWords {
  readonly crops: readonly Crop[]
  /** The place of the beds. */
  readonly beds: Readonly<Record<Bed, string>>
  readonly fields: readonly [string, ...string[]]
  readonly nursery: string
  readonly seedSources: readonly [string, ...string[]]
  readonly drill: readonly string[]
  readonly hoe: readonly string[]
  readonly tillage: Readonly<Record<'bed' | 'field', readonly (Job & { days: number; hours: Range })[]>>
  readonly clearing: Readonly<Record<'bed' | 'field', Job>>
  readonly weeding: Readonly<Record<Bed, { days: readonly number[]; hours: Range; equipment: readonly string[] }>>
  /** Sacks of 50 kg, and the cubic metres that they take from the windrow. */
  readonly compost: Readonly<Record<Bed, { sacks: Range; taken: string }>>
  /** In square metres. */
  readonly covered: Readonly<Record<Bed, number>>
  readonly coverings: Readonly<Record<NonNullable<Crop['covered']>, { name: string; purpose: string }>>
  readonly remarks: Readonly<Record<Crop['where'], readonly [Remark, ...Remark[]]>>
  readonly texts: Texts<'sowing' | 'plantingOut' | 'weeding' | 'compost' | 'hoeing' | 'check' | 'harvesting'>
}

interface Remark {
  readonly text: string
  readonly rating: Range
  readonly flags: readonly string[]
}

export type BreedName = 'cattle' | 'sheep' | 'hens' | 'pigs'

interface BreedTraits {
  readonly name: string
  readonly group: string
  readonly young?: Youth
}

/** Ages in days, weights in kilograms. */
export interface Youth {
  readonly group: string
  readonly sire: string
  readonly weaned: number
  readonly grown: number
  readonly newborn: Range
  readonly weight: number
  /** Daily gain. */
  readonly gain: number
  readonly weighedAt: readonly number[]
}

interface AnimalWords {
  readonly breeds: Readonly<Record<BreedName, BreedTraits> & Record<'cattle' | 'sheep', { young: Youth }>>
  readonly founders: readonly { breed: BreedName; sex: 'F' | 'M'; names: readonly string[] }[]
  readonly calves: Readonly<Record<'F' | 'M', readonly string[]>>
  readonly nicknames: Readonly<Record<string, string>>
  readonly texts: Texts<'birth' | 'weaning' | 'grown' | 'weighing' | 'sale' | 'lamb'>
}

export interface Chore {
  readonly name: string
  readonly place?: string
}

interface ChoreWords {
  /** Other chores, once in each month from January to December. */
  readonly months: Readonly<Record<string, readonly Chore[]>>
  /** Overdue chores by days overdue, and chores due today, in any season. */
  readonly late: readonly (Chore & { days: number })[]
  readonly dueToday: readonly Chore[]
}

export interface Herd {
  readonly group: string
  readonly house: string
  readonly pastures: readonly string[]
  /** Days on one pasture. */
  readonly stay: number
  /** Turnout date, if not in April. */
  readonly turnout?: readonly [month: number, date: number]
}

interface Visit {
  readonly name: string
  readonly month: number
  readonly date: number
  readonly given?: Medicine
}

/** A medicine: millilitres for each animal, and days that products are withheld. */
export interface Medicine {
  readonly vet: string
  readonly product: string
  readonly each: number
  readonly batch: string
  readonly reason: string
  readonly withheld: Readonly<Record<string, number>>
}

interface Yield {
  readonly name: string
  readonly group: string
  readonly equipment?: readonly string[]
  readonly everyDays: number
  /** Days after the farm's first day. */
  readonly from: number
  readonly hours: Range
  readonly summer: Range
  readonly winter: Range
  readonly measure: string
  readonly unit: string
}

interface Ration {
  readonly name: string
  readonly group: string
  readonly material: string
  readonly amount: AmountRange
  readonly everyDays: number
  readonly months?: Range
}

interface HerdWords {
  readonly herds: readonly Herd[]
  readonly visits: readonly Visit[]
  readonly rounds: readonly (Visit & { group: string })[]
  readonly shearing: Visit & { group: string }
  readonly yields: readonly Yield[]
  readonly rations: readonly Ration[]
  readonly texts: Texts<'forming' | 'move'>
}

interface Machine {
  readonly name: string
  readonly manufacturer: string
  readonly model: string
  readonly serial: string
  readonly place: string
  readonly flags?: readonly string[]
  readonly upkeep: readonly Upkeep[]
}

/** A maintenance job of a machine, its interval and its cost. */
interface Upkeep {
  readonly what: string
  readonly everyDays: number
  /** Only in its months of use. */
  readonly months?: Range
  readonly francs: Range
}

export interface Sensor {
  readonly name: string
  readonly place: string
  readonly measure: string
  readonly unit: string
  /** Shows tenths. */
  readonly isFine?: true
  /** Readings for each month of an average year. */
  readonly months: readonly Range[]
}

interface YardWords {
  readonly machines: readonly Machine[]
  readonly sensors: readonly Sensor[]
  readonly laboratory: string
  /** Sampling points for soil, well inside each place. */
  readonly soils: readonly { place: string; at: FarmPoint; name: string }[]
  readonly waters: readonly string[]
  readonly haymaking: { readonly place: string; readonly mowing: Job; readonly baling: Job & { bales: Range } }
  readonly compost: {
    readonly windrows: readonly string[]
    readonly about: string
    readonly place: string
    readonly setUp: string
    readonly turning: Job
    readonly spreading: Job
  }
  readonly texts: Texts<'placing' | 'reading' | 'soilTest' | 'waterTest'>
}

type Texts<Name extends string> = Readonly<Record<Name, string>>

/** All names of the demo farm: the files of examples/demo. */
export interface DemoWords {
  readonly areas: { readonly farm: string; readonly land: readonly AreaPlan[]; readonly rows: readonly AreaRow[] }
  readonly garden: GardenWords
  readonly animals: AnimalWords
  readonly chores: ChoreWords
  readonly herds: HerdWords
  readonly yard: YardWords
}

export const readWords = (): DemoWords => ({
  areas: read('areas'),
  garden: read('garden'),
  animals: read('animals'),
  chores: read('chores'),
  herds: read('herds'),
  yard: read('yard'),
})

function read<Name extends keyof DemoWords>(name: Name): DemoWords[Name] {
  try {
    return JSON.parse(readFileSync(new URL(`${name}.json`, demoFolder), 'utf8'))
  } catch (cause) {
    const advice = 'Install Furrow again, with its folder `examples`.'
    throw new Refusal('not-found', `The words of the demo farm are missing from this installation. ${advice}`, {
      cause,
    })
  }
}

/** Fills the placeholders of a text. */
export const fillText = (text: string, names: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(names[name]))
