import { forever } from './stay-rows.ts'

/** The second that a question about the farm is of. */
export interface PointInTime {
  readonly second: number
  /** An asset that was archived by then counts as archived. */
  readonly archivedBy: number
}

/** At present an asset that says it is archived is, whatever time it names. */
export const atPresent = (now: number): PointInTime => ({ second: now, archivedBy: forever })

export const isPresent = ({ archivedBy }: PointInTime): boolean => archivedBy === forever

/** What was archived later was still there. */
export const inThePast = (second: number): PointInTime => ({ second, archivedBy: second })
