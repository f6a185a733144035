import { resourceNames } from '../../../farm/resource-names.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { type FieldHistory, fieldHistory, historyGroupings } from '../../../reports/field-history.ts'
import { type DrawnPlace, drawnPlaces } from '../../../reports/places.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { QueryEntry } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { filtersIn } from '../intake/filters.ts'
import { parameter } from '../intake/paging.ts'
import { typeAsked } from '../intake/type-asked.ts'
import { addressesOfHistory } from './figure.ts'
import { filterTextOf } from './filter-text.ts'
import type { HistoryTelling } from './history-document.ts'
import { type Days, groupsAsked, shapesAsked } from './report-query.ts'

export interface HistoryAsking {
  readonly base: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly days: Days
  readonly zone: string
  readonly now: number
}

export interface ToldHistory {
  readonly told: FieldHistory
  readonly telling: HistoryTelling
  readonly places: readonly DrawnPlace[] | undefined
}

/** The history of an area, as a query asks for it. */
export async function toldHistory(
  snapshot: Snapshot,
  installation: Records,
  { base, entries, filters, days, zone, now }: HistoryAsking,
): Promise<ToldHistory> {
  const area = areaAsked(entries)
  const [group = 'type', another] = groupsAsked(entries, historyGroupings)
  if (another !== undefined) throw badQuery('group', 'takes one of these', historyGroupings)
  const shapes = shapesAsked(entries)
  const type = await typeAsked(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { from: days.from, to: days.to, filters: filtersIn(installation, type, filters) }
  const told = await fieldHistory(snapshot, installation, { area, group, asked })
  if (told === undefined) throw badQuery('area', `there is no area ${area}`)
  const list = `${base}/${resourceNames.log}.json`
  const telling = {
    farm: installation.farm,
    days,
    zone,
    now,
    group,
    address: addressesOfHistory(`${list}?${filterTextOf(filters)}`, { area, group, from: days.from, to: days.to }),
    oneLog: (id: number) => `${list}?id=${id}`,
  }
  return { told, telling, places: shapes ? await drawnPlaces(snapshot, [area]) : undefined }
}

function areaAsked(entries: readonly QueryEntry[]): number {
  const given = parameter(entries, 'area')
  if (given === undefined || given === '') throw badQuery('area', 'say of which area, by its id')
  const area = wholeNumber(given)
  if (area === undefined || area <= 0) throw badQuery('area', `${JSON.stringify(given)} is not an id`)
  return area
}
