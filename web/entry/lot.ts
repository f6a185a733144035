import type { KeptRecord } from '../store/record.ts'
import { dayOfYear, isoDay } from '../words/format.ts'

/** "2026-167-412": the day, and the planting's number, or, before it has one, how its UUID begins. */
export function suggestedLot(at: number, { id, uuid }: Pick<KeptRecord, 'id' | 'uuid'>): string {
  const planting = id === uuid ? uuid.slice(0, 4) : id
  return [isoDay(at).slice(0, 4), String(dayOfYear(at)).padStart(3, '0'), planting].join('-')
}
