import type { fieldsOfPlantings } from '../farm/assets/planting.ts'
import { animalBundle, groupBundle, perHeadLabel, withholdingLabels } from '../farm/bundle-names.ts'
import type { harvestFields } from '../farm/logs/harvest.ts'
import type { inputFields } from '../farm/logs/input.ts'
import type { Values, ValuesOfFields } from '../fields/value.ts'
import { areasOfSite, quantitiesOf } from '../history/implications.ts'
import type { Snapshot } from '../storage/database.ts'
import { type Arrival, areasAt, areasOverTime } from '../storage/history/asset-timelines.ts'
import { type StaySpan, staysOfAssets } from '../storage/history/withholding-rows.ts'
import type { LogBetween } from '../storage/records/logs-between.ts'
import { recordsByIds, termNames } from '../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { kindOfAmount, type MeasuredIn, type MeasuredQuantity } from './amounts.ts'
import { summandOf } from './exact-sum.ts'
import { measureOfUnit } from './units.ts'

/** The facts of a log that reports use. Ids are sorted and unique. */
export interface LogFacts {
  readonly id: number
  readonly timestamp: number
  readonly bundle: string
  readonly subject: LogSubject
  readonly areas: readonly number[]
  /** Groups it names, and those its animals were in then; only learnt for harvests without a planting. */
  readonly herds: readonly number[]
  readonly materials: readonly number[]
  readonly hasLot: boolean
  readonly measured: readonly MeasuredQuantity[]
}

export function factsOf({ id, timestamp, values }: LogBetween, bundle: string, things: KnownThings): LogFacts {
  const subject = things.subjectOf(assetsIn(values))
  const site = areasOfSite(values)
  const stood = subject.plantings.length > 0 ? subject.plantings : subject.assets
  return {
    id,
    timestamp,
    bundle,
    subject,
    areas: inOrder(site.length > 0 ? site : things.areasOf(stood, timestamp)),
    herds: subject.plantings.length > 0 ? none : things.herdsOf(subject.assets, timestamp),
    materials: inOrder(materialsIn(values)),
    hasLot: hasLot(values),
    measured: measuredIn(values, things),
  }
}

/** Entries made more than seven days after their day say when they were made. */
export const isEnteredLate = ({ created, timestamp }: { readonly created: number; readonly timestamp: number }) =>
  created > timestamp + 7 * 86_400

/** Quantities with a value; others cannot be added up. */
export function measuredIn(values: LogBetween['values'], things: KnownThings): readonly MeasuredQuantity[] {
  const found: MeasuredQuantity[] = []
  for (const { measure, label, unit, value, fraction, material_type } of quantitiesOf(values)) {
    if (typeof value !== 'string' || value === '' || unsummedLabels.has(textIn(label))) continue
    const words = things.wordsOf(textIn(measure), textIn(label), typeof unit === 'number' ? unit : 0)
    found.push({
      measure: words.measure,
      label: words.label,
      unit: words.unit,
      kind: words.kind,
      value,
      summand: summandOf(value),
      fraction: typeof fraction === 'string' ? fraction : undefined,
      materials: (material_type as readonly number[] | undefined) ?? none,
    })
  }
  return found
}

/** A size treated is no amount of what was put on. */
export const isNoSize = ({ measure }: MeasuredQuantity): boolean => measure !== 'area'

/** How long something is withheld, and what each animal got, are in no sum. */
const unsummedLabels: ReadonlySet<string> = new Set([...Object.values(withholdingLabels), perHeadLabel])

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export interface KnownAsset {
  readonly id: number
  readonly name: string
  readonly bundle: string
  /** Empty for an asset that is no planting. */
  readonly crops: readonly number[]
  /** The asset's own geometry, independent of movements. */
  readonly geometry: string
}

/** The assets of a log; logs of the same assets share one object. */
export interface LogSubject {
  readonly assets: readonly number[]
  /** Assets that have crops. */
  readonly plantings: readonly number[]
  readonly crops: readonly number[]
  readonly types: readonly string[]
  /** Keys: equal for logs of the same crops, and of the same assets. */
  readonly kindOfCrop: string
  readonly kindOfAsset: string
}

type Words = MeasuredIn & { readonly kind: string }

// The cast is safe: the catalogue defines the values of an asset.
type PlantingValues = ValuesOfFields<typeof fieldsOfPlantings>

/** Records that logs refer to, looked up once for a whole report. */
export class KnownThings {
  readonly assets = new Map<number, KnownAsset>()
  readonly units = new Map<number, string>()
  /** By the id of one asset, or the ids of several. */
  readonly #subjects = new Map<number | string, LogSubject>()
  readonly #timelines = new Map<number, readonly Arrival[]>()
  readonly #herds = new Map<number, readonly StaySpan[]>()
  readonly #words = new Map<string, Words>()
  readonly #until: number

  constructor(until: number) {
    this.#until = until
  }

