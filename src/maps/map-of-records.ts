import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Caller } from '../access/caller.ts'
import { areaBundle } from '../farm/bundle-names.ts'
import type { RecordTypeName } from '../farm/farm.ts'
import type { ShownFeature } from '../formats/map/feature.ts'
import { type MapOutputFormat, mapFormats } from '../formats/map/map-formats.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { badQuery } from '../records/finding/filter.ts'
import { searchFor } from '../records/finding/find.ts'
import type { PageRequest } from '../records/finding/paging.ts'
import { foundRecords } from '../records/finding/record-stream.ts'
import type { Records } from '../records/records.ts'
import type { Snapshot } from '../storage/database.ts'
import { readEdition, requireEdition } from '../storage/farm-state.ts'
import { readTimezone } from '../storage/settings.ts'
import { filtersIn } from '../wire-1x/filters.ts'
import { queriedTime, queriedType, sortingIn, sortingOf } from '../wire-1x/list-query.ts'
import { listFilters } from '../wire-1x/report-figures.ts'
import { type LocatedRecord, MapRecords } from './map-features.ts'

interface MapRequest {
  readonly caller: Caller
  readonly type: RecordTypeName
  readonly format: MapOutputFormat
  /** The base URL of the farm, as the caller sees it. */
  readonly base: string
  readonly entries: readonly QueryEntry[]
}

/** Query parameters of lists that maps refuse. */
const ofLists: Readonly<Record<string, string>> = {
  page: 'a map has no pages: it holds everything that matches',
  limit: 'a map has no pages: it holds everything that matches',
  full: 'a map holds whole records',
  with: 'a map shows what it shows',
}

/** A list of records as a map: a validated query that can run on any snapshot. */
export function mapOfRecords(installation: Records, { caller, type, format, base, entries }: MapRequest) {
  const { farm, edition } = installation
  const recordType = farm.records[type]
  for (const { name, brackets } of entries) {
    const refused = brackets.length === 0 ? ofLists[name] : undefined
    if (refused !== undefined) throw badQuery(name, refused)
  }
  const time = queriedTime(recordType, entries, installation.clock())
  const title = titles[type]
  return async function* (snapshot: Snapshot): AsyncGenerator<string> {
    requireEdition(installation, await readEdition(snapshot))
    const known = await queriedType(snapshot, farm, { type, entries })
    // Each place filter is a filter of its own: several values of one filter would be alternatives.
    const conditions = await listFilters(snapshot, installation, { known, entries })
    const filters = [...conditions, ...filtersIn(installation, known, placeFilters[type])]
    const sorting = sortingIn(known, sortingOf(entries))
    const search = (paging: PageRequest) => searchFor(installation, caller, { type, filters, sorting, ...paging })
    const view = { farm, edition, base, zone: await readTimezone(snapshot), time }
    const shown = new MapRecords(snapshot, view)
    const { around, feature } = mapFormats[format].write
    const { before, between, behind } = around(title)
    yield before
    let isFirst = true
    for await (const records of foundRecords(snapshot, { type, time, search })) {
      const features = (await shown.located(records)).map((one) => feature(featureOf(one)))
      if (features.length > 0) yield (isFirst ? '' : between) + features.join(between)
      isFirst = isFirst && features.length === 0
      // Lets other requests run, however large the map is.
      await nextTurn()
    }
    yield behind
  }
}

const titles: Readonly<Record<RecordTypeName, string>> = {
  log: 'Logs',
  asset: 'Assets',
  term: 'Areas',
  quantity: 'Quantities',
}

const hasShape = { name: 'geofield', brackets: ['ne'], value: '' }

/** Among terms only areas have a geometry; assets and logs can have it in several fields. */
const placeFilters: Readonly<Record<RecordTypeName, readonly QueryEntry[]>> = {
  term: [{ name: 'bundle', brackets: [], value: areaBundle }, hasShape],
  asset: [],
  log: [],
  quantity: [],
}

function featureOf({ record, name, geometry, properties }: LocatedRecord): ShownFeature {
  const { timestamp } = record.values
  const moment = record.type === 'log' && typeof timestamp === 'number' ? { moment: timestamp } : {}
  return { name, geometry, properties, ...moment }
}
