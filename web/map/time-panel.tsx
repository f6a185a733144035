import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { isBeforeCopy } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { dotted } from '../look/names.ts'
import { type Occupant, occupantsOf } from '../look/place/occupants.ts'
import { blocksOf, Ribbon } from '../look/place/ribbon.tsx'
import { wasLedHere } from '../look/router.ts'
import type { LocalRecord, LocalStay } from '../store/record.ts'
import { isAnimal, staysIn } from '../store/stays.ts'
import { daysBetween, farmTime, now, weekday } from '../words/format.ts'
import { locale } from '../words/locale.ts'
import { say } from '../words/say.ts'
import { areaTree } from './area-tree.ts'
import {
  dayAfter,
  dayNumberIn,
  isPlaying,
  monthsOf,
  nearestDayInCopy,
  play,
  showDay,
  shownMoment,
  stepBy,
  stopPlaying,
  yearOf,
} from './map-state.ts'
import { restAt } from './rest.tsx'

interface TimePanelProps {
  readonly isoDate: string
  readonly area: LocalRecord | undefined
}

/** Year slider: sets the shown day, and lists who was where, or in the chosen area. */
export function TimePanel({ isoDate, area }: TimePanelProps): JSX.Element {
  return (
    <>
      <span class="grip" />
      <div class="sheet-head time-head">
        <h2>{dayWords(isoDate)}</h2>
        <span class="soft small">{ago(isoDate)}</span>
      </div>
      <p class="small who-was">{whoWas(area)}</p>
      <YearSlider isoDate={isoDate} area={area} />
      <div class="time-steps">
        <button type="button" class="btn" aria-label={say('time.back')} onClick={() => stepBy(-1)}>
          <Icon name="back" />
        </button>
        <button type="button" class="btn" onClick={isPlaying.value ? stopPlaying : play}>
          <svg class="ic" viewBox="0 0 24 24" aria-hidden="true">
            <path d={isPlaying.value ? 'M7 6h10v12H7z' : 'M8 5l11 7-11 7z'} fill="currentColor" />
          </svg>
          {say(isPlaying.value ? 'time.stop' : 'time.play')}
        </button>
        <button type="button" class="btn" aria-label={say('time.on')} onClick={() => stepBy(1)}>
          <Icon name="next" />
        </button>
      </div>
      <p class="small soft">{say('time.shapes')}</p>
    </>
  )
}

/** Takes the focus, so that arrow keys move the time at once. */
function YearSlider({ isoDate, area }: TimePanelProps): JSX.Element {
  const slider = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (wasLedHere()) slider.current?.focus({ preventScroll: true })
  }, [])
  const year = yearOf(isoDate)
  const [from, until] = [farmTime(year.first), farmTime(dayAfter(year.last, 1))]
  const choose = (number: number) => {
    stopPlaying()
    showDay(nearestDayInCopy(dayAfter(year.first, number - 1)))
  }
  return (
    <div class="year">
      <Ribbon
        stays={area === undefined ? [] : animalStays(area)}
        from={from}
        until={until}
        months={monthsOf(isoDate).map((first) => ({
          at: farmTime(first),
          word: monthLetter(first),
          isChosen: first.slice(0, 7) === isoDate.slice(0, 7),
        }))}
        figures="left out"
        label={area === undefined ? year.first.slice(0, 4) : whoWas(area)}
      >
        <svg class="shown" x={share(isoDate)} aria-hidden="true">
          <path d="M0 8v42" />
          <circle r="12" />
          <path d="M-3-4l-4 4 4 4M3-4l4 4-4 4" />
        </svg>
      </Ribbon>
      <input
        type="range"
        ref={slider}
        min={1}
        max={year.days}
        value={dayNumberIn(isoDate)}
        aria-label={say('time.slider', { year: year.first.slice(0, 4) })}
        aria-valuetext={dayWords(isoDate)}
        onInput={(event) => choose(Number(event.currentTarget.value))}
      />
    </div>
  )
}

const share = (isoDate: string): string =>
  `${(((dayNumberIn(isoDate) - 1) / (yearOf(isoDate).days - 1)) * 100).toFixed(2)}%`

/** "3 May 2026": always with the year. */
const dayWords = (isoDate: string): string =>
  new Intl.DateTimeFormat(locale.value, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${isoDate}T00:00:00Z`),
  )

const monthLetter = (first: string): string =>
  new Intl.DateTimeFormat(locale.value, { month: 'narrow', timeZone: 'UTC' }).format(Date.parse(`${first}T00:00:00Z`))

function ago(isoDate: string): string {
  const at = farmTime(`${isoDate}T12:00:00`)
  const count = daysBetween(at, now())
  if (count === 0) return say('time.today', { day: weekday(at) })
  if (count === 1) return say('time.yesterday', { day: weekday(at) })
  return say('time.ago', { day: weekday(at), count })
}

/** "Milkers, 40 in Hill 2, day 3 of 6" */
function whoWas(area: LocalRecord | undefined): string {
  const at = shownMoment()
  if (isBeforeCopy(at)) return say('shell.before-copy')
  if (area === undefined) return animalsThen(at) || say('time.no-animals')
  const occupants = occupantsOf(area.id, at)
  const [first] = occupants.filter(({ isAnimal }) => isAnimal)
  if (first !== undefined) return blockWords({ who: lotWords(first), place: area.name, at, stays: animalStays(area) })
  const rest = restAt(area.id, at)
  if (typeof rest === 'number') return say('time.rested', { place: area.name, count: rest })
  const [other] = occupants
  if (other === undefined) return say('time.nobody', { place: area.name })
  return say('time.there', { who: other.asset.name, place: area.name })
}

const mostLots = 6

/** "Milkers, 40 in Hill 2 · Ewes, 64 in Hill 3" */
function animalsThen(at: number): string {
  const lots = [...areaTree.value.byId.values()].flatMap(({ id, name: place }) =>
    occupantsOf(id, at).flatMap((occupant) => (occupant.isAnimal ? { ...occupant, place } : [])),
  )
  const largest = lots.sort((one, other) => other.count - one.count).slice(0, mostLots)
  const more = lots.length - largest.length
  return dotted([
    ...largest.map((lot) => say('time.there', { who: lotWords(lot), place: lot.place })),
    more > 0 ? say('map.area.more', { count: more }) : undefined,
  ])
}

const lotWords = ({ asset: { name }, count }: Occupant): string =>
  count > 1 ? say('map.area.lot', { name, count }) : name

function blockWords({
  who,
  place,
  at,
  stays,
}: {
  who: string
  place: string
  at: number
  stays: readonly LocalStay[]
}): string {
  const block = blocksOf(stays, now()).find(({ from, until }) => from <= at && at <= until)
  if (block === undefined) return say('time.there', { who, place })
  const count = daysBetween(block.from, at) + 1
  if (block.until >= now()) return say('time.are', { who, place, day: count })
  return say('time.were', { who, place, day: count, days: daysBetween(block.from, block.until) + 1 })
}

const animalStays = ({ id }: LocalRecord): readonly LocalStay[] => staysIn(id).filter(({ asset }) => isAnimal(asset))
