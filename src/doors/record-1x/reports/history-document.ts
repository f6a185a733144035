import type { Farm } from '../../../farm/farm.ts'
import { dayAt, spelledDay } from '../../../fields/day.ts'
import type { Measured } from '../../../reports/amounts.ts'
import type { AreaLog, AreaStay, FieldHistory, HistoryGrouping, HistoryLine } from '../../../reports/field-history.ts'
import type { Named } from '../../../reports/named.ts'
import type { DrawnPlace } from '../../../reports/places.ts'
import { type AddressOf, history } from './figure.ts'
import type { Days } from './report-query.ts'
import { figure, named, placesOf, termOf } from './sums-document.ts'

export interface HistoryTelling {
  readonly farm: Farm
  readonly days: Days
  readonly zone: string
  readonly now: number
  readonly group: HistoryGrouping
  readonly address: AddressOf
  readonly oneLog: (id: number) => string
}

/** The history of an area, as JSON has it. */
export const historyDocument = (
  told: FieldHistory,
  telling: HistoryTelling,
  places: readonly DrawnPlace[] | undefined,
) => ({
  report: history,
  area: named(told.area),
  from: telling.days.firstDay,
  to: telling.days.lastDay,
  time_zone: telling.zone,
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

export type HistoryDocument = ReturnType<typeof historyDocument>

const lineOf = ({ bundles, crops, assets, logs, key }: HistoryLine, { farm, address }: HistoryTelling) => ({
  log_types: bundles.map((type) => ({ type, label: labelOf(farm, type) })),
  crops: crops.map(termOf),
  assets: assets.map(named),
  logs: figure(logs, address(key)),
})

const labelOf = (farm: Farm, type: string): string => farm.records.log.bundles[type]?.label ?? type

/** What is to begin later has not been there. */
const staysUntilNow = ({ stays }: FieldHistory, { now }: HistoryTelling): readonly AreaStay[] =>
  stays.filter(({ stay }) => stay.began <= now)

const stayOf = ({ asset, type, crops, stay }: AreaStay, telling: HistoryTelling) => ({
  asset: named(asset),
  asset_type: type,
  crops: crops.map(termOf),
  from: dayOf(stay.began, telling),
  until: stay.ended > telling.now ? null : dayOf(stay.ended, telling),
  log: String(stay.log),
  list: telling.oneLog(stay.log),
})

const dayOf = (second: number, { zone }: HistoryTelling): string => spelledDay(dayAt(second, zone))

const logOf = (one: AreaLog, telling: HistoryTelling) => ({
  ...named(one.log),
  type: one.bundle,
  label: labelOf(telling.farm, one.bundle),
  day: dayOf(one.timestamp, telling),
  crops: one.crops.map(termOf),
  assets: one.assets.map(named),
  materials: one.materials.map(named),
  amounts: one.amounts.map(({ measure, label, value, unit }) => ({ measure, label, value, unit })),
  list: telling.oneLog(one.log.id),
})

const head = ['what', 'from', 'until', 'name', 'type', 'crops', 'assets', 'materials', 'amounts', 'list'] as const

type Cells = Readonly<Record<(typeof head)[number], string>>

/** The same as rows of cells: what was there, then what was done. */
export function historySheet(told: FieldHistory, telling: HistoryTelling): readonly (readonly string[])[] {
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

const names = (things: readonly Named[]): string => things.map(({ name }) => name).join(', ')

const amountText = ({ value, unit, label }: Measured): string =>
  [value, unit, label].filter((one) => one !== '').join(' ')
