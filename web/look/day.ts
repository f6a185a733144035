import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { keptDays, keptSince } from '../sync/storage-quota.ts'
import { farmTime, isoDay, now, onFarm, startOfDay } from '../words/format.ts'
import { route } from './router.ts'

const minute = signal(Date.now())

/** When the farm's present day began; a device that stays on sees the next one come. */
export const today: ReadonlySignal<number> = computed(() => startOfDay(onFarm(minute.value)))

/** When it ends; a day has 23 to 25 hours. */
export const tomorrow: ReadonlySignal<number> = computed(() => startOfDay(today.value + 36 * 3600))

export function startClock(): void {
  const tick = () => {
    minute.value = Date.now()
  }
  setInterval(tick, 60_000)
  document.addEventListener('visibilitychange', tick)
}

/** The day in the past that the address names, such as "2026-05-03". */
export function chosenDay(): string | undefined {
  const day = route.value.query.get('at')
  return day !== null && isDay(day) ? day : undefined
}

/** Neither a thirteenth month nor a 31 February is one. */
const isDay = (text: string): boolean =>
  /^\d{4}(-\d\d){2}$/.test(text) && new Date(text).toJSON()?.slice(0, 10) === text

/** A day stands for its noon, and today for now. */
export const momentOf = (day: string): number => (day < isoDay(now()) ? farmTime(`${day}T12:00:00`) : now())

/** Who was where then, this device does not know. */
export const isBeforeCopy = (at: number): boolean => at < keptSince(keptDays)

/** The first day whose noon is in the copy. */
export const firstDayOfCopy = (): string => isoDay(keptSince(keptDays - 1))
