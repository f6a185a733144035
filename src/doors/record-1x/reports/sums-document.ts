import type { Farm } from '../../../farm/farm.ts'
import { beginningOf, dayAt, spelledDay } from '../../../fields/day.ts'
import { fractionText } from '../../../fields/fraction.ts'
import type { ShownWeek } from '../../../reports/amounts.ts'
import type { Named, NamedTerm } from '../../../reports/named.ts'
import type { DrawnPlace } from '../../../reports/places.ts'
import type { PlantingYield, ShownLine, SumsReport, Yield, YieldingAmount } from '../../../reports/sums-report.ts'
import type { UnitSystem } from '../../../reports/unit-words.ts'
import type { Withholding } from '../../../reports/withholding.ts'
import type { AddressOf, FigureOf } from './figure.ts'
import type { Days } from './report-query.ts'

/** What a report was asked, and how it is told. */
export interface Telling extends Pick<FigureOf, 'report' | 'groups'> {
  readonly farm: Farm
  readonly days: Days
  readonly zone: string
  readonly units: UnitSystem
  /** The address that lists the logs of a figure. */
  readonly address: AddressOf
  /** The address of a list that has only this log. */
  readonly oneLog: (id: number) => string
}

/** A report that adds up, as JSON has it. */
export const sumsDocument = (told: SumsReport, telling: Telling, places: readonly DrawnPlace[] | undefined) => ({
  report: telling.report,
  from: telling.days.firstDay,
  to: telling.days.lastDay,
  time_zone: telling.zone,
  units: telling.units,
  group: telling.groups,
  logs: figure(told.logs, telling.address('all')),
  no_lot: figure(told.withoutLot, telling.address('no-lot')),
  no_amount: figure(told.withoutAmount, telling.address('no-amount')),
  lines: told.lines.map((line) => lineOf(line, telling)),
  yields: told.yields.map((one) => yieldLine(one, telling)),
  withholding: told.withholding.map((one) => withheld(one, telling)),
  ...placesOf(places),
})

export type SumsDocument = ReturnType<typeof sumsDocument>

/** Only where somebody asked for them. */
export const placesOf = (places: readonly DrawnPlace[] | undefined) =>
  places === undefined
    ? {}
    : {
        places: places.map(({ type, shapes, isNamed, ...place }) => ({
          ...named(place),
          type,
          shapes,
          named: isNamed,
        })),
      }

const withheld = ({ log, timestamp, assets, treatments }: Withholding, { zone, oneLog }: Telling) => ({
  ...named(log),
  until: spelledDay(dayAt(timestamp, zone)),
  assets: assets.map(named),
  list: oneLog(log.id),
  treatments: treatments.map((one) => ({ ...named(one), list: oneLog(one.id) })),
})

/** How many logs, and where they are listed. */
export const figure = (logs: readonly number[], address: string) => ({ count: logs.length, list: address })

const lineOf = (line: ShownLine, telling: Telling) => ({
  crops: line.crops.map(termOf),
  materials: line.materials.map(named),
  asset_types: line.types.map((type) => ({ type, label: telling.farm.records.asset.bundles[type]?.label ?? type })),
  log_types: line.bundles.map((type) => ({ type, label: telling.farm.records.log.bundles[type]?.label ?? type })),
  assets: line.assets.map(named),
  areas: line.areas.map(named),
  logs: figure(line.logs, telling.address(line.key)),
  no_lot: figure(line.withoutLot, telling.address(`${line.key}-no-lot`)),
  amounts: line.amounts.map((amount) => amountOf(amount, telling)),
})

export const named = ({ id, name }: Named) => ({ id: String(id), name })

export const termOf = ({ parent, ...term }: NamedTerm) => ({
  ...named(term),
  parent: parent === null ? null : named(parent),
})

const amountOf = (amount: YieldingAmount, telling: Telling) => ({
  ...amountWords(amount),
  logs: figure(amount.logs, telling.address(amount.key)),
  yield: amount.yield === null ? null : yieldOf(amount.yield),
  weeks: amount.weeks.map((week) => weekOf(week, amount, telling)),
})

const amountWords = ({ measure, label, unit, value, rounded, joined }: YieldingAmount) => ({
  measure,
  label,
  value,
  unit,
  rounded,
  joined: joined.map(({ factor, ...one }) => ({ ...one, factor: fractionText(factor) })),
})

const yieldOf = ({ value, unit, squareMetres }: Yield) => ({ value, unit, square_metres: squareMetres })

const weekOf = ({ monday, value, logs }: ShownWeek, { key }: YieldingAmount, { address, zone }: Telling) => ({
  monday: spelledDay(monday),
  value,
  logs: figure(
    logs,
    address(
      key,
      `timestamp%5Bge%5D=${beginningOf(monday, zone)}`,
      `timestamp%5Blt%5D=${beginningOf(monday + 7, zone)}`,
    ),
  ),
})

const yieldLine = ({ planting, crops, amount, ...one }: PlantingYield, { address }: Telling) => ({
  planting: named(planting),
  crops: crops.map(termOf),
  ...amountWords(amount),
  logs: figure(amount.logs, address(amount.key)),
  yield: yieldOf(one.yield),
})
