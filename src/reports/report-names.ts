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

export type RegisterColumn =
  | ('day' | 'time' | 'last_day' | 'place' | 'animals' | 'crop' | 'product' | 'approval' | 'purpose' | 'amount')
  | ('size' | 'rate' | 'method' | 'equipment' | 'source' | 'lot' | 'who' | 'withholding' | 'free_from' | 'entered')
  | ('batch' | 'supplier' | 'dose_each' | 'dose_all' | 'reason' | 'vet' | 'tag' | 'name' | 'species' | 'sex' | 'born')
  | (
      | 'herd'
      | 'since'
      | 'since_by'
      | 'head'
      | 'what'
      | 'partner'
      | 'invoice'
      | 'year'
      | 'seeding'
      | 'inputs'
      | 'harvest'
    )

/** The registers that an inspector takes, each with its columns in order (docs/reports.md#registers). */
export const registerColumns = {
  'input-register': [
    ...([
      'day',
      'time',
      'place',
      'animals',
      'crop',
      'product',
      'approval',
      'purpose',
      'amount',
      'size',
      'rate',
    ] as const),
    ...(['method', 'equipment', 'source', 'lot', 'who', 'withholding', 'entered'] as const),
  ],
  'medicine-book': [
    ...(['day', 'last_day', 'animals', 'product', 'batch', 'supplier', 'dose_each', 'dose_all', 'reason'] as const),
    ...(['vet', 'withholding', 'free_from', 'who', 'entered'] as const),
  ],
  animals: ['tag', 'name', 'species', 'sex', 'born', 'herd', 'place', 'since', 'since_by', 'head'],
  'comings-and-goings': ['day', 'what', 'animals', 'species', 'head', 'partner', 'invoice', 'lot', 'entered'],
  'field-register': ['place', 'size', 'year', 'crop', 'seeding', 'inputs', 'harvest'],
  'seed-register': ['day', 'crop', 'lot', 'source', 'amount', 'place', 'entered'],
} as const satisfies Readonly<Record<string, readonly RegisterColumn[]>>

export type RegisterName = keyof typeof registerColumns

export const registerNames = Object.keys(registerColumns) as readonly RegisterName[]

/** Columns that name people: a link has them only if its maker says so. */
export const peopleColumns: readonly RegisterColumn[] = ['who', 'vet', 'partner']

/** All registers of a period together, for an inspector. */
export const inspectionReport = 'inspection'

/** Every report, including those without sums. */
export const keptReportNames = [...reportNames, historyReport, ...registerNames, inspectionReport] as const
export type KeptReportName = (typeof keptReportNames)[number]
