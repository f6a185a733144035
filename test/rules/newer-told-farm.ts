import { expect } from 'vitest'
import { inventoriesOf } from '../../src/history/inventory.ts'
import { newerGroups } from '../../src/history/membership.ts'
import { newerLogGeometries } from '../../src/history/newer/log-geometry.ts'
import { newerWhereabouts } from '../../src/history/newer/whereabouts.ts'
import { newUuid } from '../../src/records/writing/draft.ts'
import { storeChange, storeNew, storeRemoval } from '../../src/records/writing/storing.ts'
import { Refusal } from '../../src/refusal.ts'
import { type ChangeSet, inChangeSet } from '../../src/storage/change-set.ts'
import type { Transaction } from '../../src/storage/database.ts'
import { inThePast } from '../../src/storage/farm-state.ts'
import type { PlacedThing, PlacedThings } from '../../src/storage/history/stay-rows.ts'
import type { RecordToStore, StoredRecord } from '../../src/storage/records/stored.ts'
import type { Client, Json } from '../harness/client.ts'
import type { FarmUnderTest } from '../harness/farm.ts'
import {
  groupsSaid,
  inventorySaid,
  logShapesSaid,
  type NewerFarmSaid,
  type NewerLogSaid,
  placesSaid,
  putsIntoItself,
  shapesSaid,
  type ThingSaid,
} from './newer-replay.ts'
import { count, type NewerLogTold, type NewerStep, type ThingTold } from './newer-story.ts'
import { together } from './replay.ts'

interface KeptLog {
  record: StoredRecord
  said: NewerLogSaid
}

/** One story's own things on a farm, kept by the rooms below the doors, with a note of every log for the replay. */
export class NewerToldFarm {
  readonly #farm: FarmUnderTest
  readonly #middle: number
  readonly #things: StoredRecord[] = []
  readonly #said = new Map<string, ThingSaid>()
  readonly #logs: KeptLog[] = []

  constructor(farm: FarmUnderTest, middle: number) {
    this.#farm = farm
    this.#middle = middle
  }

  async begin(): Promise<void> {
    const bundles = [
      ...Array.from({ length: count.assets }, () => ['asset', 'equipment'] as const),
      ...Array.from({ length: count.groups }, () => ['asset', 'group'] as const),
      ...Array.from({ length: count.areas }, () => ['term', 'farm_areas'] as const),
    ]
    for (const [type, bundle] of bundles) {
      const values = { name: 'Thing', ...(type === 'asset' ? { archived: 0 } : { weight: 0 }) }
      const thing = await this.#keepNew({ type, bundle, values })
      this.#things.push(thing)
      this.#said.set(nameOf(thing), { isFixed: type === 'term', isPlace: type === 'term', shapes: [] })
    }
  }

  async tell(step: NewerStep): Promise<void> {
    if (step.does === 'record') await this.#record(step.log)
    else if (step.does === 'change') await this.#changeThing(step.thing, step.said)
    else {
      const index = step.which % Math.max(1, this.#logs.length)
      const log = this.#logs[index]
      if (log === undefined) return
      if (step.does === 'edit') return this.#edit(log, step.log)
      await this.#change((tx, set) =>
        storeRemoval(tx, this.#farm.installation.farm, { record: log.record, set, at: this.#middle }),
      )
      this.#logs.splice(index, 1)
    }
  }

  /** What is refused is exactly what the replay finds to be inside itself, and leaves nothing behind. */
  async #record(told: NewerLogTold): Promise<void> {
    const said = (id: number) => this.#logSaid(id, told)
    const values = this.#valuesOf(told)
    // A new log is behind all others of its second.
    const isRefused = putsIntoItself(this.#farmSaid(), said(Number.MAX_SAFE_INTEGER))
    const record = await this.#unlessRefused(isRefused, () =>
      this.#keepNew({ type: 'log', bundle: 'farm_activity', values }),
    )
    if (record !== undefined) this.#logs.push({ record, said: said(record.id) })
  }

