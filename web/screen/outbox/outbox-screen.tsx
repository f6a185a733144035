import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { base } from '../../look/router.ts'
import { Title } from '../../look/title.tsx'
import { countUnsent } from '../../store/outbox.ts'
import { opened, shownLast } from '../../sync/shown.ts'
import { status } from '../../sync/status.ts'
import { unsent } from '../../sync/waiting.ts'
import { language } from '../../words/language.ts'
import { say } from '../device-say.ts'
import { exportAll } from './export-all.ts'
import { Lacking } from './lacking.tsx'
import { NeedsYou } from './needs-you.tsx'
import { OthersWaiting } from './others-waiting.tsx'
import { DeviceStanding } from './standing.tsx'
import { Waiting } from './waiting.tsx'

/** How much is not sent, also in a copy that nobody may look at now; null until it is known. */
export function useUnsentCount(): number | null {
  const [counted, setCounted] = useState<number | null>(null)
  const seen = unsent.value.length
  useEffect(() => {
    void shownLast
      .then(() => (opened.copy === null ? 0 : countUnsent(opened.copy.database)))
      .then(setCounted)
      .catch(() => {})
  }, [status.value, seen])
  return seen > 0 ? seen : counted
}

/** Saved? Sent? What needs a person, what waits, and how this device stands. */
export function OutboxScreen(): JSX.Element {
  const count = useUnsentCount()
  return (
    <>
      <div class="head">
        <Title text={say('outbox.title')} />
      </div>
      {count === 0 && <p class="words soft">{say('outbox.nothing')}</p>}
      {count !== null && count > unsent.value.length && <Unseen count={count} />}
      <NeedsYou />
      <Lacking />
      <Waiting />
      <OthersWaiting />
      <DeviceStanding />
    </>
  )
}

/** The copy is locked, or the account has no role any more: what waits is safe, and can be taken along. */
function Unseen({ count }: { readonly count: number }): JSX.Element {
  const { value: state } = status
  const isLocked = state.kind === 'locked'
  return (
    <section>
      <div class="sec pencil">
        <h2>{say('outbox.waiting', { count })}</h2>
      </div>
      <p class="words">
        {isLocked ? `${say('outbox.log-in', { count })} ${say('outbox.cannot-log-in')}` : say('outbox.no-right')}
      </p>
      <p class="words options">
        {isLocked && (
          <a class="btn main-do" href={`/user/login?destination=${base}/outbox&language=${language.value}`}>
            {say('shell.log-in-button')}
          </a>
        )}
        {!(isLocked && state.why === 'logged-out') && (
          <button type="button" class="btn tall" onClick={exportAll}>
            {say('outbox.export')}
          </button>
        )}
      </p>
    </section>
  )
}
