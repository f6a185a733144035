import { animalBundle, groupBundle, perHeadLabel } from '../../farm/bundle-names.ts'
import type { inputFields } from '../../farm/logs/input.ts'
import type { medicalFields } from '../../farm/logs/medical.ts'
import type { seedingFields } from '../../farm/logs/seeding.ts'
import type { purchaseFields, saleFields } from '../../farm/logs/trade.ts'
import { dayAt, spelledDay } from '../../fields/day.ts'
import type { Values, ValuesOfFields } from '../../fields/value.ts'
import { areasOfSite, assetsOf, quantitiesOf } from '../../history/implications.ts'
import type { Records } from '../../records/records.ts'
import { findAccounts } from '../../storage/access/account-rows.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type LogBetween, type LogNote, logsBetween, notesOfLogs } from '../../storage/records/logs-between.ts'
import { recordsByIds, termNames } from '../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import type { MeasuredQuantity } from '../amounts.ts'
import { isEnteredLate, isNoSize, KnownThings, measuredIn } from '../log-facts.ts'
import type { RegisterColumn } from '../report-names.ts'
import { conditionsOf, type LogSelection } from '../totals.ts'
import type { UnitSystem } from '../units.ts'

/** What a register is asked, and how it is worded. */
export interface RegisterRequest {
  readonly asked: LogSelection
  readonly zone: string
  readonly now: number
  readonly units: UnitSystem
  readonly say: RegisterWords
}

/** Texts of the reader's language: `product.milk`, `since.unknown`. */
export type RegisterWords = (key: string, values?: Readonly<Record<string, string>>) => string

/** One line of a register. Cells are text; days are written as 2026-05-01. */
export interface RegisterRow {
  readonly cells: Readonly<Partial<Record<RegisterColumn, string>>>
  /** The logs that say so; none where only an asset does. */
  readonly logs: readonly number[]
  /** Columns that this line should have and does not. */
  readonly missing: readonly RegisterColumn[]
}

/** A sum below a register: of one product, or of one species. */
export interface RegisterSum {
  readonly of: string
  readonly amount: string
  readonly size: string
  readonly rate: string
  readonly logs: readonly number[]
}

export interface Register {
  readonly rows: readonly RegisterRow[]
  readonly sums: readonly RegisterSum[]
}

/** How a register is worked out. */
export type RegisterWork = (snapshot: Snapshot, installation: Records, request: RegisterRequest) => Promise<Register>

/** A log of any type that registers read. */
export interface RegisterLog extends LogBetween {
  readonly bundle: string
}

// The values of a log are what the catalogue says; of another type they are missing.
type AnyValues = Partial<
  ValuesOfFields<typeof inputFields> &
    ValuesOfFields<typeof medicalFields> &
    ValuesOfFields<typeof saleFields> &
    ValuesOfFields<typeof purchaseFields> &
    ValuesOfFields<typeof seedingFields>
>
export const asLog = (values: Values): AnyValues => values as AnyValues

interface RegisterPeriod {
  readonly asked: LogSelection
  readonly bundles: readonly string[]
}

/** The done logs of these types in the period, in order of time. */
export async function registerLogs(
  snapshot: Snapshot,
  installation: Records,
  period: RegisterPeriod,
): Promise<readonly RegisterLog[]> {
  const found: RegisterLog[] = []
  for await (const logs of registerPages(snapshot, installation, period)) found.push(...logs)
  return found.toSorted(byTime)
}

/** The same one type after the other, some at a time: their values can be dropped before the next are read. */
export async function* registerPages(
  snapshot: Snapshot,
  installation: Records,
  { asked: { from, to, filters }, bundles }: RegisterPeriod,
): AsyncGenerator<readonly RegisterLog[]> {
  const conditions = await conditionsOf(snapshot, installation, filters)
  for (const bundle of bundles)
    for await (const logs of logsBetween(snapshot, { bundle, status: 'done', from, to, conditions }))
      yield logs.map(({ id, timestamp, values }) => ({ id, timestamp, values, bundle }))
}

type LogTime = Pick<RegisterLog, 'id' | 'timestamp'>

