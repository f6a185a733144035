import { signal } from '@preact/signals'
import { chosenDay, firstDayOfCopy, momentOf } from '../look/day.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import { me } from '../store/local-copy.ts'
import { isoDay, now } from '../words/format.ts'
import { areaTree } from './area-tree.ts'
import type { BackgroundLayer } from './farm-map.ts'

/** The address holds the state of the map: `/map?area=12&at=2026-05-03&by=rest&view=list`. */
export const chosenArea = (): string | undefined => {
  const given = route.value.query.get('area')
  if (given === null) return undefined
  const { byId } = areaTree.value
  if (byId.has(given)) return given
  for (const area of byId.values()) if (area.uuid === given) return area.id
  return undefined
}

export const colours = (): 'kind' | 'rest' => (route.value.query.get('by') === 'rest' ? 'rest' : 'kind')

export const showsList = (): boolean => route.value.query.get('view') === 'list'

/** Same map with the sheet of an area. */
export const addressOfArea = (id: string): string => withQuery({ area: id })

/** Back closes the sheet that the first tap opened; further areas replace the address. */
export function chooseArea(id: string): void {
  if (chosenArea() === undefined) go(addressOfArea(id))
  else replace(addressOfArea(id))
}

export function closeArea(): void {
  if (chosenArea() !== undefined) replace(withQuery({ area: null }))
}

/** Background layer of this device, per farm. No tile is requested until the user chooses one. */
const chosenName = signal<string | undefined>(undefined)
let readFor: string | undefined

const keyOf = (farm: string): string => `furrow-layer-${farm}`

export function chosenLayer(): BackgroundLayer | undefined {
  const farm = me.value?.farm.uuid
  if (farm !== undefined && farm !== readFor) {
    readFor = farm
    chosenName.value = localStorage.getItem(keyOf(farm)) ?? undefined
  }
  return me.value?.map_layers.find(({ name }) => name === chosenName.value)
}

export function chooseLayer(layer: BackgroundLayer | undefined): void {
  chosenName.value = layer?.name
  const farm = me.peek()?.farm.uuid
  if (farm === undefined) return
  if (layer === undefined) localStorage.removeItem(keyOf(farm))
  else localStorage.setItem(keyOf(farm), layer.name)
}

/** Shown day; undefined is now. Runs ahead of the address, which browsers do not let change at every frame. */
export const shownDay = signal<string | undefined>(undefined)

export const isPlaying = signal(false)

const addressPace = 400
const stepPace = 110
let pending: ReturnType<typeof setTimeout> | undefined
let playing: ReturnType<typeof setInterval> | undefined

export const shownMoment = (): number => (shownDay.value === undefined ? now() : momentOf(shownDay.value))

/** Follows changes of the address by Back or links. */
export function readDayFromAddress(): void {
  const day = chosenDay()
  if (pending !== undefined) return
  if (day === undefined) stopPlaying()
  if (day !== shownDay.peek()) shownDay.value = day
}

export function showDay(day: string | undefined): void {
  shownDay.value = day
  if (day === undefined) {
    stopPlaying()
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
  showDay(nearestDayInCopy(dayAfter(shownDay.peek() ?? isoDay(now()), days)))
}

/** The day, limited to the period of the copy. */
export function nearestDayInCopy(day: string): string {
  const [first, today] = [firstDayOfCopy(), isoDay(now())]
  if (day < first) return first
  return day > today ? today : day
}

/** Plays from the shown day, or from the start of its year if it is the last. */
export function play(): void {
  const last = lastDayOf(yearOf(shownDay.peek() ?? isoDay(now())))
  const from = shownDay.peek() ?? last
  showDay(nearestDayInCopy(from >= last ? `${from.slice(0, 4)}-01-01` : from))
  isPlaying.value = true
  playing = setInterval(() => {
    const next = dayAfter(shownDay.peek() ?? last, 1)
    showDay(next > last ? last : next)
    if (next >= last) stopPlaying()
  }, stepPace)
}

/** The current year ends today. */
function lastDayOf({ last }: Year): string {
  const today = isoDay(now())
  return last > today ? today : last
}

export function stopPlaying(): void {
  clearInterval(playing)
  playing = undefined
  isPlaying.value = false
}

/** Stops playing when another screen opens. */
export function stopTime(): void {
  stopPlaying()
  clearTimeout(pending)
  pending = undefined
}

/** Days are written as in addresses, "2026-05-03", without time zone. */
const dayLength = 86_400_000

const numberOf = (isoDate: string): number => Date.parse(`${isoDate}T00:00:00Z`)

export const dayAfter = (isoDate: string, days: number): string =>
  new Date(numberOf(isoDate) + days * dayLength).toISOString().slice(0, 10)

interface Year {
  readonly first: string
  readonly last: string
  readonly days: number
}

export function yearOf(isoDate: string): Year {
  const year = isoDate.slice(0, 4)
  const [first, last] = [`${year}-01-01`, `${year}-12-31`]
  return { first, last, days: dayNumberIn(last) }
}

/** 1 on 1 January. */
export const dayNumberIn = (isoDate: string): number =>
  Math.round((numberOf(isoDate) - numberOf(`${isoDate.slice(0, 4)}-01-01`)) / dayLength) + 1

export const monthsOf = (isoDate: string): readonly string[] =>
  Array.from({ length: 12 }, (_, month) => `${isoDate.slice(0, 4)}-${String(month + 1).padStart(2, '0')}-01`)
