import { animalBundle, birthBundle, comingAndGoing, purchaseBundle, saleBundle } from '../../farm/bundle-names.ts'
import type { Values } from '../../fields/value.ts'
import { assetsOf } from '../../history/implications.ts'
import { inventoryLevels } from '../../history/inventory.ts'
import type { Records } from '../../records/records.ts'
import type { Snapshot } from '../../storage/database.ts'
import { inThePast } from '../../storage/farm-state.ts'
import { firstLogsOf, logsOfCategories } from '../../storage/history/naming-logs.ts'
import { forever } from '../../storage/history/stay-rows.ts'
import { identitiesOf } from '../../storage/identity.ts'
import { logsAmong } from '../../storage/records/logs-between.ts'
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
  readonly value: string
}

interface StockFacts {
  readonly animals: ReadonlyMap<number, StoredRecord>
  readonly begins: ReadonlyMap<number, AnimalBeginning>
  readonly ends: ReadonlyMap<number, readonly number[]>
  readonly levels: ReadonlyMap<number, string>
}

/** Every animal of the farm, since when it is there, and the logs that sent it away. */
export class AnimalStock {
  readonly animals: ReadonlyMap<number, StoredRecord>
  readonly #known: StockFacts

  private constructor(known: StockFacts) {
    this.animals = known.animals
    this.#known = known
  }

  static async of(snapshot: Snapshot, installation: Records, second: number): Promise<AnimalStock> {
    const ids = await idsOfBundle(snapshot, 'asset', animalBundle)
    const animals = await recordsByIds(snapshot, 'asset', ids)
    const categories = await categoriesOf(snapshot)
    const always = { from: -forever, to: forever, filters: [] }
    const begins = new Map<number, AnimalBeginning>()
    const ends = new Map<number, number[]>()
    for (const log of await animalLogs(snapshot, installation, { asked: always, categories })) {
      const event = eventOf(log, categories)
      if (event === undefined) continue
      const named = [...assetsOf(log.values), ...inventoryOf(log.values).map(({ asset }) => asset)]
      for (const asset of new Set(named)) {
        if (going.includes(event)) ends.set(asset, [...(ends.get(asset) ?? []), log.timestamp])
        else if (!begins.has(asset))
          begins.set(asset, { since: log.timestamp, by: event as 'born' | 'bought' | 'arrived', log: log.id })
      }
    }
    const untold = ids.filter((id) => !begins.has(id))
    const firsts = await firstLogsOf(snapshot, untold)
    for (const id of untold) {
      const born = animals.get(id)?.values.date
      const seconds = [firsts.get(id), typeof born === 'number' ? born : undefined].filter((one) => one !== undefined)
      begins.set(id, { since: seconds.length === 0 ? undefined : Math.min(...seconds), by: 'unknown' })
    }
    return new AnimalStock({ animals, begins, ends, levels: await inventoryLevels(snapshot, ids, inThePast(second)) })
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
        this.headOf(animal.id) !== '0'
      )
    })
  }

  beginningOf(id: number): AnimalBeginning {
    return this.#known.begins.get(id) ?? { since: undefined, by: 'unknown' }
  }

  /** One, or as many as its inventory says. */
  headOf(id: number): string {
    return this.#known.levels.get(id) ?? '1'
  }

  /** Whether a log up to that time says why it is gone. */
  isSentAway(id: number, archived: number): boolean {
    return (this.#known.ends.get(id) ?? []).some((at) => at <= archived + 86_400)
  }

  /** The single animals of a log, and those that it counts by head. */
  headsIn(values: Values): { readonly single: readonly number[]; readonly counted: readonly CountedHead[] } {
    const counted = inventoryOf(values).filter(({ asset }) => this.animals.has(asset))
    const single = assetsOf(values).filter(
      (id) => this.animals.has(id) && !counted.some(({ asset }) => asset === id) && !this.#known.levels.has(id),
    )
    return { single, counted }
  }
}

const inventoryOf = (values: Values): readonly CountedHead[] =>
  (asLog(values).inventory ?? []).flatMap(({ asset, value }) =>
    asset === undefined || value === undefined ? [] : [{ asset, value }],
  )
