import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { daysUntilAgain, wasForAnotherDay } from '../../entry/done.ts'
import { Chip } from '../../look/chip.tsx'
import { Icon } from '../../look/icon.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { idsIn, timeOf } from '../../store/record.ts'
import { clock, day, shortDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { keepDay, planAgain, type Ticked, untick } from './ticked.ts'

/** What was just ticked: the day it was planned for, the next time, and the way back. */
export function DoneRow({ done }: { readonly done: Ticked }): JSX.Element {
  const { plan, at } = done
  const isOnItsDay = at === timeOf(plan)
  return (
    <li class="row done">
      <span class="m">
        <span class="tick on">
          <Icon name="check" />
        </span>
      </span>
      <div class="t">
        <b>{plan.name}</b>
        <small>{isOnItsDay ? say('done.kept-day', { day: shortDay(at) }) : say('done.at', { time: clock(at) })}</small>
      </div>
      <span class="e">
        <button type="button" class="btn plain undo" onClick={() => untick(done)}>
          {say('act.undo')}
          <i key={done.saves.length} />
        </button>
      </span>
      <div class="options">
        {!isOnItsDay && wasForAnotherDay(plan, at) && (
          <Chip onPress={() => keepDay(done)}>{say('done.keep-day', { day: shortDay(timeOf(plan)) })}</Chip>
        )}
        {done.again === null ? (
          <Again done={done} />
        ) : (
          <span class="soft small">{say('done.planned-again', { day: day(done.again) })}</span>
        )}
      </div>
    </li>
  )
}

function Again({ done }: { readonly done: Ticked }): JSX.Element {
  const [about] = idsIn(done.plan.fields.asset)
  const before = useLogs({
    ...(about === undefined ? {} : { asset: about }),
    done: true,
    before: timeOf(done.plan),
    limit: 100,
  })
  const [typed, setTyped] = useState<string | null>(null)
  const days = typed ?? String(daysUntilAgain(done.plan, before ?? []))
  return (
    <form
      class="options again"
      onSubmit={(event) => {
        event.preventDefault()
        if (Number(days) > 0) planAgain(done, Number(days))
      }}
    >
      <button type="submit" class="chip">
        {say('done.again')}
      </button>
      <label>
        <input
          inputmode="numeric"
          maxlength={4}
          class="num"
          aria-label={say('done.again-in')}
          value={days}
          onInput={({ currentTarget }) => setTyped(currentTarget.value.replace(/\D/g, ''))}
        />{' '}
        {say('done.days', { count: Number(days) })}
      </label>
    </form>
  )
}
