import type { JSX } from 'preact'
import { today } from '../../look/today.ts'
import { clock, clockAndHalf, daysBetween, shortDay } from '../../words/format.ts'

/** "10:42" of today, "16 Jun" of other days. */
export function when(at: number): string {
  return daysBetween(at, today.value) === 0 ? clock(at) : shortDay(at)
}

/** The same for the margin. */
export function When({ at }: { readonly at: number }): JSX.Element | string {
  return daysBetween(at, today.value) === 0 ? <Clock at={at} /> : shortDay(at)
}

/** The hour for the margin, on one line however it is written. */
export function Clock({ at }: { readonly at: number }): JSX.Element {
  const [hour, half] = clockAndHalf(at)
  return (
    <span class="clock">
      {hour}
      {half && <small>{half}</small>}
    </span>
  )
}
