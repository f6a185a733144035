import type { JSX } from 'preact'
import { Mark } from '../../look/mark.tsx'
import { clock, day, daysBetween, now } from '../../words/format.ts'
import { say } from './say.ts'

interface SinceProps {
  /** Seconds. */
  readonly at: number
  readonly onStartAnew: () => void
}

/** What was half drawn is here again. */
export function Since({ at, onStartAnew }: SinceProps): JSX.Element {
  const time = daysBetween(at, now()) === 0 ? clock(at) : day(at)
  return (
    <div class="banner ask round">
      <Mark kind="waiting" />
      <span>{say('draw.since', { time })}</span>
      <button type="button" class="btn plain far" onClick={onStartAnew}>
        {say('draw.start-anew')}
      </button>
    </div>
  )
}
