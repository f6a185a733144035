import type { fieldsOfPlantings } from '../farm/assets/planting.ts'
import type { ValuesOfFields } from '../fields/value.ts'
import { areasOfSite, quantitiesOf } from '../history/log-parts.ts'
import type { Snapshot } from '../storage/database.ts'
import { type Arrival, areasAt, areasOverTime } from '../storage/history/asset-timelines.ts'
import type { LogBetween } from '../storage/records/logs-between.ts'
import { recordsByIds, termNames } from '../storage/records/record-rows.ts'
import { nameOf } from '../storage/records/stored.ts'
import { kindOfAmount, type MeasuredIn } from './amounts.ts'
import { inOrder } from './in-order.ts'
import { assetsIn } from './log-values.ts'
import { measureOfUnit } from './units.ts'

export interface KnownAsset {
  readonly id: number
  readonly name: string
  readonly bundle: string
  /** Of a planting; others have none. */
  readonly crops: readonly number[]
  /** Its own, whatever moved it. */
  readonly geometry: string
}

/** What the assets of a log are; logs of the same assets share one. */
export interface Subject {
  readonly assets: readonly number[]
  /** Those that have crops. */
  readonly plantings: readonly number[]
  readonly crops: readonly number[]
  /** The types of the assets. */
  readonly types: readonly string[]
  /** What logs of the same crops, and of the same assets, have in common. */
  readonly kindOfCrop: string
  readonly kindOfAsset: string
}

/** What quantities of one kind say. */
type Words = MeasuredIn & { readonly kind: string }

// The values of an asset are what the catalogue says.
type Planting = ValuesOfFields<typeof fieldsOfPlantings>

/** What logs name, looked up once for a whole report. */
export class KnownThings {
  readonly assets = new Map<number, KnownAsset>()
  readonly units = new Map<number, string>()
  /** By the number of the asset, or those of several. */
  readonly #subjects = new Map<number | string, Subject>()
  readonly #timelines = new Map<number, readonly Arrival[]>()
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

  async learnAssets(snapshot: Snapshot, ids: ReadonlySet<number>): Promise<void> {
    const unknown = unknownIn(this.assets, ids)
    for (const [id, asset] of await recordsByIds(snapshot, 'asset', unknown)) {
      const { crop = [], intrinsic_geometry = '' } = asset.values as Planting
      const { bundle } = asset
      this.assets.set(id, { id, name: nameOf(asset) ?? '', bundle, crops: crop, geometry: intrinsic_geometry })
    }
  }

  subjectOf(assets: readonly number[]): Subject {
    const [only = 0] = assets
    const key = assets.length < 2 ? only : assets.join()
    const known = this.#subjects.get(key)
    if (known !== undefined) return known
    const subject = this.#newSubject(inOrder(assets))
    this.#subjects.set(key, subject)
    return subject
  }

  #newSubject(assets: readonly number[]): Subject {
    const known = assets.flatMap((asset) => this.assets.get(asset) ?? [])
    const plantings = known.filter(({ crops }) => crops.length > 0)
    const crops = inOrder(plantings.flatMap((planting) => planting.crops))
    const types = [...new Set(known.map(({ bundle }) => bundle))].toSorted()
    return {
      assets,
      plantings: plantings.map(({ id }) => id),
      crops,
      types,
      // Without a planting, by asset type.
      kindOfCrop: crops.length > 0 ? `crop ${crops.join()}` : `type ${types.join()}`,
      kindOfAsset: `asset ${assets.join()}`,
    }
  }

  /** What a quantity is measured in, and what it is added up with. */
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

  /** Where these assets stood in that second. */
  areasOf(assets: readonly number[], second: number): readonly number[] {
    return assets.flatMap((asset) => areasAt(this.#timelines.get(asset) ?? [], second))
  }
}

const unknownIn = (known: ReadonlyMap<number, unknown>, ids: ReadonlySet<number>): readonly number[] =>
  [...ids].filter((id) => !known.has(id))
