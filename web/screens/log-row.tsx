import type { ComponentChildren, JSX } from 'preact'
import { today } from '../look/day.ts'
import { Icon } from '../look/icon.tsx'
import { iconOfAsset, iconOfLog } from '../look/icon-of.ts'
import { pageOf } from '../look/link.tsx'
import { Row } from '../look/list.tsx'
import { WaitingWords } from '../look/mark.tsx'
import { isDone, type LocalRecord, timeOf } from '../store/record.ts'
import { clock, clockAndHalf, daysBetween, shortDay } from '../words/format.ts'
import { say } from '../words/say.ts'

interface LogRowProps {
  readonly log: LocalRecord
  readonly second: ComponentChildren
  /** Margin instead of the time. */
  readonly margin?: ComponentChildren
  /** Action of a tap on the ring of a plan. */
  readonly onTick?: (() => void) | undefined
}

export function LogRow({ log, second, margin, onTick }: LogRowProps): JSX.Element {
  return (
    <Row
      to={pageOf(log)}
      margin={margin ?? (isDone(log) ? <When at={timeOf(log)} /> : <Ring />)}
      title={log.name}
      second={log.waiting ? <WaitingWords waiting>{second}</WaitingWords> : second}
      end={<Picture record={log} />}
      tick={onTick && { label: say('done.tick', { name: log.name }), act: onTick }}
    />
  )
}

/** First photo, else the icon of the type. The generic icon is omitted. */
export function Picture({ record }: { readonly record: LocalRecord }): JSX.Element | null {
  const [image] = Array.isArray(record.fields.images) ? record.fields.images : []
  const icon = record.type === 'asset' ? iconOfAsset(record) : iconOfLog(record)
  if (typeof image !== 'string') return icon === 'records' ? null : <Icon name={icon} />
  return (
    <img
      class="thumb"
      src={image}
      alt=""
      width="44"
      height="44"
      loading="lazy"
      onError={({ currentTarget }) => currentTarget.remove()}
    />
  )
}

/** Mark of a plan. */
export function Ring({ tone }: { readonly tone?: 'late' }): JSX.Element {
  return <span class={tone === 'late' ? 'tick over' : 'tick'} />
}

/** "10:42" for today, "16 Jun" for other days. */
export function when(at: number): string {
  return daysBetween(at, today.value) === 0 ? clock(at) : shortDay(at)
}

/** Same text as an element for the margin. */
export function When({ at }: { readonly at: number }): JSX.Element | string {
  return daysBetween(at, today.value) === 0 ? <Clock at={at} /> : shortDay(at)
}

/** Time for the margin, on one line in every format. */
export function Clock({ at }: { readonly at: number }): JSX.Element {
  const [hour, half] = clockAndHalf(at)
  return (
    <span class="clock">
      {hour}
      {half && <small>{half}</small>}
    </span>
  )
}
