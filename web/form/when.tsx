import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Chip } from '../look/chip.tsx'
import { isoClock, isoDay, now } from '../words/format.ts'
import { type Moment, momentIn, type Offer, offersOf } from './moments.ts'
import { say } from './say.ts'

interface WhenProps {
  /** What it is the time of, for those who do not see it. */
  readonly label: string
  readonly at: Moment | null
  readonly onChange: (at: Moment | null) => void
  /** Plans lie ahead. */
  readonly of?: 'past' | 'plan' | undefined
  readonly describedBy?: string | undefined
}

/** A time by one tap, or by a date: one without an hour is noon on the farm. */
export function When({ label, at, onChange, of = 'past', describedBy }: WhenProps): JSX.Element {
  const offers = offersOf(of, now())
  const isOffered = offers.some((offer) => offer.at === at)
  const [isDated, setDated] = useState(at !== null && !isOffered)
  const offer = ({ name, at: offered }: Offer) => (
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
      {isDated && <DateAndHour label={label} at={isOffered ? null : at} onChange={onChange} />}
    </fieldset>
  )
}

type DateAndHourProps = Pick<WhenProps, 'label' | 'at' | 'onChange'>

function DateAndHour({ label, at, onChange }: DateAndHourProps): JSX.Element {
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
      <label class="field">
        <input
          type="time"
          aria-label={say('form.when.hour-of', { label })}
          value={hour}
          onInput={({ currentTarget }) => onChange(momentIn(date, currentTarget.value))}
        />
      </label>
    </div>
  )
}
