import type { JSX } from 'preact'
import { Mark } from '../look/mark.tsx'
import { useNewVersion as startNewVersion } from '../sync/shell.ts'
import { dismiss, type Notice, notices } from '../sync/status.ts'
import { say } from './device-say.ts'

/** What has to be said once, below the strip, until somebody has read it. */
export function Notices(): JSX.Element | null {
  const [first] = notices.value
  if (first === undefined) return null
  const isUpdate = first.kind === 'new-version'
  return (
    <div class="banner" role="status">
      <Mark kind="waiting" />
      <span>{words(first)}</span>
      <button type="button" class="btn plain far" onClick={isUpdate ? startNewVersion : () => dismiss(first.kind)}>
        {say(isUpdate ? 'copy.use-new-version' : 'copy.understood')}
      </button>
    </div>
  )
}

function words(one: Notice): string {
  if (one.kind === 'logs-dropped') return say('copy.logs-dropped', { days: one.days })
  if (one.kind === 'others-wait') return say('copy.others-wait', one)
  if (one.kind === 'lacking') return say('copy.lacking', one)
  if (one.kind === 'photo-unreadable') return say('copy.photo-unreadable', one)
  if (one.kind !== 'clock-off') return say(`copy.${one.kind}`)
  return say(one.minutes > 0 ? 'copy.clock-fast' : 'copy.clock-slow', { count: Math.abs(one.minutes) })
}
