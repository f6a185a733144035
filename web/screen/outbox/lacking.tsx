import type { JSX } from 'preact'
import { Mark } from '../../look/mark.tsx'
import { lacking, leaveOut, sendAgain } from '../../sync/restored.ts'
import { say } from '../device-say.ts'

/** After a backup was put back: what was sent from here and is not there any more. */
export function Lacking(): JSX.Element | null {
  const count = lacking.value
  if (count === 0) return null
  return (
    <section class="card needs">
      <p class="card-title">
        <Mark kind="needs" />
        {say('outbox.lacking', { count })}
      </p>
      <div class="ways">
        <button type="button" class="btn main-do" onClick={() => void sendAgain()}>
          {say('outbox.send-again')}
        </button>
        <button type="button" class="btn" onClick={() => void leaveOut()}>
          {say('outbox.leave-out')}
        </button>
      </div>
    </section>
  )
}
