import type { Caller } from '../../../access/caller.ts'
import { isOfAreas } from '../../../farm/newer/type-of-record.ts'
import { inventoriesOf } from '../../../history/inventory.ts'
import { newerGroups } from '../../../history/membership.ts'
import { newerLogGeometries } from '../../../history/newer/log-geometry.ts'
import { newerWhereabouts } from '../../../history/newer/whereabouts.ts'
import { quantitiesOfLogs } from '../../../records/quantities/reading.ts'
import type { Records } from '../../../records/records.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { PointInTime } from '../../../storage/farm-state.ts'
import type { ByThing } from '../../../storage/history/stay-rows.ts'
import { lastRevisers } from '../../../storage/records/record-lookup.ts'
import { termNames } from '../../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../../storage/records/stored.ts'
import type { NumberedRef } from './identifiers.ts'

export interface ReadContext {
  readonly installation: Records
  readonly snapshot: Snapshot
  readonly time: PointInTime
  readonly caller: Caller
  /** The author of the latest journal entry among the records, if known. */
  readonly reviser?: number
}

/** Values of records beyond their stored fields. */
export interface ImpliedValues {
  reviserOf(record: StoredRecord): number
  placesOf(record: StoredRecord): readonly NumberedRef[]
  /** The location of an asset, or the site of a log without its own geometry. */
  geometryOf(record: StoredRecord): string
  groupsOf(record: StoredRecord): readonly number[]
  inventoryOf(record: StoredRecord): readonly ShownLevel[]
  quantitiesOf(log: StoredRecord): readonly NumberedRef[]
}

interface ShownLevel {
  readonly measure: string
  readonly value: string
  readonly units: string
}

/** One lookup for all records. */
export async function impliedFor(reading: ReadContext, records: readonly StoredRecord[]): Promise<ImpliedValues> {
  const { snapshot, time } = reading
  const logs = records.filter(({ type }) => type === 'log')
  const things = [
    { type: 'asset', ids: idsOf(records, ({ type }) => type === 'asset') },
    { type: 'term', ids: idsOf(records, (record) => isArea(reading, record)) },
  ] as const
  const [revisers, whereabouts, groups, levels, geometries, quantities] = await Promise.all([
    reading.reviser === undefined ? revisersOf(snapshot, records) : noRevisers,
    newerWhereabouts(snapshot, things, time),
    newerGroups(snapshot, things, time),
    inventoriesOf(snapshot, things, time),
    newerLogGeometries(snapshot, logs, time),
    quantitiesOfLogs(snapshot, logs),
  ])
  const counted = [...levels.asset.values(), ...levels.term.values()].flat()
  const units = await termNames(snapshot, [...new Set(counted.flatMap(({ unit }) => (unit === 0 ? [] : [unit])))])
  return {
    reviserOf: (record) => reading.reviser ?? revisers.get(keyOf(record)) ?? record.uid,
    placesOf: (record) => (valueFor(whereabouts, record)?.places ?? []).map(({ type, id }) => ({ of: type, id })),
    geometryOf: (record) =>
      (record.type === 'log' ? geometries.get(record.id) : valueFor(whereabouts, record)?.geometry) ?? '',
    groupsOf: (record) => valueFor(groups, record) ?? [],
    inventoryOf: (record) =>
      (valueFor(levels, record) ?? []).map(({ measure, value, unit }) => ({
        measure,
        value,
        units: units.get(unit) ?? '',
      })),
    quantitiesOf: (log) =>
      (quantities.get(log.id) ?? []).map(({ id }) => ({
        of: 'quantity',
        id,
        meta: { target_revision_id: log.revision },
      })),
  }
}

const noRevisers: ReadonlyMap<string, number> = new Map()

const valueFor = <T>(found: ByThing<T>, { type, id }: StoredRecord): T | undefined =>
  type === 'asset' || type === 'term' ? found[type].get(id) : undefined

const idsOf = (records: readonly StoredRecord[], isWanted: (record: StoredRecord) => boolean): readonly number[] =>
  records.filter(isWanted).map(({ id }) => id)

const isArea = ({ installation }: ReadContext, { type, bundle }: StoredRecord): boolean =>
  type === 'term' && isOfAreas(installation.farm, bundle)

const keyOf = ({ type, id }: Pick<StoredRecord, 'type' | 'id'>): string => `${type} ${id}`

async function revisersOf(snapshot: Snapshot, records: readonly StoredRecord[]): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const type of new Set(records.map((record) => record.type))) {
    const ids = idsOf(records, (record) => record.type === type)
    for (const [id, uid] of await lastRevisers(snapshot, type, ids)) found.set(keyOf({ type, id }), uid)
  }
  return found
}
