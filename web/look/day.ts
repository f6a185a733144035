import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { keptDays, keptSince } from '../sync/storage-quota.ts'
import { farmTime, isoDay, now, onFarm, startOfDay } from '../words/format.ts'
import { route } from './router.ts'

const minute = signal(Date.now())

/** Start of the current day on the farm; changes at midnight. */
export const today: ReadonlySignal<number> = computed(() => startOfDay(onFarm(minute.value)))

/** End of the current day; a day has 23 to 25 hours. */
export const tomorrow: ReadonlySignal<number> = computed(() => startOfDay(today.value + 36 * 3600))

export function startClock(): void {
  const tick = () => {
    minute.value = Date.now()
  }
  setInterval(tick, 60_000)
  document.addEventListener('visibilitychange', tick)
}

/** Past day in the address, such as "2026-05-03". */
export function chosenDay(): string | undefined {
  const day = route.value.query.get('at')
  return day !== null && isDay(day) ? day : undefined
}

/** Rejects a thirteenth month and 31 February. */
const isDay = (text: string): boolean =>
  /^\d{4}(-\d\d){2}$/.test(text) && new Date(text).toJSON()?.slice(0, 10) === text

/** Noon of a past day; now for today. */
export const momentOf = (day: string): number => (day < isoDay(now()) ? farmTime(`${day}T12:00:00`) : now())

/** The copy has no stays before its first day. */
export const isBeforeCopy = (at: number): boolean => at < keptSince(keptDays)

/** First day whose noon is in the copy. */
export const firstDayOfCopy = (): string => isoDay(keptSince(keptDays - 1))
