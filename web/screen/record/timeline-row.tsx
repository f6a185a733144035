import type { JSX } from 'preact'
import { Icon } from '../../look/icon.tsx'
import { iconOfLog } from '../../look/icon-of.ts'
import { dotted } from '../../look/names.ts'
import { type KeptRecord, timeOf } from '../../store/record.ts'

import { dayOfMonth, now, shortMonth, year } from '../../words/format.ts'
import { LogRow } from '../list/log-row.tsx'
import { amountsIn, planWords } from './log-words.ts'
import { pathsIn } from './photos-of.ts'

interface TimelineRowProps {
  readonly log: KeptRecord
  /** "with Milkers", "North 3": what the page that it stands on does not say already. */
  readonly aside: string | undefined
}

/** A line of a timeline: the day in the margin, what happened beside it. */
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
      end={<LogPicture log={log} />}
    />
  )
}

/** "16 Jun", and the year under it if it is not this one. */
function Day({ at }: { readonly at: number }): JSX.Element {
  return (
    <span class="day">
      <b>{dayOfMonth(at)}</b> {shortMonth(at)}
      {year(at) !== year(now()) && <> {year(at)}</>}
    </span>
  )
}

function LogPicture({ log }: { readonly log: KeptRecord }): JSX.Element {
  const [path] = pathsIn(log.fields.images)
  if (path === undefined) return <Icon name={iconOfLog(log)} />
  return <img class="thumb" src={path} alt="" loading="lazy" decoding="async" width={44} height={44} />
}
