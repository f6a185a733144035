import { queryWords } from '../../../farm/query-words.ts'
import { beginningOf, dayAt, dayIn, spelledDay } from '../../../fields/day.ts'
import { yesNoWords, yesOrNo } from '../../../fields/scalars.ts'
import type { QueryEntry } from '../../../formats/query-string.ts'
import { limits } from '../../../limits.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import type { KeptReportName } from '../../../reports/report-names.ts'
import { type UnitSystem, unitSystems } from '../../../reports/units.ts'
import type { LogPeriod } from '../../../storage/records/logs-between.ts'
import { parameter } from '../../../wire-1x/list-query.ts'

/** The days of a report in the farm's zone, with start and end in seconds. */
export interface ReportDays extends LogPeriod {
  readonly firstDay: string
  readonly lastDay: string
}

const ofSums = ['from', 'to', 'group', 'units'] as const
const ofHistory = ['area', 'from', 'to', 'group'] as const
const ofRegister = ['from', 'to', 'units', 'language'] as const

/** What a report is asked itself; all else are filters. */
const ownParameters = (own: readonly string[]) => ({ json: [...own, 'shapes'], csv: [...own, 'sep', 'bom'], xlsx: own })

export const parametersOf: Readonly<Record<KeptReportName, ReturnType<typeof ownParameters>>> = {
  harvest: ownParameters(ofSums),
  inputs: ownParameters(ofSums),
  'field-history': ownParameters(ofHistory),
  'input-register': ownParameters(ofRegister),
  'medicine-book': ownParameters(ofRegister),
  animals: ownParameters(ofRegister),
  'comings-and-goings': ownParameters(ofRegister),
  'field-register': ownParameters(ofRegister),
  'seed-register': ownParameters(ofRegister),
  inspection: ownParameters([...ofRegister, 'photos']),
}

/** Parameters in the address of a figure, beside the filters. */
const valuesOfFigure = 4

/** The filters of a report are those of a list of logs. */
export function filtersOfReport(entries: readonly QueryEntry[], own: readonly string[]): readonly QueryEntry[] {
  const filters = entries.filter(({ name, brackets }) => !(own.includes(name) && brackets.length === 0))
  for (const { name, brackets, value } of filters) {
    if (own.includes(name)) throw badQuery(name, 'takes no brackets')
    const isWordOfLists =
      brackets.length === 0 && (queryWords.includes(name) || (name === 'files' && !/^\d*$/.test(value)))
    if (isWordOfLists) throw badQuery(name, 'is for lists; a report has no pages and no order of its own', own)
    if (name === 'timestamp') throw badQuery(name, 'is said by from and to', own)
  }
  if (filters.length > limits.queryValues - valuesOfFigure)
    throw badQuery('filters', `a report takes ${limits.queryValues - valuesOfFigure}, these are ${filters.length}`)
  return filters
}

export function daysAsked(
  entries: readonly QueryEntry[],
  { now, zone }: { readonly now: number; readonly zone: string },
): ReportDays {
  const last = dayAsked(entries, 'to') ?? dayAt(now, zone)
  const first = dayAsked(entries, 'from') ?? (dayIn(`${spelledDay(last).slice(0, 4)}-01-01`) as number)
  if (last < first) throw badQuery('to', `must not be before from (${spelledDay(first)})`)
  return {
    firstDay: spelledDay(first),
    lastDay: spelledDay(last),
    from: beginningOf(first, zone),
    to: beginningOf(last + 1, zone),
  }
}

function dayAsked(entries: readonly QueryEntry[], name: 'from' | 'to'): number | undefined {
  const given = parameter(entries, name)
  if (given === undefined || given === '') return undefined
  const day = dayIn(given)
  if (day === undefined) throw badQuery(name, `must be a day such as 2026-05-01, not ${JSON.stringify(given)}`)
  return day
}

/** True if the report includes geometries of its places. */
export function shapesAsked(entries: readonly QueryEntry[]): boolean {
  const given = parameter(entries, 'shapes')
  const shapes = given === undefined ? false : yesOrNo(given)
  if (shapes === undefined) throw badQuery('shapes', 'must be 1 or 0', yesNoWords)
  return shapes
}

export function unitsAsked(entries: readonly QueryEntry[], usual: UnitSystem): UnitSystem {
  const given = parameter(entries, 'units') ?? usual
  const system = unitSystems.find((one) => one === given)
  if (system === undefined) throw badQuery('units', `must be metric or us, not ${JSON.stringify(given)}`, unitSystems)
  return system
}

/** Comma-separated groupings without duplicates; default: the report's first. */
export function groupsAsked<G extends string>(entries: readonly QueryEntry[], groups: readonly G[]): readonly G[] {
  const given = parameter(entries, 'group') || groups[0]
  const names = (given ?? '').split(',').map((name) => name.trim())
  const known = names.map((name) => groups.find((one) => one === name))
  if (known.includes(undefined) || new Set(names).size < names.length)
    throw badQuery(
      'group',
      `takes ${groups.join(', ')}, each once, with commas between, not ${JSON.stringify(given)}`,
      groups,
    )
  return known.flatMap((one) => one ?? [])
}

/** The filters as query text, for the addresses of figures. */
export function filterTextOf(filters: readonly QueryEntry[]): string {
  const text = filters
    .map(({ name, brackets, value }) => [name + brackets.map((one) => `[${one}]`).join(''), value])
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
  if (text.length > mostFilterText)
    throw badQuery('filters', 'are too long for an address that lists the logs of a figure')
  return text
}

/** Leaves room for the figure and a week in the address. */
const mostFilterText = limits.urlBytes - 512
