import type { RecordTypeName, ReportName } from '../../../farm/farm.ts'
import { badQuery } from '../../../records/finding/bad-query.ts'
import type { Filter } from '../../../records/finding/filter.ts'
import type { Records } from '../../../records/records.ts'
import { type Grouping, logsOfFigure, totalsOf } from '../../../reports/totals.ts'
import type { Snapshot } from '../../../storage/database.ts'
import type { Period } from '../../../storage/records/logs-between.ts'
import type { QueryEntry } from '../../http/query.ts'
import { wholeNumber } from '../../http/whole-number.ts'
import { parameter } from '../intake/paging.ts'

/** How the lines of each report can be told apart, the usual way first. */
export const groupings: Readonly<Record<ReportName, readonly Grouping[]>> = {
  harvest: ['crop', 'planting', 'area'],
  inputs: ['material', 'asset', 'area'],
}

/** Which logs a figure is made of: a report of a period, and the figure's key in it. */
export interface FigureOf extends Period {
  readonly report: ReportName
  readonly groups: readonly Grouping[]
}

interface Asking {
  readonly type: RecordTypeName
  readonly entries: readonly QueryEntry[]
  readonly filters: readonly Filter[]
}

/** The address of a list of the logs that make up a figure. Its times are seconds: another time zone of the farm changes nothing of it. */
export const addressesOfFigures =
  (list: string, { report, groups, from, to }: FigureOf) =>
  (key: string, ...more: readonly string[]): string => {
    const [path, filters] = list.split('?', 2)
    const figure = `report=${[report, groups.join('-'), from, to, key].join('.')}`
    return `${path}?${[figure, ...(filters ? [filters] : []), ...more].join('&')}`
  }

/** What a list is narrowed to by `report`: nothing where it is not asked. */
export async function figureAsked(
  snapshot: Snapshot,
  installation: Records,
  { type, entries, filters }: Asking,
): Promise<readonly Filter[]> {
  const given = parameter(entries, 'report')
  if (given === undefined) return []
  if (type !== 'log') throw badQuery('report', 'asks for logs: see /log.json')
  const { key, report, groups, from, to } = figureIn(given)
  // In which week a log falls decides nothing about what it counts for.
  const totals = await totalsOf(snapshot, installation, { report, groups, asked: { from, to, filters }, zone: 'UTC' })
  const { id: field } = installation.farm.records.log.properties
  if (field === undefined) return []
  const values = [{ is: 'numbered', numbers: logsOfFigure(totals, key) }] as const
  return [{ asked: 'report', path: 'id', field, bundles: [], operator: 'eq', values }]
}

function figureIn(given: string): FigureOf & { readonly key: string } {
  const [name = '', grouped = '', from = '', to = '', key = '', ...more] = given.split('.')
  const report = (Object.keys(groupings) as ReportName[]).find((one) => one === name)
  const [first, last] = [wholeNumber(from), wholeNumber(to)]
  const groups = grouped.split('-').map((group) => groupings[report ?? 'harvest'].find((one) => one === group))
  if (
    report === undefined ||
    first === undefined ||
    last === undefined ||
    groups.includes(undefined) ||
    key === '' ||
    more.length > 0
  )
    throw badQuery('report', 'is taken from the logs of a figure of a report, as it stands there')
  return { report, groups: groups.flatMap((group) => group ?? []), from: first, to: last, key }
}
