import { type KeptRecord, timeOf } from '../../store/record.ts'

import { isoDay } from '../../words/format.ts'

export interface Day {
  /** "2026-06-16" on the farm. */
  readonly day: string
  readonly logs: readonly KeptRecord[]
  /** Whether the day began before these logs: then its heading stands there. */
  readonly goesOn: boolean
}

/** Logs that are in the order of time, by day; `before` is the one in front of them. */
export function daysOf(logs: readonly KeptRecord[], before: KeptRecord | undefined): readonly Day[] {
  const days: { day: string; logs: KeptRecord[]; goesOn: boolean }[] = []
  const earlier = before === undefined ? null : dayOf(before)
  for (const log of logs) {
    const day = dayOf(log)
    const present = days.at(-1)
    if (present?.day === day) present.logs.push(log)
    else days.push({ day, logs: [log], goesOn: present === undefined && earlier === day })
  }
  return days
}

export function dayOf(log: KeptRecord): string {
  return isoDay(timeOf(log))
}
