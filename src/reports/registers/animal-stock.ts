import { animalBundle, birthBundle, comingAndGoing, purchaseBundle, saleBundle } from '../../farm/bundle-names.ts'
import { sumDecimals } from '../../fields/exact-decimal.ts'
import type { Values } from '../../fields/value.ts'
import { assetsOf, plainCount } from '../../history/implications.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { type CountedChange, inventoryChanges } from '../../storage/history/inventory-rows.ts'
import { firstLogsOf, logsOfCategories } from '../../storage/history/naming-logs.ts'
import { forever } from '../../storage/history/stay-rows.ts'
import { identitiesOf } from '../../storage/identity.ts'
import { type LogPeriod, logsAmong } from '../../storage/records/logs-between.ts'
import { idsOfBundle } from '../../storage/records/record-lookup.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { conditionsOf, type LogSelection } from '../totals.ts'
import { asLog, type RegisterLog, registerLogs } from './register.ts'

/** How an animal came or went. */
export type AnimalEvent = 'born' | 'bought' | 'arrived' | 'sold' | 'died' | 'slaughtered' | 'departed'
const going: readonly AnimalEvent[] = ['sold', 'died', 'slaughtered', 'departed']

/** The terms of the log categories that say how an animal came or went, by their numbers. */
export async function categoriesOf(snapshot: Snapshot): Promise<ReadonlyMap<number, AnimalEvent>> {
  const words = Object.entries(comingAndGoing)
  const found = await identitiesOf(
    snapshot,
    words.map(([, { uuid }]) => uuid),
  )
  return new Map(
    words.flatMap(([event, { uuid }]) => {
      const identity = found.get(uuid)
      return identity?.type === 'term' ? [[identity.number, event as AnimalEvent] as const] : []
    }),
  )
}

interface AnimalLogQuery {
  readonly asked: LogSelection
  readonly categories: ReadonlyMap<number, AnimalEvent>
}

/** The done logs of a period by which animals may come or go, in order of time. */
export async function animalLogs(
  snapshot: Snapshot,
  installation: Records,
  { asked, categories }: AnimalLogQuery,
): Promise<readonly RegisterLog[]> {
  const bundles = [birthBundle, purchaseBundle, saleBundle]
  const typed = await registerLogs(snapshot, installation, { asked, bundles })
  const conditions = await conditionsOf(snapshot, installation, asked.filters)
  const named = await logsAmong(snapshot, await logsOfCategories(snapshot, [...categories.keys()]), conditions)
  const others = named.filter(
    ({ bundle, timestamp }) => !bundles.includes(bundle) && asked.from <= timestamp && timestamp < asked.to,
  )
  return [...typed, ...others].toSorted((one, other) => one.timestamp - other.timestamp || one.id - other.id)
}

export function eventOf(
  { bundle, values }: Pick<RegisterLog, 'bundle' | 'values'>,
  categories: ReadonlyMap<number, AnimalEvent>,
): AnimalEvent | undefined {
  if (bundle === birthBundle) return 'born'
  if (bundle === purchaseBundle) return 'bought'
  if (bundle === saleBundle) return 'sold'
  return (asLog(values).log_category ?? []).map((id) => categories.get(id)).find((event) => event !== undefined)
}

export const archivedOf = ({ values }: StoredRecord): number => Number(values.archived ?? 0)

interface AnimalBeginning {
  readonly since: number | undefined
  /** What says so; unknown where only the first log or the date of birth does. */
  readonly by: 'born' | 'bought' | 'arrived' | 'unknown'
  readonly log?: number
}

interface CountedHead {
  readonly asset: number
  /** Unknown where a log names animals that are counted by head, and not how many. */
  readonly head: string | undefined
}

interface CameOrWent {
  readonly at: number
  readonly log: number
  readonly event: AnimalEvent
}

interface StockFacts {
  readonly animals: ReadonlyMap<number, StoredRecord>
  readonly begins: ReadonlyMap<number, AnimalBeginning>
  readonly events: ReadonlyMap<number, readonly CameOrWent[]>
  readonly changes: ReadonlyMap<number, readonly CountedChange[]>
}

/** A change of a count that no coming or going explains. */
export interface Recount {
  readonly asset: number
  readonly at: number
  readonly log: number
  readonly head: string
}

/** Every animal of the farm, since when it is there, how many heads it stands for, and the logs by which it came and went. */
export class AnimalStock {
  readonly animals: ReadonlyMap<number, StoredRecord>
  readonly #known: StockFacts
  readonly #until: number

  private constructor(known: StockFacts, until: number) {
    this.animals = known.animals
    this.#known = known
    this.#until = until
  }

  static async of(snapshot: Snapshot, installation: Records, second: number): Promise<AnimalStock> {
    const ids = await idsOfBundle(snapshot, 'asset', animalBundle)
    const animals = await recordsByIds(snapshot, 'asset', ids)
    const categories = await categoriesOf(snapshot)
    const always = { from: -forever, to: forever, filters: [] }
    const events = new Map<number, CameOrWent[]>()
    for (const log of await animalLogs(snapshot, installation, { asked: always, categories })) {
      const event = eventOf(log, categories)
      if (event === undefined) continue
      const named = [...assetsOf(log.values), ...inventoryOf(log.values).map(({ asset }) => asset)]
      for (const asset of new Set(named)) keep(events, asset, { at: log.timestamp, log: log.id, event })
    }
    const changes = new Map<number, CountedChange[]>()
    for (const change of await inventoryChanges(snapshot, { type: 'asset', ids }, { now: second, counted: plainCount }))
      keep(changes, change.thing_id, change)
    const firsts = await firstLogsOf(snapshot, ids)
    const begins = new Map<number, AnimalBeginning>()
    for (const [id, { values }] of animals) {
      const came = events.get(id)?.find(({ event }) => !going.includes(event))
      const seen = earliest([firsts.get(id), changes.get(id)?.[0]?.timestamp])
      const born = typeof values.date === 'number' ? values.date : undefined
      // More heads may come to animals that were there before; a single one comes once.
      const isFirst = came !== undefined && (!changes.has(id) || seen === undefined || came.at <= seen)
      if (isFirst) begins.set(id, { since: came.at, by: came.event as 'born' | 'bought' | 'arrived', log: came.log })
      else begins.set(id, { since: earliest([seen, born]), by: 'unknown' })
    }
    return new AnimalStock({ animals, begins, events, changes }, second)
  }

