import type { HistoryDocument } from '../../../src/doors/furrow/reports/history-document.ts'
import type { SumsDocument } from '../../../src/doors/furrow/reports/sums-document.ts'

export type { HistoryDocument, SumsDocument }
export type ReportDocument = SumsDocument | HistoryDocument
export type ReportLine = SumsDocument['lines'][number]
export type ReportAmount = ReportLine['amounts'][number]
export type ReportFigure = SumsDocument['logs']
export type ReportPlace = NonNullable<SumsDocument['places']>[number]

export const reportNames = ['harvest', 'inputs', 'field-history'] as const
export type ReportKind = (typeof reportNames)[number]

export const isHistory = (document: ReportDocument): document is HistoryDocument => document.report === 'field-history'

/** How the lines of each can be told apart, the usual way first. */
export const groupings = {
  harvest: ['crop', 'planting', 'area'],
  inputs: ['material', 'asset', 'area'],
  'field-history': ['type', 'crop', 'asset'],
} as const
export type ReportGrouping = (typeof groupings)[ReportKind][number]
