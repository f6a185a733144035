import type { RecordType, RecordTypeName, ReportName } from '../farm/farm.ts'
import { wholeNumber } from '../fields/scalars.ts'
import type { QueryEntry } from '../formats/query-string.ts'
import { badQuery, type RecordFilter } from '../records/finding/filter.ts'
import type { Records } from '../records/records.ts'
import { logsOfHistory } from '../reports/field-history.ts'
import { logsOfRegister, registers } from '../reports/registers/registers.ts'
import {
  type HistoryGrouping,
  historyGroupings,
  historyReport,
  type RegisterName,
  type ReportGrouping,
  registerNames,
  reportGroupings,
} from '../reports/report-names.ts'
import { logsOfFigure, totalsOf } from '../reports/totals.ts'
import type { Snapshot } from '../storage/database.ts'
import type { LogPeriod } from '../storage/records/logs-between.ts'
import { readTimezone } from '../storage/settings.ts'
import { filtersIn } from './filters.ts'
import { filtersOf, parameter } from './list-query.ts'

interface ListRequest {
  readonly known: RecordType
  readonly entries: readonly QueryEntry[]
}

/** The filters of a list: by fields, and by a figure of a report. */
export async function listFilters(
  snapshot: Snapshot,
  installation: Records,
  { known, entries }: ListRequest,
): Promise<readonly RecordFilter[]> {
  const filters = filtersIn(installation, known, filtersOf(entries))
  return [...filters, ...(await figureAsked(snapshot, installation, { type: known.name, entries, filters }))]
}

/** A figure of a report: the period, and the figure's key. */
export interface ReportFigure extends LogPeriod {
  readonly report: ReportName
  readonly groups: readonly ReportGrouping[]
}

interface FigureQuery {
  readonly type: RecordTypeName
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly RecordFilter[]
}

/** The address of a list of the logs that make up a figure. */
export const addressesOfFigures = (list: string, { report, groups, from, to }: ReportFigure): FigureAddress =>
  addressesIn(list, [report, groups.join('-'), from, to])

export type FigureAddress = (key: string, ...more: readonly string[]) => string

/** For the history of one area. */
export const addressesOfHistory = (list: string, { area, group, from, to }: HistoryFigure): FigureAddress =>
  addressesIn(list, [historyReport, `${group}-${area}`, from, to])

/** Of a register. */
export const addressesOfRegister = (
  list: string,
  { report, from, to }: LogPeriod & { readonly report: RegisterName },
): FigureAddress => addressesIn(list, [report, 'lines', from, to])

interface HistoryFigure extends LogPeriod {
  readonly area: number
  readonly group: HistoryGrouping
}

/** Times are seconds: another time zone of the farm changes nothing of it. */
const addressesIn =
  (list: string, words: readonly (string | number)[]): FigureAddress =>
  (key, ...more) => {
    const [path, filters] = list.split('?', 2)
    const figure = `report=${[...words, key].join('.')}`
    return `${path}?${[figure, ...(filters ? [filters] : []), ...more].join('&')}`
  }

/** The figure that `report` selects; undefined without the parameter. */
async function figureAsked(
  snapshot: Snapshot,
  installation: Records,
  { type, entries, filters }: FigureQuery,
): Promise<readonly RecordFilter[]> {
  const given = parameter(entries, 'report')
  if (given === undefined) return []
  if (type !== 'log') throw badQuery('report', 'asks for logs: see /log.json')
  const { id: field } = installation.farm.records.log.properties
  if (field === undefined) return []
  const values = [{ is: 'numbered', numbers: await logsCountedBy(snapshot, installation, { given, filters }) }] as const
  return [{ asked: 'report', path: 'id', field, bundles: [], operator: 'eq', values }]
}

async function logsCountedBy(
  snapshot: Snapshot,
  installation: Records,
  { given, filters }: { readonly given: string; readonly filters: readonly RecordFilter[] },
): Promise<readonly number[]> {
  const { name, grouped, key, ...period } = figureWords(given)
  const asked = { ...period, filters }
  if (name === historyReport) {
    const [, group, area] = /^([a-z]+)-(\d{1,15})$/.exec(grouped) ?? []
    const known = historyGroupings.find((one) => one === group)
    if (known === undefined) throw notOfAReport()
    return logsOfHistory(snapshot, installation, { area: Number(area), group: known, asked, key })
  }
  const register = registerNames.find((one) => one === name)
  if (register !== undefined) {
    // Neither words nor units decide which logs are behind a line.
    const plain = {
      asked,
      zone: await readTimezone(snapshot),
      now: 0,
      units: 'metric',
      say: (word: string) => word,
    } as const
    return logsOfRegister(await registers[register](snapshot, installation, plain), key)
  }
  const report = (Object.keys(reportGroupings) as ReportName[]).find((one) => one === name)
  const groups = grouped.split('-').map((group) => reportGroupings[report ?? 'harvest'].find((one) => one === group))
  if (report === undefined || groups.includes(undefined)) throw notOfAReport()
  // In which week a log falls decides nothing about what it counts for.
  const wanted = { report, groups: groups.flatMap((group) => group ?? []), asked, zone: 'UTC' }
  return logsOfFigure(await totalsOf(snapshot, installation, wanted), key)
}

function figureWords(given: string) {
  const [name = '', grouped = '', from = '', to = '', key = '', ...more] = given.split('.')
  const [first, last] = [wholeNumber(from), wholeNumber(to)]
  if (first === undefined || last === undefined || key === '' || more.length > 0) throw notOfAReport()
  return { name, grouped, key, from: first, to: last }
}

const notOfAReport = () => badQuery('report', 'is taken from the logs of a figure of a report, as it stands there')
