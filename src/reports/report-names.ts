import type { ReportName } from '../farm/farm.ts'

/** The groupings of each report with sums, default first. */
export const reportGroupings = {
  harvest: ['crop', 'planting', 'area'],
  inputs: ['material', 'asset', 'area'],
} as const satisfies Readonly<Record<ReportName, readonly string[]>>

export const reportNames = Object.keys(reportGroupings) as readonly ReportName[]

export type ReportGrouping = (typeof reportGroupings)[ReportName][number]

/** The report on one area: its stays and its logs. */
export const historyReport = 'field-history'

export const historyGroupings = ['type', 'crop', 'asset'] as const
export type HistoryGrouping = (typeof historyGroupings)[number]

/** Every report, including those without sums. */
export const keptReportNames = [...reportNames, historyReport] as const
export type KeptReportName = (typeof keptReportNames)[number]
