import type { ComponentChildren, JSX } from 'preact'
import { today } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { iconOfLog } from '../look/icon-of.ts'
import { pageOf } from '../look/link.tsx'
import { Row } from '../look/list.tsx'
import { WaitingWords } from '../look/mark.tsx'
import { isDone, type KeptRecord, timeOf } from '../store/record.ts'
import { clock, clockAndHalf, daysBetween, shortDay } from '../words/format.ts'
import { say } from '../words/say.ts'

interface LogRowProps {
  readonly log: KeptRecord
  readonly second: ComponentChildren
  /** In the margin, if not the time. */
  readonly margin?: ComponentChildren
  readonly end?: ComponentChildren
  /** What a tap on the ring of a plan does. */
  readonly onTick?: (() => void) | undefined
}

export function LogRow({ log, second, margin, end, onTick }: LogRowProps): JSX.Element {
  return (
    <Row
      to={pageOf(log)}
      margin={margin ?? (isDone(log) ? <When at={timeOf(log)} /> : <Ring />)}
      title={log.name}
      second={log.waiting ? <WaitingWords waiting>{second}</WaitingWords> : second}
      end={end ?? <Picture log={log} />}
      tick={onTick && { label: say('done.tick', { name: log.name }), act: onTick }}
    />
  )
}

/** An icon that says no more than "a record" is left out. */
function Picture({ log }: { readonly log: KeptRecord }): JSX.Element | null {
  const icon = iconOfLog(log)
  return icon === 'records' ? null : <Icon name={icon} />
}

/** What is planned and not done yet. */
export function Ring({ tone }: { readonly tone?: 'late' }): JSX.Element {
  return <span class={tone === 'late' ? 'tick over' : 'tick'} />
}

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
