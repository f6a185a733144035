import type { KeptReportName } from '../../../src/reports/report-names.ts'
import { route } from '../../look/router.ts'
import { now, year } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { daysOf, groupings } from './report-words.ts'

/** Parameters of the screen only. */
const ofScreen = ['figure']
/** Parameters that are not filters. */
const ofReport = [...ofScreen, 'area', 'from', 'to', 'group', 'units', 'language', 'photos']

/** Query of the report, from the address of the screen. */
export function reportQuery(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...query].filter(([name]) => !ofScreen.includes(name)))
}

export interface ChosenFilter {
  readonly field: string
  readonly value: string
}

/** The area of a field history is a parameter; in other reports it is a filter. */
export const filtersIn = (query: URLSearchParams, report: KeptReportName): readonly ChosenFilter[] =>
  [...query]
    .filter(([name]) => !ofReport.includes(name) || (name === 'area' && report !== 'field-history'))
    .map(([field, value]) => ({ field, value }))

/** Address with a filter added or removed. */
export function withFilter({ field, value }: ChosenFilter, act: 'add' | 'take away'): string {
  const { path, query } = route.peek()
  const others = [...query].filter(([name, given]) => name !== 'figure' && !(name === field && given === value))
  const changed = new URLSearchParams(act === 'add' ? [...others, [field, value]] : others).toString()
  return changed === '' ? path : `${path}?${changed}`
}

export const groupIn = (query: URLSearchParams, report: KeptReportName) => {
  const given = query.get('group')?.split(',')[0]
  return groupings[report]?.find((one) => one === given) ?? groupings[report]?.[0]
}

export const thisYear = (): string => year(now())

/** "2026 so far", "2025", or the days. */
export function periodWords(query: URLSearchParams): string {
  const [from, to] = [query.get('from'), query.get('to')]
  if (from === null && to === null) return say('reports.this-year', { year: thisYear() })
  if (from?.endsWith('-01-01') && to === `${from.slice(0, 4)}-12-31`) return from.slice(0, 4)
  const today = new Date().toISOString().slice(0, 10)
  return daysOf({ from: from ?? `${(to ?? today).slice(0, 4)}-01-01`, to: to ?? today })
}
