import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { daysLater, farmTime, isoClock, isoDay, now } from '../words/format.ts'
import { say } from '../words/say.ts'
import type { ControlProps, TimeOffers } from './control.ts'

interface WhenProps {
  /** Accessible label. */
  readonly label: string
  readonly at: Moment | null
  readonly onChange: (at: Moment | null) => void
  readonly of?: TimeOffers | undefined
  readonly describedBy?: string | undefined
}

/** A time by one tap, or by date; a date without an hour is noon on the farm. */
export function When({ label, at, onChange, of = 'past', describedBy }: WhenProps): JSX.Element {
  const offers = offersOf(of, now())
  const isOffered = offers.some((offer) => offer.at === at)
  const [isDated, setDated] = useState(of === 'day' ? !isOffered : at !== null && !isOffered)
  const offer = ({ name, at: offered }: TimeOffer) => (
    <Chip
      key={name}
      pressed={!isDated && offered === at}
      onPress={() => {
        setDated(false)
        onChange(offered)
      }}
    >
      {say(`form.when.${name}`)}
    </Chip>
  )
  return (
    <fieldset class="when" aria-label={label} aria-describedby={describedBy}>
      <div class="options">
        {offers.map(offer)}
        <Chip pressed={isDated} icon="today" onPress={() => setDated(!isDated)}>
          {say('form.when.date')}
        </Chip>
      </div>
      {isDated && <DateAndHour label={label} at={isOffered ? null : at} onChange={onChange} of={of} />}
    </fieldset>
  )
}

type DateAndHourProps = Pick<WhenProps, 'label' | 'at' | 'onChange' | 'of'>

function DateAndHour({ label, at, onChange, of }: DateAndHourProps): JSX.Element {
  const [date, hour] = typeof at === 'number' ? [isoDay(at), isoClock(at)] : ['', '']
  return (
    <div class="date">
      <label class="field">
        <input
          type="date"
          aria-label={say('form.when.day-of', { label })}
          value={date}
          onInput={({ currentTarget }) => onChange(momentIn(currentTarget.value, hour))}
        />
      </label>
      {of !== 'day' && (
        <label class="field">
          <input
            type="time"
            aria-label={say('form.when.hour-of', { label })}
            value={hour}
            onInput={({ currentTarget }) => onChange(momentIn(date, currentTarget.value))}
          />
        </label>
      )}
    </div>
  )
}

export function TimestampControl({ label, value, onChange, describedBy, times }: ControlProps): JSX.Element {
  return (
    <When
      label={label}
      at={momentOf(value)}
      onChange={(at) => onChange(at === null ? undefined : String(at))}
      describedBy={describedBy}
      of={times}
    />
  )
}

/** "0" is an unset time. */
export function momentOf(value: unknown): Moment | null {
  if (value === 'now') return 'now'
  const seconds = Number(value ?? 0)
  return Number.isFinite(seconds) && seconds !== 0 ? seconds : null
}

interface Period {
  readonly value?: string
  readonly value2?: string
}

export function PeriodControl(props: ControlProps): JSX.Element {
  const { label, value, onChange } = props
  const { value: from, value2: until } = (value ?? {}) as Period
  const change = (period: Period) =>
    onChange(period.value === undefined && period.value2 === undefined ? undefined : period)
  return (
    <div class="rows">
      <p class="small soft">{say('form.from')}</p>
      <TimestampControl
        {...props}
        label={say('form.from-of', { label })}
        value={from}
        onChange={(at) => change(periodOf(at, until))}
      />
      <p class="small soft">{say('form.until')}</p>
      <TimestampControl
        {...props}
        label={say('form.until-of', { label })}
        value={until}
        onChange={(at) => change(periodOf(from, at))}
      />
    </div>
  )
}

function periodOf(from: unknown, until: unknown): Period {
  return {
    ...(typeof from === 'string' ? { value: from } : {}),
    ...(typeof until === 'string' ? { value2: until } : {}),
  }
}

/** Unix seconds, or the moment of saving. */
type Moment = number | 'now'

interface TimeOffer {
  readonly name: 'now' | 'this-morning' | 'yesterday' | 'today' | 'tomorrow' | 'in-a-week'
  readonly at: Moment
}

const morning = '08:00'

/** Times offered as chips, on the farm's clock. */
export function offersOf(of: TimeOffers, now: number): readonly TimeOffer[] {
  if (of === 'day')
    return [
      { name: 'today', at: noonOf(now) },
      { name: 'yesterday', at: noonOf(daysLater(now, -1)) },
    ]
  if (of === 'plan') {
    return [
      { name: 'today', at: noonOf(now) },
      { name: 'tomorrow', at: noonOf(daysLater(now, 1)) },
      { name: 'in-a-week', at: noonOf(daysLater(now, 7)) },
    ]
  }
  const thisMorning = farmTime(`${isoDay(now)}T${morning}:00`)
  return [
    { name: 'now', at: 'now' },
    ...(thisMorning < now ? [{ name: 'this-morning', at: thisMorning } as const] : []),
    { name: 'yesterday', at: noonOf(daysLater(now, -1)) },
  ]
}

const noonOf = (at: number): number => momentIn(isoDay(at), '') ?? at

/** Time of "2026-05-03" and "07:30" on the farm's clock: an empty hour is noon, an empty date null. */
export function momentIn(date: string, hour: string): number | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return null
  const at = farmTime(`${date}T${/^\d{2}:\d{2}/.test(hour) ? hour.slice(0, 5) : '12:00'}:00`)
  return Number.isNaN(at) ? null : at
}

export function secondsOf(at: Moment, now: number): number {
  return at === 'now' ? now : at
}