  /** Those that had come by that second and had not gone. */
  there(second: number): readonly StoredRecord[] {
    return [...this.animals.values()].filter((animal) => {
      const { since } = this.beginningOf(animal.id)
      const archived = archivedOf(animal)
      return (
        since !== undefined &&
        since <= second &&
        (archived === 0 || archived > second) &&
        this.headOf(animal.id, second) !== '0'
      )
    })
  }

  beginningOf(id: number): AnimalBeginning {
    return this.#known.begins.get(id) ?? { since: undefined, by: 'unknown' }
  }

  /** One, or as many as its inventory said at that second. */
  headOf(id: number, second: number = this.#until): string {
    const until = (this.#known.changes.get(id) ?? []).filter(({ timestamp }) => timestamp <= second)
    const reset = until.findLastIndex(({ is_reset }) => is_reset === 1)
    return until.length === 0 ? '1' : sumDecimals(until.slice(Math.max(0, reset)).map(({ value }) => value))
  }

  /** True if a log says why it is gone. For counted heads that is a log of the day, else one since it came last. */
  isSentAway(id: number, archived: number): boolean {
    const until = (this.#known.events.get(id) ?? []).filter(({ at }) => at <= archived + day)
    const last = until.at(-1)
    if (last === undefined || !going.includes(last.event)) return false
    return !this.#known.changes.has(id) || last.at >= archived - day
  }

  /** The animals of a log, each with its heads. */
  headsIn({ id, timestamp, values }: RegisterLog): readonly CountedHead[] {
    const said = inventoryOf(values).map(({ asset, value }) => ({ asset, head: value.replace(/^-/, '') }))
    const named = assetsOf(values).filter((asset) => !said.some((one) => one.asset === asset))
    return [...said, ...named.map((asset) => ({ asset, head: this.#headNamed(asset, { id, timestamp }) }))].filter(
      ({ asset }) => this.animals.has(asset),
    )
  }

  /** All of them with the first log and with the last; else nobody said how many. */
  #headNamed(asset: number, { id, timestamp }: Pick<RegisterLog, 'id' | 'timestamp'>): string | undefined {
    if (!this.#known.changes.has(asset)) return '1'
    const archived = archivedOf(this.animals.get(asset) ?? nobody)
    const isLast = archived > 0 && Math.abs(archived - timestamp) <= day
    return isLast || this.beginningOf(asset).log === id ? this.headOf(asset, timestamp) : undefined
  }

  /** Changes of counts in a period without a coming or going. Heads that get a tag are counted one by one from then on. */
  async recounts(snapshot: Snapshot, { from, to }: LogPeriod): Promise<RecountedStock> {
    const found: Recount[] = []
    for (const [asset, changes] of this.#known.changes) {
      const { since } = this.beginningOf(asset)
      const explained = new Set(this.#known.events.get(asset)?.map(({ log }) => log))
      for (const { log_id: log, timestamp: at } of changes) {
        if (at < from || at >= to || explained.has(log) || (since !== undefined && at <= since)) continue
        explained.add(log)
        const head = sumDecimals([this.headOf(asset, at), negated(this.headOf(asset, at - 1))])
        if (head !== '0') found.push({ asset, at, log, head })
      }
    }
    const logs = await recordsByIds(
      snapshot,
      'log',
      found.map(({ log }) => log),
    )
    const tagged = new Set<number>()
    const recounts = found.filter(({ log, at, head, asset }) => {
      const fresh = assetsOf(logs.get(log)?.values ?? {}).filter((id) => id !== asset && this.#beginsUntold(id, at))
      if (String(-fresh.length) !== head) return true
      for (const id of fresh) tagged.add(id)
      return false
    })
    return { recounts, tagged }
  }

  #beginsUntold(id: number, at: number): boolean {
    const { by, since } = this.beginningOf(id)
    return by === 'unknown' && since === at && this.animals.has(id)
  }
}

interface RecountedStock {
  readonly recounts: readonly Recount[]
  /** Animals that were counted by head before they got a tag. */
  readonly tagged: ReadonlySet<number>
}

function keep<T>(lists: Map<number, T[]>, id: number, one: T): void {
  const list = lists.get(id)
  if (list === undefined) lists.set(id, [one])
  else list.push(one)
}

function earliest(seconds: readonly (number | undefined)[]): number | undefined {
  const known = seconds.filter((one) => one !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

const day = 86_400
const nobody = { values: {} } as StoredRecord

const negated = (value: string): string => (value.startsWith('-') ? value.slice(1) : `-${value}`)

const inventoryOf = (values: Values): readonly { readonly asset: number; readonly value: string }[] =>
  (asLog(values).inventory ?? []).flatMap(({ asset, value }) =>
    asset === undefined || value === undefined ? [] : [{ asset, value }],
  )
