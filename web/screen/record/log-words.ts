import { idsIn, isDone, type KeptRecord, partsIn, timeOf } from '../../store/record.ts'

import { clock, day, daysBetween, now } from '../../words/format.ts'
import { amountIn } from './quantity.ts'
import { say } from './say.ts'

/** The areas that a log moves its assets to. */
export function movedTo({ fields }: KeptRecord): readonly string[] {
  return partsIn(fields.movement).flatMap(({ area }) => idsIn(area))
}

/** How a plan stands: "2 days late", "due today". Nothing for what is done. */
export function planWords(log: KeptRecord): { readonly words: string; readonly isLate: boolean } | null {
  if (isDone(log)) return null
  const days = daysBetween(timeOf(log), now())
  if (days > 0) return { words: say('log.late', { count: days }), isLate: true }
  return { words: days === 0 ? say('log.due-today') : say('log.due', { when: day(timeOf(log)) }), isLate: false }
}

/** "since 09:52 today", "since 3 May" */
export function sinceWords(from: number): string {
  return daysBetween(from, now()) === 0
    ? say('record.since-today', { time: clock(from) })
    : say('record.since', { day: day(from) })
}

export function daysWords(from: number, until: number | null): string {
  const days = daysBetween(from, until ?? now())
  return days === 0 ? say('record.less-than-a-day') : say('record.days', { count: days })
}

/** What was measured in a log, in one line: "15 kg, 3 crates". */
export function amountsIn({ fields }: KeptRecord): string {
  return partsIn(fields.quantity)
    .map(amountIn)
    .filter((amount) => amount !== '')
    .join(', ')
}
