import type { JSX } from 'preact'
import { lacksAmount } from '../../entry/done.ts'
import { pageOf } from '../../look/address-of.ts'
import { Icon } from '../../look/icon.tsx'
import { iconOfAsset } from '../../look/icon-of.ts'
import { aboutOf, choiceLabel, dotted, flagsOf, labelOf, ownersOf } from '../../look/names.ts'
import { Row } from '../../look/row.tsx'
import { today } from '../../look/today.ts'
import { mayWrite, me } from '../../store/local-copy.ts'

import { type KeptRecord, timeOf } from '../../store/record.ts'

import { daysBetween, shortDay } from '../../words/format.ts'
import { say } from '../../words/say.ts'
import { LogRow, Ring } from '../list/log-row.tsx'
import { when } from '../list/when.tsx'
import { isFor } from './plans.ts'
import { tick } from './ticked.ts'

interface LogProps {
  readonly log: KeptRecord
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
  return <LogRow log={log} second={dotted([labelOf(log), aboutOf(log)])} />
}

/** Of a plan that is another's: whose it is. */
function whose(log: KeptRecord): string | undefined {
  if (isFor(me.value?.account.id ?? '', log)) return undefined
  return ownersOf(log).join(', ')
}

export function FlaggedRow({ record }: { readonly record: KeptRecord }): JSX.Element {
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

function whenLogged(record: KeptRecord): string | undefined {
  if (record.type !== 'log') return undefined
  return when(timeOf(record))
}

function Picture({ record }: { readonly record: KeptRecord }): JSX.Element | null {
  const [image] = Array.isArray(record.fields.images) ? record.fields.images : []
  if (typeof image !== 'string') return record.type === 'asset' ? <Icon name={iconOfAsset(record)} /> : null
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