export const byTime = (one: LogTime, other: LogTime): number => one.timestamp - other.timestamp || one.id - other.id

interface NameOptions {
  readonly zone: string
  readonly until: number
  /** Left out by registers without names, authors and times of entry of logs. */
  readonly notes?: 'left out'
}

/** Everything that the logs of a register name, looked up once. */
export class RegisterNames {
  readonly things: KnownThings
  readonly assets = new Map<number, StoredRecord>()
  readonly #terms = new Map<number, StoredRecord>()
  #notes: ReadonlyMap<number, LogNote> = new Map()
  readonly #people = new Map<number, string>()
  readonly #days = new Map<number, string>()
  readonly #options: NameOptions

  constructor(options: NameOptions) {
    this.things = new KnownThings(options.until)
    this.#options = options
  }

  static async of(
    snapshot: Snapshot,
    logs: readonly RegisterLog[],
    { more = [], ...options }: NameOptions & { readonly more?: readonly number[] },
  ): Promise<RegisterNames> {
    const names = new RegisterNames(options)
    await names.learnAssets(snapshot, more)
    await names.learn(snapshot, logs)
    return names
  }

  /** Learns the names of these logs; the notes of earlier ones are forgotten. */
  async learn(snapshot: Snapshot, logs: readonly RegisterLog[]): Promise<void> {
    const [assets, terms, owners] = [new Set<number>(), new Set<number>(), new Set<number>()]
    const add = (ids: Set<number>, more: readonly number[] = []) => {
      for (const id of more) ids.add(id)
    }
    for (const log of logs) {
      const { equipment, inventory = [], material, movement, log_owner } = asLog(log.values)
      add(assets, assetsOf(log.values))
      add(assets, equipment)
      for (const { asset } of inventory) if (asset !== undefined) assets.add(asset)
      add(terms, material)
      add(terms, movement?.area)
      for (const { material_type } of quantitiesOf(log.values))
        add(terms, material_type as readonly number[] | undefined)
      add(owners, log_owner)
    }
    await this.learnAssets(snapshot, [...assets])
    await this.things.learn(snapshot, logs)
    for (const log of logs) add(terms, areasOf(log, this.things))
    await this.#learnTerms(snapshot, terms)
    if (this.#options.notes === 'left out') return
    const ids = logs.map(({ id }) => id)
    this.#notes = await notesOfLogs(snapshot, ids)
    for (const { uid } of this.#notes.values()) owners.add(uid)
    const strangers = [...owners].filter((uid) => !this.#people.has(uid))
    for (const { uid, name } of await findAccounts(snapshot, strangers)) this.#people.set(uid, name)
  }

  /** Learns assets with their crops and species. */
  async learnAssets(snapshot: Snapshot, ids: readonly number[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.assets.has(id))
    const terms = new Set<number>()
    for (const [id, asset] of await recordsByIds(snapshot, 'asset', unknown)) {
      this.assets.set(id, asset)
      this.things.keepAsset(asset)
      for (const crop of cropsOf(asset)) terms.add(crop)
      if (typeof asset.values.animal_type === 'number') terms.add(asset.values.animal_type)
    }
    await this.#learnTerms(snapshot, terms)
  }

  async #learnTerms(snapshot: Snapshot, ids: ReadonlySet<number>): Promise<void> {
    const unknown = [...ids].filter((id) => !this.#terms.has(id))
    for (const [id, term] of await recordsByIds(snapshot, 'term', unknown)) this.#terms.set(id, term)
  }

  term(id: number): StoredRecord | undefined {
    return this.#terms.get(id)
  }

  terms(ids: readonly number[]): string {
    const [only] = ids
    if (only === undefined) return ''
    if (ids.length === 1) return nameOf(this.#terms.get(only) ?? nobody) ?? ''
    return [...new Set(ids)].flatMap((id) => nameOf(this.#terms.get(id) ?? nobody) ?? []).join(', ')
  }

  /** Names, each with its tags. */
  tagged(ids: Iterable<number>): string {
    return [...new Set(ids)]
      .flatMap((id) => this.assets.get(id) ?? [])
      .map((asset) =>
        [nameOf(asset) ?? '', ...tagsOf(asset)].filter((one, at, all) => all.indexOf(one) === at).join(' '),
      )
      .join(', ')
  }

  crops(assets: readonly number[]): readonly number[] {
    const [only] = assets
    if (assets.length > 1) return assets.flatMap((id) => cropsOf(this.assets.get(id)))
    return only === undefined ? none : cropsOf(this.assets.get(only))
  }

  /** The people a log is assigned to, else its author. */
  who({ id, values }: RegisterLog): string {
    const owners = asLog(values).log_owner ?? []
    const uids = owners.length > 0 ? owners : [this.#notes.get(id)?.uid ?? 0]
    return uids.flatMap((uid) => this.#people.get(uid) ?? []).join(', ')
  }

  nameOfLog(id: number): string {
    return this.#notes.get(id)?.name ?? ''
  }

  /** The day of a late entry; empty for one in time. */
  enteredLate({ id, timestamp }: RegisterLog): string {
    const created = this.#notes.get(id)?.created ?? 0
    return isEnteredLate({ created, timestamp }) ? this.day(created) : ''
  }

  day(second: number): string {
    const day = dayAt(second, this.#options.zone)
    const known = this.#days.get(day) ?? spelledDay(day)
    this.#days.set(day, known)
    return known
  }

  /** How much was put on, given or harvested: no size treated, no time of withholding, no dose per head. */
  measured(values: Values): readonly MeasuredQuantity[] {
    return measuredIn(values, this.things).filter(isNoSize)
  }

  /** The same as it was written. */
  amounts(values: Values): readonly string[] {
    return this.measured(values).map(({ value, unit }) => `${value} ${unit}`.trim())
  }

  /** The dose of each animal. */
  dosesPerHead(values: Values): readonly string[] {
    return quantitiesOf(values).flatMap(({ value, unit, label }) =>
      label === perHeadLabel && typeof value === 'string'
        ? [`${value} ${this.things.units.get(Number(unit)) ?? ''}`.trim()]
        : [],
    )
  }

  /** True for a log about animals alone: nothing of it was put on or taken from the place where they were. */
  isOfAnimals(assets: readonly number[]): boolean {
    return assets.length > 0 && assets.every((id) => ofAnimals.includes(this.assets.get(id)?.bundle ?? ''))
  }
}

const nobody = { values: {} } as StoredRecord
const none: readonly number[] = []

const cropsOf = (asset: StoredRecord | undefined): readonly number[] =>
  (asset?.values.crop as readonly number[] | undefined) ?? none

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

export const ofAnimals: readonly string[] = [animalBundle, groupBundle]

export const tagsOf = ({ values }: StoredRecord): readonly string[] =>
  ((values.tag as readonly { readonly id?: string }[] | undefined) ?? []).flatMap(({ id }) => (id ? [id] : []))

/** Where a log took place: its areas, else where its assets stood then. */
export function areasOf({ values, timestamp }: RegisterLog, things: KnownThings): readonly number[] {
  const site = areasOfSite(values)
  if (site.length > 0) return site
  const moved = asLog(values).movement?.area ?? []
  return moved.length > 0 ? moved : [...new Set(things.areasOf(assetsOf(values), timestamp))]
}

/** What is said in the notes after one of these words and a colon, where no field has it. */
export function noted(values: Values, words: RegExp): string {
  const notes = (values.notes as { readonly value?: string } | undefined)?.value ?? ''
  for (const line of notes.split(/\r?\n/)) {
    const [, said = ''] = words.exec(line.trim()) ?? []
    if (said.trim() !== '') return said.trim()
  }
  return ''
}

/** The names of units that withholding times are written in. */
export const unitNames = (snapshot: Snapshot, units: Iterable<number>): Promise<ReadonlyMap<number, string>> =>
  termNames(snapshot, [...new Set(units)])

/** The columns of a row that are asked for and empty. */
export const missingIn = (cells: RegisterRow['cells'], needed: readonly RegisterColumn[]): readonly RegisterColumn[] =>
  needed.filter((column) => (cells[column] ?? '') === '')
