import { groupBundle } from '../../../src/farm/bundle-names.ts'
import { assets } from '../../store/local-copy.ts'
import { idsIn, isDone, type LocalRecord, partsIn, timeOf } from '../../store/record.ts'
import { clock, day, daysBetween, now } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { nameOfAsset } from './facts.tsx'

/** Destination areas of a move. */
export function movedTo({ fields }: LocalRecord): readonly string[] {
  return partsIn(fields.movement).flatMap(({ area }) => idsIn(area))
}

/** Urgency of a plan: "2 days late", "due today"; null if done. */
export function planWords(log: LocalRecord): { readonly words: string; readonly isLate: boolean } | null {
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

/** Subjects of a log; groups represent their members. */
interface LogSubjects {
  readonly groups: readonly string[]
  readonly others: readonly string[]
}

export function subjectsOf({ fields }: LocalRecord): LogSubjects {
  const ids = idsIn(fields.asset)
  const groups = ids.filter((id) => assets.value.get(id)?.bundle === groupBundle)
  return { groups, others: ids.filter((id) => !groups.includes(id)) }
}

const most = 3

/** "Milkers (42)", "117, 131", "40 assets" */
export function subjectWords(log: LocalRecord): string | undefined {
  const { groups, others } = subjectsOf(log)
  const names = groups.map(nameOfAsset)
  if (groups.length > 0)
    return others.length === 0 ? names.join(', ') : say('log.group', { name: names.join(', '), count: others.length })
  if (others.length === 0) return undefined
  return others.length > most ? say('log.assets', { count: others.length }) : others.map(nameOfAsset).join(', ')
}
