import type { Farm } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { dayAt, spelledDay } from '../../../fields/day.ts'
import { wholeNumber } from '../../../fields/scalars.ts'
import type { QueryEntry } from '../../../formats/query-string.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import type { MeasuredQuantity } from '../../../reports/amounts.ts'
import {
  type AreaLog,
  type AreaStay,
  type FieldHistory,
  fieldHistory,
  type HistoryLine,
} from '../../../reports/field-history.ts'
import { drawnPlaces, type NamedRecord, type ReportPlace } from '../../../reports/named-records.ts'
import { type HistoryGrouping, historyGroupings, historyReport } from '../../../reports/report-names.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { FarmSettings } from '../../../storage/settings.ts'
import { filtersIn } from '../../../wire-1x/filters.ts'
import { parameter, queriedType } from '../../../wire-1x/list-query.ts'
import { addressesOfHistory, type FigureAddress } from '../../../wire-1x/report-figures.ts'
import type { HistoryDocument } from './report-description.ts'
import { filterTextOf, groupsAsked, type ReportDays, shapesAsked } from './report-query.ts'
import { figure, namedOf, type PaperHead, paperHead, placesOf, termOf } from './sums-document.ts'

interface HistoryContext {
  readonly farm: Farm
  readonly days: ReportDays
  readonly zone: string
  readonly head: PaperHead
  readonly now: number
  readonly group: HistoryGrouping
  readonly address: FigureAddress
  readonly oneLog: (id: number) => string
}

/** The history of an area as JSON. */
export const historyDocument = (
  told: FieldHistory,
  telling: HistoryContext,
  places: readonly ReportPlace[] | undefined,
): HistoryDocument => ({
  report: historyReport,
  area: namedOf(told.area),
  from: telling.days.firstDay,
  to: telling.days.lastDay,
  time_zone: telling.zone,
  head: telling.head,
  group: telling.group,
  logs: figure(
    told.logs.map(({ log }) => log.id),
    telling.address('all'),
  ),
  lines: told.lines.map((line) => lineOf(line, telling)),
  stays: staysUntilNow(told, telling).map((stay) => stayOf(stay, telling)),
  done: told.logs.map((log) => logOf(log, telling)),
  ...placesOf(places),
})

const lineOf = ({ bundles, crops, assets, logs, key }: HistoryLine, { farm, address }: HistoryContext) => ({
  log_types: bundles.map((type) => ({ type, label: labelOf(farm, type) })),
  crops: crops.map(termOf),
  assets: assets.map(namedOf),
  logs: figure(logs, address(key)),
})

const labelOf = (farm: Farm, type: string): string => farm.records.log.bundles[type]?.label ?? type

/** Stays that begin in the future are left out. */
const staysUntilNow = ({ stays }: FieldHistory, { now }: HistoryContext): readonly AreaStay[] =>
  stays.filter(({ stay }) => stay.began <= now)

const stayOf = ({ asset, type, crops, stay }: AreaStay, telling: HistoryContext) => ({
  asset: namedOf(asset),
  asset_type: type,
  crops: crops.map(termOf),
  from: dayOf(stay.began, telling),
  until: stay.ended > telling.now ? null : dayOf(stay.ended, telling),
  log: String(stay.log),
  list: telling.oneLog(stay.log),
})

const dayOf = (second: number, { zone }: HistoryContext): string => spelledDay(dayAt(second, zone))

const logOf = (one: AreaLog, telling: HistoryContext) => ({
  ...namedOf(one.log),
  type: one.bundle,
  label: labelOf(telling.farm, one.bundle),
  day: dayOf(one.timestamp, telling),
  entered: one.entered === null ? null : dayOf(one.entered, telling),
  crops: one.crops.map(termOf),
  assets: one.assets.map(namedOf),
  materials: one.materials.map(namedOf),
  amounts: one.amounts.map(({ measure, label, value, unit }) => ({ measure, label, value, unit })),
  list: telling.oneLog(one.log.id),
})

const head = ['what', 'from', 'until', 'name', 'type', 'crops', 'assets', 'materials', 'amounts', 'list'] as const

type Cells = Readonly<Record<(typeof head)[number], string>>

/** The same as rows of a sheet: stays, then logs. */
export function historySheet(told: FieldHistory, telling: HistoryContext): readonly (readonly string[])[] {
  const stays = staysUntilNow(told, telling).map(
    ({ asset, type, crops, stay }): Cells => ({
      what: 'there',
      from: dayOf(stay.began, telling),
      until: stay.ended > telling.now ? '' : dayOf(stay.ended, telling),
      name: asset.name,
      type,
      crops: names(crops),
      assets: asset.name,
      materials: '',
      amounts: '',
      list: telling.oneLog(stay.log),
    }),
  )
  const logs = told.logs.map(
    (one): Cells => ({
      what: 'done',
      from: dayOf(one.timestamp, telling),
      until: '',
      name: one.log.name,
      type: one.bundle,
      crops: names(one.crops),
      assets: names(one.assets),
      materials: names(one.materials),
      amounts: one.amounts.map(amountText).join('; '),
      list: telling.oneLog(one.log.id),
    }),
  )
  return [head, ...[...stays, ...logs].map((cells) => head.map((column) => cells[column]))]
}

const names = (things: readonly NamedRecord[]): string => things.map(({ name }) => name).join(', ')

const amountText = ({ value, unit, label }: MeasuredQuantity): string =>
  [value, unit, label].filter((one) => one !== '').join(' ')

interface FieldHistoryQuery {
  readonly base: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly days: ReportDays
  readonly settings: FarmSettings
  readonly now: number
}

interface FieldHistoryResult {
  readonly told: FieldHistory
  readonly telling: HistoryContext
  readonly places: readonly ReportPlace[] | undefined
}

export async function queriedHistory(
  snapshot: Snapshot,
  installation: Records,
  { base, entries, filters, days, settings, now }: FieldHistoryQuery,
): Promise<FieldHistoryResult> {
  const area = areaAsked(entries)
  const [group = 'type', another] = groupsAsked(entries, historyGroupings)
  if (another !== undefined) throw badQuery('group', 'takes one of these', historyGroupings)
  const shapes = shapesAsked(entries)
  const type = await queriedType(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { from: days.from, to: days.to, filters: filtersIn(installation, type, filters) }
  const told = await fieldHistory(snapshot, installation, { area, group, asked })
  if (told === undefined) throw badQuery('area', `there is no area ${area}`)
  const list = `${base}/${resourceNames.log}.json`
  const telling = {
    farm: installation.farm,
    days,
    zone: settings.timezone,
    head: paperHead(settings),
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
