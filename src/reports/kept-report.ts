import type { Snapshot } from '../storage/database.ts'

export const keptReportNames = ['harvest', 'inputs', 'field-history'] as const
export type KeptReportName = (typeof keptReportNames)[number]

export interface WantedReport {
  readonly report: KeptReportName
  /** As its address has it: from=2026-01-01&group=area. */
  readonly query: string
  readonly base: string
}

/** A report as its address answers it, and the logs that it counts. */
export interface ToldReport {
  readonly document: { readonly from: string; readonly to: string; readonly time_zone: string }
  readonly logs: readonly number[]
}

export type TellReport = (snapshot: Snapshot, wanted: WantedReport) => Promise<ToldReport>
