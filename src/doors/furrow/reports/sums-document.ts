import type { Farm, ReportName } from '../../../farm/farm.ts'
import { resourceNames } from '../../../farm/resource-names.ts'
import { beginningOf, dayAt, spelledDay } from '../../../fields/day.ts'
import { fractionText } from '../../../fields/fraction.ts'
import type { QueryEntry } from '../../../formats/query-string.ts'
import type { Records } from '../../../records/records.ts'
import type { ShownWeek } from '../../../reports/amounts.ts'
import { drawnPlaces, type NamedRecord, type ReportPlace, type TermWithParent } from '../../../reports/named-records.ts'
import { reportGroupings } from '../../../reports/report-names.ts'
import {
  type PlantingYield,
  type ShownLine,
  type SumsReport,
  sumsReport,
  type TreatmentWithholding,
  type Yield,
  type YieldingAmount,
} from '../../../reports/sums-report.ts'
import type { ShownUnits, UnitSystem } from '../../../reports/units.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { FarmSettings } from '../../../storage/settings.ts'
import { filtersIn } from '../../../wire-1x/filters.ts'
import { parameter, queriedType } from '../../../wire-1x/list-query.ts'
import { addressesOfFigures, type FigureAddress, type ReportFigure } from '../../../wire-1x/report-figures.ts'
import type { SumsDocument } from './report-description.ts'
import { filterTextOf, groupsAsked, type ReportDays, shapesAsked, unitsAsked } from './report-query.ts'

/** The head of a paper, from the settings of the farm. */
export const paperHead = ({ name, paper_address, holding_numbers, certifier, certifier_number }: FarmSettings) => ({
  farm: name,
  address: paper_address,
  holding_numbers,
  certifier,
  certifier_number,
})

export type PaperHead = ReturnType<typeof paperHead>

/** The query of a report, and its display options. */
export interface SumsContext extends Pick<ReportFigure, 'report' | 'groups'> {
  readonly farm: Farm
  readonly days: ReportDays
  readonly zone: string
  readonly units: UnitSystem
  readonly head: PaperHead
  /** The address that lists the logs of a figure. */
  readonly address: FigureAddress
  /** The address that lists only this log. */
  readonly oneLog: (id: number) => string
}

/** A report with sums as JSON. */
export const sumsDocument = (
  told: SumsReport,
  telling: SumsContext,
  places: readonly ReportPlace[] | undefined,
): SumsDocument => ({
  report: telling.report,
  from: telling.days.firstDay,
  to: telling.days.lastDay,
  time_zone: telling.zone,
  units: telling.units,
  head: telling.head,
  group: telling.groups,
  logs: figure(told.logs, telling.address('all')),
  no_lot: figure(told.withoutLot, telling.address('no-lot')),
  no_amount: figure(told.withoutAmount, telling.address('no-amount')),
  lines: told.lines.map((line) => lineOf(line, telling)),
  yields: told.yields.map((one) => yieldLine(one, telling)),
  withholding: told.withholding.map((one) => withheld(one, telling)),
  ...placesOf(places),
})

/** Only if `shapes` was asked for. */
export const placesOf = (places: readonly ReportPlace[] | undefined) =>
  places === undefined
    ? {}
    : {
        places: places.map(({ type, shapes, isNamed, ...place }) => ({
          ...namedOf(place),
          type,
          shapes,
          named: isNamed,
        })),
      }

const withheld = ({ log, product, until, assets }: TreatmentWithholding, { zone, oneLog }: SumsContext) => ({
  ...namedOf(log),
  product,
  until: spelledDay(dayAt(until, zone)),
  assets: assets.map(namedOf),
  list: oneLog(log.id),
})

/** The number of logs, and the address that lists them. */
export const figure = (logs: readonly number[], address: string) => ({ count: logs.length, list: address })

const lineOf = (line: ShownLine, telling: SumsContext) => ({
  crops: line.crops.map(termOf),
  materials: line.materials.map(namedOf),
  asset_types: line.types.map((type) => ({ type, label: telling.farm.records.asset.bundles[type]?.label ?? type })),
  log_types: line.bundles.map((type) => ({ type, label: telling.farm.records.log.bundles[type]?.label ?? type })),
  assets: line.assets.map(namedOf),
  herds: line.herds.map(namedOf),
  areas: line.areas.map(namedOf),
  logs: figure(line.logs, telling.address(line.key)),
  no_lot: figure(line.withoutLot, telling.address(`${line.key}-no-lot`)),
  amounts: line.amounts.map((amount) => amountOf(amount, telling)),
})

export const namedOf = ({ id, name }: NamedRecord) => ({ id: String(id), name })

export const termOf = ({ parent, ...term }: TermWithParent) => ({
  ...namedOf(term),
  parent: parent === null ? null : namedOf(parent),
})

const amountOf = (amount: YieldingAmount, telling: SumsContext) => ({
  ...amountWords(amount),
  product: amount.product,
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

const weekOf = ({ monday, value, logs }: ShownWeek, { key }: YieldingAmount, { address, zone }: SumsContext) => ({
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

const yieldLine = ({ planting, crops, amount, ...one }: PlantingYield, { address }: SumsContext) => ({
  planting: namedOf(planting),
  crops: crops.map(termOf),
  ...amountWords(amount),
  logs: figure(amount.logs, address(amount.key)),
  yield: yieldOf(one.yield),
})

export interface SumsQuery {
  readonly report: ReportName
  readonly base: string
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly QueryEntry[]
  readonly days: ReportDays
  readonly settings: FarmSettings
  readonly now: number
}

interface SumsResult {
  readonly told: SumsReport
  readonly telling: SumsContext
  readonly places: readonly ReportPlace[] | undefined
}

export async function queriedSums(snapshot: Snapshot, installation: Records, asking: SumsQuery): Promise<SumsResult> {
  const { report, base, entries, filters, days, settings, now } = asking
  const groups = groupsAsked(entries, reportGroupings[report])
  const list = `${base}/${resourceNames.log}.json`
  const figureOf = { report, groups, from: days.from, to: days.to }
  const telling: SumsContext = {
    farm: installation.farm,
    report,
    groups,
    days,
    zone: settings.timezone,
    units: unitsAsked(entries, settings.system_of_measurement),
    head: paperHead(settings),
    address: addressesOfFigures(`${list}?${filterTextOf(filters)}`, figureOf),
    oneLog: (id) => `${list}?id=${id}`,
  }
  const shapes = shapesAsked(entries)
  const type = await queriedType(snapshot, installation.farm, { type: 'log', entries: filters })
  const asked = { ...days, filters: filtersIn(installation, type, filters) }
  const shownUnits: ShownUnits = {
    system: telling.units,
    written: parameter(entries, 'units') !== undefined ? 'converted' : 'kept',
  }
  const told = await sumsReport(snapshot, installation, { ...telling, shownUnits, asked, now })
  const areas = told.lines.flatMap((line) => line.areas.map(({ id }) => id))
  return { told, telling, places: shapes ? await drawnPlaces(snapshot, areas) : undefined }
}