  async #edit(log: KeptLog, told: NewerLogTold): Promise<void> {
    const { record: before } = log
    const after = { ...before, values: this.#valuesOf(told), revision: before.revision + 1 }
    const said = this.#logSaid(before.id, told)
    const isRefused = this.#isJudged(log.said, said) && putsIntoItself(this.#farmSaid(), said)
    const kept = await this.#unlessRefused(isRefused, async () => {
      await this.#change((tx, set) => storeChange(tx, this.#farm.installation.farm, { before, after, set }))
      return after
    })
    if (kept !== undefined) Object.assign(log, { record: kept, said })
  }

  /** A log that puts something into itself by its own words is; else only one that moves anew what others are put into. */
  #isJudged(before: NewerLogSaid, after: NewerLogSaid): boolean {
    const places = after.movement?.places ?? []
    if (places.some((place) => after.things.includes(place))) return true
    const said = ({ done, timestamp, movement }: NewerLogSaid) => JSON.stringify([done, timestamp, movement])
    const anew = after.things.filter((thing) => said(before) !== said(after) || !before.things.includes(thing))
    const others = this.#logs.filter((log) => log.said.id !== after.id && log.said.done)
    return anew.some((thing) => others.some((log) => log.said.movement?.places.includes(thing)))
  }

  async #unlessRefused<T>(isRefused: boolean, keep: () => Promise<T>): Promise<T | undefined> {
    try {
      const kept = await keep()
      expect(isRefused, 'kept, and not refused').toBe(false)
      return kept
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      expect([error.refusal, isRefused, error.message]).toEqual(['invalid-content', true, error.message])
      expect(error.details.faults?.[0]?.message).toMatch(/^would put the (asset|area) \d+ into itself$/)
      return undefined
    }
  }

  async #changeThing(which: number, told: ThingTold): Promise<void> {
    const before = this.#things[which] as StoredRecord
    const { isFixed, isPlace, shapes } = told
    const said =
      before.type === 'term'
        ? { is_movable: !isFixed, is_no_location: !isPlace, geofield: shapes }
        : { is_fixed: isFixed, is_location: isPlace, ...(shapes[0] ? { intrinsic_geometry: shapes[0] } : {}) }
    const { intrinsic_geometry: _, ...values } = before.values
    const after = { ...before, values: { ...values, ...said }, revision: before.revision + 1 }
    await this.#change((tx, set) => storeChange(tx, this.#farm.installation.farm, { before, after, set }))
    this.#things[which] = after
    this.#said.set(nameOf(before), told)
  }

  /** Everything that the newer generation is told must be what the replay works out. */
  async compareAt(second: number): Promise<void> {
    const time = inThePast(second)
    const farm = this.#farmSaid()
    const things: readonly PlacedThings[] = (['asset', 'term'] as const).map((type) => ({
      type,
      ids: this.#things.filter((thing) => thing.type === type).map(({ id }) => id),
    }))
    const found = await this.#farm.installation.database.read(async (snapshot) => ({
      whereabouts: await newerWhereabouts(snapshot, things, time),
      groups: await newerGroups(snapshot, things, time),
      inventories: await inventoriesOf(snapshot, things, time),
      logs: await newerLogGeometries(
        snapshot,
        this.#logs.map(({ record }) => record),
        time,
      ),
    }))
    const shown = this.#things.map(({ type, id }) => {
      const of = type as PlacedThing['type']
      const { places = [], geometry } = found.whereabouts[of].get(id) ?? {}
      return {
        places: places.map(nameOf),
        geometry,
        groups: (found.groups[of].get(id) ?? []).map((group) => `asset ${group}`),
        inventory: (found.inventories[of].get(id) ?? []).map(
          ({ measure, unit, value }) => `${measure} ${unit}: ${Number(value)}`,
        ),
      }
    })
    expect(shown.map(({ inventory, ...rest }) => ({ ...rest, inventory: inventory.toSorted() }))).toEqual(
      this.#things.map((thing) => {
        const name = nameOf(thing)
        return {
          places: inOrder(placesSaid(farm, name, second)),
          geometry: together(shapesSaid(farm, [name], second)),
          groups: groupsSaid(farm, name, second),
          inventory: inventorySaid(farm, name, second),
        }
      }),
    )
    expect([...found.logs]).toEqual(
      this.#logs.map(({ said }) => [said.id, together(logShapesSaid(farm, said, second))]),
    )
  }

  /** The record interface sees assets that move, areas as places, no groups that are followed, and what is counted without units. */
  async compareOlder(client: Client, second: number): Promise<void> {
    const assets = this.#things.filter(({ type }) => type === 'asset')
    const own = assets.map(({ id }) => `id[]=${id}`).join('&')
    const { list } = await client.read(`/farm_asset.json?${own}&with=group,inventory&as_of=${second}`)
    const ids = (references: readonly Json[]) => references.map(({ id }) => Number(id))
    const older = assets.map(({ id }) => this.#olderSaid(`asset ${id}`, second))
    expect(
      list.map((asset: Json) => ({
        location: ids(asset.location),
        geometry: asset.geometry ?? '',
        group: ids(asset.group),
        inventory: Number(asset.inventory),
      })),
    ).toEqual(older)
    const areas = this.#things.filter(({ type }) => type === 'term').map(({ id }) => id)
    const terms = await client.read(`/taxonomy_term.json?${areas.map((id) => `id[]=${id}`).join('&')}&as_of=${second}`)
    expect(terms.list.map((area: Json) => ids(area.assets))).toEqual(
      areas.map((area) => assets.flatMap(({ id }, index) => (older[index]?.location.includes(area) ? [id] : []))),
    )
    const nowhere = assets.flatMap(({ id }, index) => (older[index]?.location.length === 0 ? [id] : []))
    expect((await client.ids(`/farm_asset.json?${own}&location=&as_of=${second}`)).map(Number)).toEqual(nowhere)
  }

  #olderSaid(name: string, second: number) {
    const { logs } = this.#farmSaid()
    const mine = logs
      .filter((log) => log.done && log.timestamp <= second && log.things.includes(name))
      .toSorted((a, b) => a.timestamp - b.timestamp || a.id - b.id)
    const movement = mine.findLast((log) => log.movement !== null)?.movement
    const areas = inOrder(movement?.places ?? []).filter((place) => place.startsWith('term'))
    const plain = inventorySaid(this.#farmSaid(), name, second).find((level) => level.startsWith('count 0: '))
    return {
      location: areas.map(numberOf),
      geometry: movement?.geometry || together(areas.flatMap((area) => this.#shapesOf(area))),
      group: (mine.findLast((log) => log.groups !== null)?.groups ?? []).map(numberOf),
      inventory: Number(plain?.split(': ')[1] ?? 0),
    }
  }

  #shapesOf(name: string): readonly string[] {
    return this.#said.get(name)?.shapes ?? []
  }

  #farmSaid(): NewerFarmSaid {
    return { logs: this.#logs.map(({ said }) => said), things: this.#said }
  }

  #named(which: readonly number[]): readonly string[] {
    return which.map((one) => nameOf(this.#things[one] as StoredRecord))
  }

  #ids(which: readonly number[], type: PlacedThing['type']): readonly number[] {
    return which.flatMap((one) => (this.#things[one]?.type === type ? [this.#things[one].id] : []))
  }

  #logSaid(id: number, told: NewerLogTold): NewerLogSaid {
    const { movement, groups } = told
    return {
      id,
      done: told.done,
      timestamp: this.#middle + told.moment,
      // Assets before areas, as they are kept.
      things: (['asset', 'term'] as const).flatMap((type) =>
        this.#ids(told.things, type).map((id) => nameOf({ type, id })),
      ),
      movement: movement && { ...movement, places: inOrder(this.#named(movement.places)) },
      site: { places: inOrder(this.#named(told.site)), shapes: told.shapes },
      groups: groups && this.#named(groups),
      adjustments: [
        ...told.quantities.map(({ thing, ...rest }) => ({ ...rest, thing: this.#named([thing])[0] ?? '' })),
        ...told.inventory.map(({ asset, tenths }) => ({
          thing: this.#named([asset])[0] ?? '',
          measure: 'count',
          unit: 0,
          does: 'increment' as const,
          tenths,
        })),
      ],
    }
  }

  #valuesOf(told: NewerLogTold): StoredRecord['values'] {
    const { movement, groups } = told
    const uuid = () => newUuid(this.#middle)
    const about = this.#ids(told.things, 'term')
    const site = this.#ids(told.site, 'term')
    return {
      name: 'Log',
      status: told.done ? 'done' : 'pending',
      timestamp: this.#middle + told.moment,
      asset: this.#ids(told.things, 'asset'),
      asset_area: about,
      area: [...new Set([...site, ...about])],
      aside: about.filter((area) => !site.includes(area)),
      place: this.#ids(told.site, 'asset'),
      geofield: told.shapes,
      ...(movement === null ? {} : { movement: this.#movementOf(movement) }),
      ...(groups === null
        ? {}
        : { membership: { uuid: uuid(), group: this.#ids(groups, 'asset'), leaves: groups.length === 0 } }),
      quantity: told.quantities.map(({ thing, measure, unit, does, tenths }) => ({
        uuid: uuid(),
        value: decimal(tenths),
        adjustment: does,
        ...(measure === '' ? {} : { measure }),
        ...(unit === 0 ? {} : { unit }),
        ...(this.#things[thing]?.type === 'term'
          ? { inventory_area: this.#things[thing]?.id }
          : { inventory_asset: this.#things[thing]?.id }),
      })),
      inventory: told.inventory.map(({ asset, tenths }) => ({
        uuid: uuid(),
        asset: this.#things[asset]?.id ?? 0,
        value: decimal(tenths),
      })),
    } as StoredRecord['values']
  }

  #movementOf({ places, geometry }: NonNullable<NewerLogTold['movement']>) {
    return {
      uuid: newUuid(this.#middle),
      area: this.#ids(places, 'term'),
      place: this.#ids(places, 'asset'),
      ...(geometry === '' ? {} : { geometry }),
      leaves: places.length === 0 && geometry === '',
    }
  }

  async #keepNew(made: Pick<RecordToStore, 'type' | 'bundle' | 'values'>): Promise<StoredRecord> {
    const now = this.#middle
    const record: RecordToStore = { ...made, uuid: newUuid(now), uid: 1, created: now, changed: now, revision: 1 }
    const [stored] = await this.#change((tx, set) =>
      storeNew(tx, this.#farm.installation.farm, { type: made.type, records: [record], set }),
    )
    return stored as StoredRecord
  }

  #change<T>(work: (tx: Transaction, set: ChangeSet) => Promise<T>): Promise<T> {
    const given = { id: newUuid(this.#middle), at: this.#middle, uid: 1, client: null, request: null }
    return this.#farm.installation.database.write((tx) => inChangeSet(tx, given, (set) => work(tx, set)))
  }
}

const nameOf = ({ type, id }: { readonly type: string; readonly id: number }): string => `${type} ${id}`

const numberOf = (name: string): number => Number(name.split(' ')[1])

/** Areas before assets, as they are kept. */
const inOrder = (names: readonly string[]): readonly string[] => [
  ...names.filter((name) => name.startsWith('term')),
  ...names.filter((name) => name.startsWith('asset')),
]

const decimal = (tenths: number): string => (tenths / 10).toFixed(1)
