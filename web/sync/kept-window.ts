import { isDone, timeOf } from '../store/row.ts'
import type { KeptRecord } from '../store/types.ts'
import { now } from '../words/format.ts'

const hour = 3_600
const day = 24 * hour

/** Of what time done logs are kept, and how many of them. */
export const keptDays = 400
export const keptDaysWithoutRoom = 90
export const mostLogs = 20_000

/** By the full hour, so that what is asked for twice is the same. */
export const keptSince = (days: number) => now() - (now() % hour) - days * day

/** All but done logs from before that time. */
export function belongsInCopy(record: KeptRecord, since: number): boolean {
  return record.type !== 'log' || !isDone(record) || timeOf(record) >= since
}
