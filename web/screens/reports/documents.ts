import type { HistoryDocument, SumsDocument } from '../../../src/doors/furrow/reports/report-description.ts'
import { historyGroupings, historyReport, reportGroupings } from '../../../src/reports/report-names.ts'

export type { HistoryDocument, SumsDocument }
export type ReportDocument = SumsDocument | HistoryDocument
export type SumsLine = SumsDocument['lines'][number]
export type SumsAmount = SumsLine['amounts'][number]
export type ReportedPlace = NonNullable<SumsDocument['places']>[number]

export const isHistory = (document: ReportDocument): document is HistoryDocument => document.report === historyReport

/** Groupings of each report, the default first. */
export const groupings = { ...reportGroupings, [historyReport]: historyGroupings } as const
