import { signal } from '@preact/signals'
import { chosenDay, firstDayOfCopy, momentOf } from '../look/moment.ts'
import { replace, withQuery } from '../look/router.ts'
import { isoDay, now } from '../words/format.ts'
import { dayAfter, type Year, yearOf } from './days.ts'

/** The day that the map shows; undefined is now. It runs ahead of the address, which browsers do not let change at every frame. */
export const shownDay = signal<string | undefined>(undefined)

export const isPlaying = signal(false)

const addressPace = 400
const stepPace = 110
let pending: ReturnType<typeof setTimeout> | undefined
let playing: ReturnType<typeof setInterval> | undefined

export const shownMoment = (): number => (shownDay.value === undefined ? now() : momentOf(shownDay.value))

/** The address was changed by somebody else: back, a link, the strip. */
export function followAddress(): void {
  const day = chosenDay()
  if (pending !== undefined) return
  if (day === undefined) stop()
  if (day !== shownDay.peek()) shownDay.value = day
}

export function showDay(day: string | undefined): void {
  shownDay.value = day
  if (day === undefined) {
    stop()
    clearTimeout(pending)
    pending = undefined
    replace(withQuery({ at: null }))
    return
  }
  pending ??= setTimeout(writeAddress, addressPace)
}

function writeAddress(): void {
  pending = undefined
  replace(withQuery({ at: shownDay.peek() ?? null }))
}

export function stepBy(days: number): void {
  showDay(nearestKept(dayAfter(shownDay.peek() ?? isoDay(now()), days)))
}

/** The day, or the end of the copy that it is nearest to. */
export function nearestKept(day: string): string {
  const [first, today] = [firstDayOfCopy(), isoDay(now())]
  if (day < first) return first
  return day > today ? today : day
}

/** From the chosen day on, or from the beginning of its year where nothing is left of it. */
export function play(): void {
  const last = lastDayOf(yearOf(shownDay.peek() ?? isoDay(now())))
  const from = shownDay.peek() ?? last
  showDay(nearestKept(from >= last ? `${from.slice(0, 4)}-01-01` : from))
  isPlaying.value = true
  playing = setInterval(() => {
    const next = dayAfter(shownDay.peek() ?? last, 1)
    showDay(next > last ? last : next)
    if (next >= last) stop()
  }, stepPace)
}

/** A year that is not over ends today. */
function lastDayOf({ last }: Year): string {
  const today = isoDay(now())
  return last > today ? today : last
}

export function stop(): void {
  clearInterval(playing)
  playing = undefined
  isPlaying.value = false
}

/** Nothing runs on behind another screen, nor writes into its address. */
export function leaveTime(): void {
  stop()
  clearTimeout(pending)
  pending = undefined
}
