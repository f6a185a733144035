import { newUuid } from '../../src/client/changes.ts'
import type { LocalChange } from '../store/outbox-entry.ts'
import { type LocalRecord, partsIn, timeOf } from '../store/record.ts'
import { daysBetween, isoDay } from '../words/format.ts'

type RecordUpdate = Extract<LocalChange, { verb: 'change' }>

/** Time at which a plan is done: now, or its planned hour if that is earlier today. */
export function doneAt(plan: LocalRecord, now: number): number {
  const planned = timeOf(plan)
  return isoDay(planned) === isoDay(now) && planned <= now ? planned : now
}

export function doneChange({ uuid }: LocalRecord, at: number): RecordUpdate {
  return { verb: 'change', type: 'log', uuid, fields: { done: '1', timestamp: String(at) } }
}

export const wasForAnotherDay = (plan: LocalRecord, at: number): boolean => isoDay(timeOf(plan)) !== isoDay(at)

const ofThatOnly: ReadonlySet<string> = new Set([
  ...['uid', 'created', 'changed', 'timestamp', 'done', 'images', 'files', 'geofield', 'data', 'lot_number'],
])

/** Copies the plan to another time. */
export function repeatedPlan(plan: LocalRecord, at: number): LocalChange {
  const fields = Object.fromEntries(Object.entries(plan.fields).filter(([name]) => !ofThatOnly.has(name)))
  return {
    verb: 'make',
    type: 'log',
    bundle: plan.bundle,
    uuid: newUuid(),
    fields: { name: plan.name, log_owner: [], ...fields, timestamp: String(at), done: '0' },
  }
}

const usual = 7

/** Days between the last time and this one, else a week. */
export function daysUntilAgain(plan: LocalRecord, before: readonly LocalRecord[]): number {
  const last = before.find((log) => log.uuid !== plan.uuid && log.name === plan.name && log.bundle === plan.bundle)
  if (last === undefined) return usual
  return Math.max(1, daysBetween(timeOf(last), timeOf(plan)))
}

/** True for a plan of a log type with amounts that has none yet. */
export function lacksAmount({ bundle, fields }: Pick<LocalRecord, 'bundle' | 'fields'>): boolean {
  const parts = partsIn(fields.quantity)
  if (parts.length === 0) return bundle === 'farm_harvest'
  return parts.some((part) => part.value === undefined)
}
