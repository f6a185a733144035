import { perHeadLabel } from '../../farm/bundle-names.ts'
import type { inputFields } from '../../farm/logs/input.ts'
import type { medicalFields } from '../../farm/logs/medical.ts'
import type { seedingFields } from '../../farm/logs/seeding.ts'
import type { purchaseFields, saleFields } from '../../farm/logs/trade.ts'
import { dayAt, spelledDay } from '../../fields/day.ts'
import type { Values, ValuesOfFields } from '../../fields/value.ts'
import { areasOfSite, assetsOf, quantitiesOf } from '../../history/implications.ts'
import { labels } from '../../history/withholding.ts'
import type { Records } from '../../records/records.ts'
import { findAccounts } from '../../storage/access/account-rows.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type LogBetween, type LogNote, logsBetween, notesOfLogs } from '../../storage/records/logs-between.ts'
import { recordsByIds, termNames } from '../../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { isEnteredLate, KnownThings } from '../log-facts.ts'
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

/** The done logs of these types in the period, in order of time. */
export async function registerLogs(
  snapshot: Snapshot,
  installation: Records,
  { asked, bundles }: { readonly asked: LogSelection; readonly bundles: readonly string[] },
): Promise<readonly RegisterLog[]> {
  const conditions = await conditionsOf(snapshot, installation, asked.filters)
  const found: RegisterLog[] = []
  for (const bundle of bundles)
    for await (const logs of logsBetween(snapshot, {
      bundle,
      status: 'done',
      from: asked.from,
      to: asked.to,
      conditions,
    }))
      for (const log of logs) found.push({ ...log, bundle })
  return found.toSorted((one, other) => one.timestamp - other.timestamp || one.id - other.id)
}

/** Everything that the logs of a register name, looked up once. */
export class RegisterNames {
  readonly things: KnownThings
  readonly assets: ReadonlyMap<number, StoredRecord>
  readonly #terms: ReadonlyMap<number, StoredRecord>
  readonly #notes: ReadonlyMap<number, LogNote>
  readonly #people: ReadonlyMap<number, string>
  readonly #zone: string

  private constructor(known: {
    readonly things: KnownThings
    readonly assets: ReadonlyMap<number, StoredRecord>
    readonly terms: ReadonlyMap<number, StoredRecord>
    readonly notes: ReadonlyMap<number, LogNote>
    readonly people: ReadonlyMap<number, string>
    readonly zone: string
  }) {
    this.things = known.things
    this.assets = known.assets
    this.#terms = known.terms
    this.#notes = known.notes
    this.#people = known.people
    this.#zone = known.zone
  }

  static async of(
    snapshot: Snapshot,
    logs: readonly RegisterLog[],
    { zone, until, more = [] }: { readonly zone: string; readonly until: number; readonly more?: readonly number[] },
  ): Promise<RegisterNames> {
    const things = new KnownThings(until)
    await things.learn(snapshot, logs)
    const ids = logs.flatMap(({ values }) => [
      ...assetsOf(values),
      ...(asLog(values).equipment ?? []),
      ...(asLog(values).inventory ?? []).flatMap(({ asset }) => asset ?? []),
    ])
    const assets = await recordsByIds(snapshot, 'asset', [...new Set([...ids, ...more])])
    const named = [...assets.values()].flatMap(({ values }) => [
      ...((values.crop as readonly number[] | undefined) ?? []),
      ...(typeof values.animal_type === 'number' ? [values.animal_type] : []),
    ])
    const areas = logs.flatMap((log) => areasOf(log, things))
    const ofLogs = logs.flatMap(({ values }) => [
      ...(asLog(values).material ?? []),
      ...(asLog(values).movement?.area ?? []),
      ...quantitiesOf(values).flatMap(({ material_type }) => (material_type as readonly number[] | undefined) ?? []),
    ])
    const terms = await recordsByIds(snapshot, 'term', [...new Set([...named, ...areas, ...ofLogs])])
    const notes = await notesOfLogs(
      snapshot,
      logs.map(({ id }) => id),
    )
    const uids = [...notes.values()].map(({ uid }) => uid)
    const owners = logs.flatMap(({ values }) => asLog(values).log_owner ?? [])
    const accounts = await findAccounts(snapshot, [...new Set([...uids, ...owners])])
    const people = new Map(accounts.map(({ uid, name }) => [uid, name]))
    return new RegisterNames({ things, assets, terms, notes, people, zone })
  }

  term(id: number): StoredRecord | undefined {
    return this.#terms.get(id)
  }

  terms(ids: Iterable<number>): string {
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

  crops(assets: Iterable<number>): readonly number[] {
    return [...assets].flatMap((id) => (this.assets.get(id)?.values.crop as readonly number[] | undefined) ?? [])
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
    return spelledDay(dayAt(second, this.#zone))
  }

  /** Amounts as they were written, without times of withholding and doses per head. */
  amounts(values: Values, isWanted: (label: string, measure: string) => boolean = isAmount): readonly string[] {
    return quantitiesOf(values).flatMap(({ value, unit, label, measure }) => {
      if (typeof value !== 'string' || value === '' || !isWanted(textIn(label), textIn(measure))) return []
      return [[value, this.things.units.get(Number(unit)) ?? ''].filter((one) => one !== '').join(' ')]
    })
  }
}

const nobody = { values: {} } as StoredRecord

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whether a quantity says how much was put on or given. */
export const isAmount = (label: string, measure: string): boolean =>
  label !== perHeadLabel && !labels.includes(label) && measure !== 'area'

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
