import type { ComponentChildren, JSX } from 'preact'
import { Section } from '../../look/list.tsx'
import { amountsIn, dotted } from '../../look/names.ts'
import { type LocalRecord, timeOf } from '../../store/record.ts'
import type { Failure } from '../../sync/request.ts'
import { dayOfMonth, now, shortMonth, year } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { LogRow } from '../log-row.tsx'
import { planWords } from './log-words.ts'
import { isStillLoading, type LogsSoFar } from './paged-logs.ts'

interface ToDoProps {
  readonly plans: readonly LocalRecord[]
  readonly aside: (log: LocalRecord) => string | undefined
}

/** Plans in time order: late ones first. */
export function ToDo({ plans, aside }: ToDoProps): JSX.Element | null {
  if (plans.length === 0) return null
  return (
    <Section title={say('record.to-do')} count={plans.length}>
      {plans.toReversed().map((log) => (
        <TimelineRow log={log} aside={aside(log)} key={log.uuid} />
      ))}
    </Section>
  )
}

/** Why older logs could not be loaded. */
export const olderLogsFailure = ({ failure }: Failure): string =>
  say(failure === 'offline' ? 'record.older-needs-signal' : 'record.older-failed')

interface TimelineProps {
  readonly title: string
  readonly soFar: LogsSoFar
  readonly children: readonly ComponentChildren[]
}

/** Timeline with a button for older logs. */
export function Timeline({ title, soFar: { failure, showMore, isAsking }, children }: TimelineProps): JSX.Element {
  return (
    <>
      <Section title={title}>{children}</Section>
      {children.length === 0 && (
        <p class="words soft">{isStillLoading() ? say('record.still-loading') : say('record.nothing-yet')}</p>
      )}
      <p class="words soft" role="status">
        {failure && olderLogsFailure(failure)}
      </p>
      {showMore && (
        <p class="words">
          <button type="button" class="btn" disabled={isAsking} onClick={showMore}>
            {say('record.older')}
          </button>
        </p>
      )}
    </>
  )
}

interface TimelineRowProps {
  readonly log: LocalRecord
  /** Context that the page does not show: "with Milkers", "North 3". */
  readonly aside: string | undefined
}

/** Row of a timeline, with the day in the margin. */
export function TimelineRow({ log, aside }: TimelineRowProps): JSX.Element {
  const plan = planWords(log)
  const words = dotted([aside, amountsIn(log)])
  return (
    <LogRow
      log={log}
      margin={<Day at={timeOf(log)} />}
      second={
        <>
          {plan && <span class={plan.isLate ? 'late' : 'due'}>{plan.words}</span>}
          {plan && words !== '' && ' · '}
          {words}
        </>
      }
    />
  )
}

/** "16 Jun", with the year below if it is not this one. */
function Day({ at }: { readonly at: number }): JSX.Element {
  return (
    <span class="day">
      <b>{dayOfMonth(at)}</b> {shortMonth(at)}
      {year(at) !== year(now()) && <> {year(at)}</>}
    </span>
  )
}