  async learn(snapshot: Snapshot, logs: readonly LogBetween[]): Promise<void> {
    const [assets, movers, units] = [new Set<number>(), new Set<number>(), new Set<number>()]
    for (const { values } of logs) {
      const isPlaceless = areasOfSite(values).length === 0
      for (const asset of assetsIn(values)) {
        if (!this.assets.has(asset)) assets.add(asset)
        if (isPlaceless && !this.#timelines.has(asset)) movers.add(asset)
      }
      for (const { unit } of quantitiesOf(values))
        if (typeof unit === 'number' && !this.units.has(unit)) units.add(unit)
    }
    await this.learnAssets(snapshot, assets)
    for (const [asset, timeline] of await areasOverTime(snapshot, unknownIn(this.#timelines, movers), this.#until))
      this.#timelines.set(asset, timeline)
    for (const [unit, name] of await termNames(snapshot, unknownIn(this.units, units))) this.units.set(unit, name)
  }

  /** The groups of animals that these logs name. */
  async learnHerds(snapshot: Snapshot, logs: readonly LogBetween[]): Promise<void> {
    const animals = new Set(logs.flatMap(({ values }) => assetsIn(values)).filter((id) => this.#isOf(id, animalBundle)))
    const unknown = unknownIn(this.#herds, animals)
    const stays = await staysOfAssets(snapshot, unknown, { kind: 'membership', until: this.#until })
    for (const id of unknown) this.#herds.set(id, [])
    for (const stay of stays) this.#herds.set(stay.asset, [...(this.#herds.get(stay.asset) ?? []), stay])
    await this.learnAssets(snapshot, new Set(stays.map(({ place }) => place)))
  }

  #isOf(asset: number, bundle: string): boolean {
    return this.assets.get(asset)?.bundle === bundle
  }

  /** Groups among these assets, and those that the others were members of at that second. */
  herdsOf(assets: readonly number[], second: number): readonly number[] {
    const members = assets.flatMap((asset) => this.#herds.get(asset) ?? [])
    const herds = members.filter(({ from, until }) => from <= second && second < until).map(({ place }) => place)
    return inOrder([...assets.filter((id) => this.#isOf(id, groupBundle)), ...herds])
  }

  async learnAssets(snapshot: Snapshot, ids: ReadonlySet<number>): Promise<void> {
    const found = await recordsByIds(snapshot, 'asset', unknownIn(this.assets, ids))
    for (const asset of found.values()) this.keepAsset(asset)
  }

  /** An asset that was looked up already. */
  keepAsset(asset: StoredRecord): void {
    const { crop = [], intrinsic_geometry = '' } = asset.values as PlantingValues
    const { id, bundle } = asset
    this.assets.set(id, { id, name: nameOf(asset) ?? '', bundle, crops: crop, geometry: intrinsic_geometry })
  }

  subjectOf(assets: readonly number[]): LogSubject {
    const [only = 0] = assets
    const key = assets.length < 2 ? only : assets.join()
    const known = this.#subjects.get(key)
    if (known !== undefined) return known
    const subject = this.#newSubject(inOrder(assets))
    this.#subjects.set(key, subject)
    return subject
  }

  #newSubject(assets: readonly number[]): LogSubject {
    const known = assets.flatMap((asset) => this.assets.get(asset) ?? [])
    const plantings = known.filter(({ crops }) => crops.length > 0)
    const crops = inOrder(plantings.flatMap((planting) => planting.crops))
    const types = [...new Set(known.map(({ bundle }) => bundle))].toSorted()
    return {
      assets,
      plantings: plantings.map(({ id }) => id),
      crops,
      types,
      // Logs without a planting are grouped by asset type.
      kindOfCrop: crops.length > 0 ? `crop ${crops.join()}` : `type ${types.join()}`,
      kindOfAsset: `asset ${assets.join()}`,
    }
  }

  wordsOf(measure: string, label: string, unit: number): Words {
    const key = `${unit} ${measure}\n${label}`
    const known = this.#words.get(key)
    if (known !== undefined) return known
    const word = this.units.get(unit) ?? ''
    const measured = { measure: measure === '' ? (measureOfUnit(word) ?? '') : measure, label, unit: word }
    const words = { ...measured, kind: kindOfAmount(measured) }
    this.#words.set(key, words)
    return words
  }

  /** The areas of these assets at that second. */
  areasOf(assets: readonly number[], second: number): readonly number[] {
    return assets.flatMap((asset) => areasAt(this.#timelines.get(asset) ?? [], second))
  }
}

const unknownIn = (known: ReadonlyMap<number, unknown>, ids: ReadonlySet<number>): readonly number[] =>
  [...ids].filter((id) => !known.has(id))

// The cast is safe: the catalogue defines the values of a log; other log types lack these fields.
const asLog = (values: Values) => values as ValuesOfFields<typeof harvestFields> & ValuesOfFields<typeof inputFields>

export const assetsIn = (values: Values): readonly number[] => asLog(values).asset ?? none

const materialsIn = (values: Values): readonly number[] => asLog(values).material ?? none

const hasLot = (values: Values): boolean => (asLog(values).lot_number ?? '').trim() !== ''

const none: readonly number[] = []

/** Sorted and unique. */
const inOrder = (ids: readonly number[]): readonly number[] =>
  ids.length < 2 ? ids : [...new Set(ids)].toSorted((one, other) => one - other)
