import type { ReportName } from '../farm/farm.ts'

/** How the lines of each report that adds up can be told apart, the usual way first. */
export const reportGroupings = {
  harvest: ['crop', 'planting', 'area'],
  inputs: ['material', 'asset', 'area'],
} as const satisfies Readonly<Record<ReportName, readonly string[]>>

export const reportNames = Object.keys(reportGroupings) as readonly ReportName[]

export type ReportGrouping = (typeof reportGroupings)[ReportName][number]

/** What was in an area, and what was done there: its name, and how its lines can be told apart. */
export const historyReport = 'field-history'

export const historyGroupings = ['type', 'crop', 'asset'] as const
export type HistoryGrouping = (typeof historyGroupings)[number]

/** Every report that can be asked for, and kept under a link. */
export const keptReportNames = [...reportNames, historyReport] as const
export type KeptReportName = (typeof keptReportNames)[number]
