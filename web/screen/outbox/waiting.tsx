import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { pageOf } from '../../look/address-of.ts'
import { Icon } from '../../look/icon.tsx'
import { Mark } from '../../look/mark.tsx'
import { Row } from '../../look/row.tsx'
import { sendNow, sendState, type UnsentSet, unsent, waiting } from '../../sync/send-state.ts'

import { say } from '../device-say.ts'
import { exportAll } from './export-all.ts'
import { secondOf, titleOf } from './set-words.ts'

/** What is durable here, and goes out by itself. */
export function Waiting(): JSX.Element | null {
  if (unsent.value.length === 0) return null
  return (
    <section>
      {waiting.value.length > 0 && <WaitingHead />}
      <Resting />
      <ul>
        {waiting.value.map((one) => (
          <WaitingRow key={one.set} one={one} />
        ))}
      </ul>
      <p class="words">
        <button type="button" class="btn" onClick={exportAll}>
          {say('outbox.export')}
        </button>
      </p>
    </section>
  )
}

function WaitingHead(): JSX.Element {
  return (
    <div class="sec pencil">
      <h2>{say('outbox.waiting', { count: waiting.value.length })}</h2>
      <span class="soft">
        <NextTry />
      </span>
      <button type="button" class="btn plain far" onClick={sendNow}>
        {say('outbox.try-now')}
      </button>
    </div>
  )
}

function WaitingRow({ one }: { readonly one: UnsentSet }): JSX.Element {
  const [first] = one.entries
  const isThere = first !== undefined && first.method !== 'DELETE'
  return (
    <Row
      {...(isThere ? { to: pageOf({ type: first.type, id: first.id, bundle: first.bundle }) } : {})}
      margin={<Mark kind="waiting" />}
      title={titleOf(one)}
      second={secondOf(one)}
      end={isThere && <Icon name="next" size="small" />}
    />
  )
}

function NextTry(): JSX.Element | null {
  const state = sendState.value
  const seconds = useSecondsUntil(state.kind === 'pausing' ? state.until : null)
  if (state.kind === 'under-way') return <>{say('outbox.under-way')}</>
  return state.kind === 'pausing' ? <>{say('outbox.next-try', { seconds })}</> : null
}

function Resting(): JSX.Element | null {
  const state = sendState.value
  if (state.kind !== 'resting') return null
  const words = state.why === 'log-in' ? say('outbox.log-in', { count: unsent.value.length }) : say('outbox.no-right')
  return <p class="words">{words}</p>
}

function useSecondsUntil(until: number | null): number {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)))
  const [seconds, setSeconds] = useState(left)
  useEffect(() => {
    setSeconds(left())
    const ticking = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(ticking)
  }, [until])
  return seconds
}
