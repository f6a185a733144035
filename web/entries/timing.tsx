import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { momentIn, secondsOf, When } from '../forms/time-controls.tsx'
import { Chip } from '../look/chip.tsx'
import { replace, route, withQuery } from '../look/router.ts'
import { people } from '../store/local-copy.ts'
import type { LocalRecord } from '../store/record.ts'
import { clock, day, dayAndClock, daysBetween, daysLater, isoDay, now, shortDay } from '../words/format.ts'
import { say } from '../words/say.ts'
import type { EntryTime } from './changes.ts'

/** Time from the address: `?when=1781000000` (done) or `?plan=2026-05-20&for=3`. Without either it is now. */
export function timing(): EntryTime {
  const { query } = route.value
  const plan = momentIn(query.get('plan') ?? '', '')
  if (plan !== null) return { kind: 'planned', at: plan, person: query.get('for') }
  const when = Number(query.get('when') ?? 0)
  return { kind: 'done', at: when > 0 ? when : now() }
}

const isNow = (): boolean => !route.value.query.has('when') && !isPlan()

export const isPlan = (): boolean => timing().kind === 'planned'

/** Chips for done or planned; a second tap opens time and owner. */
export function TimeChips({ children }: { readonly children?: ComponentChildren }): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {isPlan() ? <PlanFields /> : isOpen && <WhenField onClose={() => setOpen(false)} />}
      <div class="options">
        <Chip icon={isPlan() ? 'time' : 'check'} pressed={!isPlan()} onPress={() => beDone(() => setOpen(!isOpen))}>
          {isNow() || isPlan() ? say('entry.now') : timeWords(timing().at)}
        </Chip>
        <Chip pressed={isPlan()} onPress={isPlan() ? () => beDone(() => setOpen(false)) : bePlan}>
          {say('entry.not-done')}
        </Chip>
        {children}
      </div>
    </>
  )
}

const timeWords = (at: number): string => (daysBetween(at, now()) === 0 ? clock(at) : shortDay(at))

/** First tap turns a plan into a done log; a second tap opens the time. */
function beDone(otherwise: () => void): void {
  if (isPlan()) replace(withQuery({ plan: null, for: null }))
  else otherwise()
}

function bePlan(): void {
  replace(withQuery({ plan: isoDay(daysLater(now(), 1)), when: null }))
}

function WhenField({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <When
      label={say('entry.when')}
      at={isNow() ? 'now' : timing().at}
      onChange={(at) => {
        replace(withQuery({ when: at === null || at === 'now' ? null : String(at) }))
        if (at === 'now') onClose()
      }}
    />
  )
}

function PlanFields(): JSX.Element {
  return (
    <div class="details">
      <When
        of="plan"
        label={say('entry.plan-for')}
        at={timing().at}
        onChange={(at) => at !== null && replace(withQuery({ plan: isoDay(secondsOf(at, now())) }))}
      />
      <label class="field">
        <span class="soft">{say('entry.person')}</span>
        <select
          value={route.value.query.get('for') ?? ''}
          onChange={({ currentTarget }) => replace(withQuery({ for: currentTarget.value }))}
        >
          <option value="">{say('entry.anybody')}</option>
          {[...people.value].map(([uid, name]) => (
            <option key={uid} value={uid}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

const moment = 120

/** "Now, in Bed 3 · lot" */
export function timeLine(area: LocalRecord | undefined): string {
  const when = timing()
  const time =
    when.kind === 'planned' ? day(when.at) : now() - when.at < moment ? say('entry.now') : dayAndClock(when.at)
  return area === undefined ? time : `${time}, ${say('entry.harvest.in', { place: area.name })}`
}
