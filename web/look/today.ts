import { computed, type ReadonlySignal, signal } from '@preact/signals'
import { onFarm, startOfDay } from '../words/format.ts'

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
