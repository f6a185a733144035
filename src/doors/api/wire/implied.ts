import { inventoriesOf, type InventoryLevel } from '../../../history/inventories.ts'
import { geometriesOfLogs, newerGroups, newerWhereabouts, type NewerWhereabouts } from '../../../history/newer.ts'
import { isOfAreas } from '../../../farm/newer/type-of-record.ts'
import { quantitiesOfLogs } from '../../../records/quantities/reading.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { PointInTime } from '../../../storage/history/point-in-time.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import type { Stored } from '../../../storage/records/stored.ts'
import { lastRevisers } from '../../../storage/records/uuid-rows.ts'
import type { NumberedThing } from './thing.ts'

/** What resources are read from, and at what time. */
export interface Reading {
  readonly installation: Records
  readonly snapshot: Snapshot
  readonly time: PointInTime
}

/** What records show that is not among their own fields. */
export interface Implied {
  reviserOf(record: Stored): number
  whereaboutsOf(record: Stored): NewerWhereabouts
  groupsOf(record: Stored): readonly number[]
  inventoryOf(record: Stored): readonly ShownLevel[]
  /** Of a log that says nothing of its own shape. */
  geometryOf(log: Stored): string
  quantitiesOf(log: Stored): readonly NumberedThing[]
}

interface ShownLevel {
  readonly measure: string
  readonly value: string
  readonly units: string
}

const nowhere: NewerWhereabouts = { places: [], geometry: '' }

/** Looked up for all of these records together. */
export async function impliedFor(reading: Reading, records: readonly Stored[]): Promise<Implied> {
  const { snapshot, time } = reading
  const logs = records.filter(({ type }) => type === 'log')
  const assets = records.filter((record) => record.type === 'asset' || isArea(reading, record))
  const [revisers, whereabouts, groups, levels, geometries, quantities] = await Promise.all([
    revisersOf(snapshot, records),
    newerWhereabouts(snapshot, assets, time),
    newerGroups(snapshot, assets, time),
    inventoriesOf(snapshot, assets, time),
    geometriesOfLogs(snapshot, logs, time),
    quantitiesOfLogs(snapshot, logs),
  ])
  const units = await termNames(snapshot, [...new Set([...levels.values()].flat().flatMap(({ unit }) => unit ?? []))])
  const shownLevel = ({ measure, value, unit }: InventoryLevel): ShownLevel => ({
    measure: measure ?? '',
    value,
    units: unit === undefined ? '' : (units.get(unit) ?? ''),
  })
  return {
    reviserOf: (record) => revisers.get(keyOf(record)) ?? record.uid,
    whereaboutsOf: (record) => whereabouts.get(keyOf(record)) ?? nowhere,
    groupsOf: (record) => groups.get(keyOf(record)) ?? [],
    inventoryOf: (record) => (levels.get(keyOf(record)) ?? []).map(shownLevel),
    geometryOf: (log) => geometries.get(log.id) ?? '',
    quantitiesOf: (log) =>
      (quantities.get(log.id) ?? []).map(({ id }) => ({
        of: 'quantity',
        id,
        meta: { target_revision_id: log.revision },
      })),
  }
}

const isArea = ({ installation }: Reading, { type, bundle }: Stored): boolean =>
  type === 'term' && isOfAreas(installation.farm, bundle)

const keyOf = ({ type, id }: Pick<Stored, 'type' | 'id'>): string => `${type} ${id}`

async function revisersOf(snapshot: Snapshot, records: readonly Stored[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const type of new Set(records.map((record) => record.type))) {
    const ids = records.flatMap((record) => (record.type === type ? [record.id] : []))
    for (const [id, uid] of await lastRevisers(snapshot, type, ids)) found.set(keyOf({ type, id }), uid)
  }
  return found
}
