import { type ReadonlySignal, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { daysUntilAgain, doneAt, doneChange, lacksAmount, repeatedPlan, wasForAnotherDay } from '../../entries/done.ts'
import { Chip } from '../../look/chip.tsx'
import { today } from '../../look/day.ts'
import { Icon } from '../../look/icon.tsx'
import { pageOf } from '../../look/link.tsx'
import { Row } from '../../look/list.tsx'
import { aboutOf, choiceLabel, dotted, flagsOf, labelOf, ownersOf, summaryOf } from '../../look/names.ts'
import { go } from '../../look/router.ts'
import { offerUndo, takeBack, toastOnFailure } from '../../look/undo.tsx'
import { useLogs } from '../../look/use-logs.ts'
import { mayWrite, me } from '../../store/local-copy.ts'
import { idsIn, type LocalRecord, timeOf } from '../../store/record.ts'
import { type LocalChange, type SavedSet, save } from '../../sync/save.ts'
import { clock, day, daysBetween, daysLater, now, shortDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { LogRow, Picture, Ring, when } from '../log-row.tsx'
import { isAssignedTo } from './plans.ts'

interface LogProps {
  readonly log: LocalRecord
}

export function LateRow({ log }: LogProps): JSX.Element {
  const at = timeOf(log)
  return (
    <LogRow
      log={log}
      margin={<Ring tone="late" />}
      onTick={mayWrite() ? () => tick(log) : undefined}
      second={
        <>
          <span class="late">{say('today.days-late', { count: daysBetween(at, today.value) })}</span>
          {` · ${dotted([say('today.planned', { day: shortDay(at) }), whose(log)])}`}
        </>
      }
    />
  )
}

export function PlannedRow({ log }: LogProps): JSX.Element {
  const at = timeOf(log)
  const ahead = daysBetween(today.value, at) > 0 ? shortDay(at) : undefined
  const asks = mayWrite() && lacksAmount(log) ? say('done.asks-amount') : undefined
  return (
    <LogRow
      log={log}
      second={dotted([ahead, labelOf(log), aboutOf(log), asks, whose(log)])}
      onTick={mayWrite() ? () => tick(log) : undefined}
    />
  )
}

export function RecordedRow({ log }: LogProps): JSX.Element {
  return <LogRow log={log} second={summaryOf(log)} />
}

/** Owner of a plan of another account. */
function whose(log: LocalRecord): string | undefined {
  if (isAssignedTo(me.value?.account.id ?? '', log)) return undefined
  return ownersOf(log).join(', ')
}

export function FlaggedRow({ record }: { readonly record: LocalRecord }): JSX.Element {
  const flags = flagsOf(record).map((flag) => choiceLabel('flags', flag))
  return (
    <Row
      to={pageOf(record)}
      margin={<Icon name="flag" />}
      title={record.name}
      second={dotted([record.type === 'log' ? aboutOf(record) : labelOf(record), whenLogged(record), ...flags])}
      end={<Picture record={record} />}
    />
  )
}

function whenLogged(record: LocalRecord): string | undefined {
  if (record.type !== 'log') return undefined
  return when(timeOf(record))
}

/** A plan just ticked: its planned day, a repeat, and Undo. */
export function DoneRow({ done }: { readonly done: TickedPlan }): JSX.Element {
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

function Again({ done }: { readonly done: TickedPlan }): JSX.Element {
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

/** A plan just ticked; it stays in its row until Undo expires. */
export interface TickedPlan {
  /** The plan before. */
  readonly plan: LocalRecord
  readonly at: number
  readonly saves: readonly SavedSet[]
  readonly again: number | null
}

const all = signal<readonly TickedPlan[]>([])
const seconds = 8

export const ticked: ReadonlySignal<readonly TickedPlan[]> = all

/** Marks a plan as done now; a plan without its amount asks for it first. */
async function tick(plan: LocalRecord): Promise<void> {
  if (lacksAmount(plan)) return go(`/add/done?log=${plan.id}`)
  const at = doneAt(plan, now())
  await note({ plan, at, saves: [], again: null }, doneChange(plan, at))
}

/** Sets the done time to the planned day. */
const keepDay = (done: TickedPlan): Promise<void> => {
  const at = timeOf(done.plan)
  return note({ ...done, at }, doneChange(done.plan, at))
}

function planAgain(done: TickedPlan, days: number): Promise<void> {
  const at = daysLater(now(), days)
  return note({ ...done, again: at }, repeatedPlan(done.plan, at))
}

async function untick({ plan, saves }: TickedPlan): Promise<void> {
  leave(plan)
  await takeBack(saves)
}

async function note(done: TickedPlan, change: LocalChange): Promise<void> {
  const saved = await toastOnFailure(save([change]))
  if (saved === null) return
  const saves = [...done.saves, saved]
  offerUndo(saves, say('done.said', { name: done.plan.name }), 'by-the-page')
  leave(done.plan)
  all.value = [...all.value, { ...done, saves }]
  running.set(done.plan.uuid, setTimeout(leaveUnlessHeld, seconds * 1000, done.plan))
}

const running = new Map<string, ReturnType<typeof setTimeout>>()

function leave({ uuid }: LocalRecord): void {
  clearTimeout(running.get(uuid))
  all.value = all.value.filter(({ plan }) => plan.uuid !== uuid)
}

/** Keeps the row while the user touches it or types. */
function leaveUnlessHeld(plan: LocalRecord): void {
  if (document.querySelector('.row.done:is(:hover, :focus-within)') === null) leave(plan)
  else running.set(plan.uuid, setTimeout(leaveUnlessHeld, 1000, plan))
}
