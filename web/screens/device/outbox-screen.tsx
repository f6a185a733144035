import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../look/icon.tsx'
import { pageOf } from '../../look/link.tsx'
import { Row, Section } from '../../look/list.tsx'
import { Mark } from '../../look/mark.tsx'
import { Title } from '../../look/page.tsx'
import { base } from '../../look/router.ts'
import { whyReadOnly } from '../../look/strip.tsx'
import { me } from '../../store/local-copy.ts'
import { countUnsent } from '../../store/outbox.ts'
import { findOtherAccounts, type OtherAccountEntries, otherAccounts, sendInNameOf } from '../../sync/other-accounts.ts'
import { throwAway } from '../../sync/outbox-decisions.ts'
import { dismissLost, lostCount, resendLost } from '../../sync/restore-check.ts'
import { needing, sendNow, sendState, type UnsentSet, unsent, waiting } from '../../sync/send-state.ts'
import { lastSessionShown, session } from '../../sync/session.ts'
import { status } from '../../sync/status.ts'
import { bytes } from '../../words/format.ts'
import { language } from '../../words/language.ts'
import { say } from '../../words/say.ts'
import { ConflictCard, RefusedCard } from './outbox-cards.tsx'
import { DeviceReadiness } from './readiness.tsx'
import { exportAll, secondOf, titleOf } from './unsent-sets.ts'

/** Number of unsent sets, also in a locked copy; null until known. */
export function useUnsentCount(): number | null {
  const [counted, setCounted] = useState<number | null>(null)
  const seen = unsent.value.length
  useEffect(() => {
    void lastSessionShown
      .then(() => (session.copy === null ? 0 : countUnsent(session.copy.database)))
      .then(setCounted)
      .catch(() => {})
  }, [status.value, seen])
  return seen > 0 ? seen : counted
}

/** Entries that need the user, waiting entries, and the state of this device. */
export function OutboxScreen(): JSX.Element {
  const count = useUnsentCount()
  return (
    <>
      <div class="head">
        <Title text={say('outbox.title')} />
      </div>
      {(count ?? 0) === 0 && <p class="words soft">{count === null ? '\u00a0' : say('outbox.nothing')}</p>}
      {count !== null && count > unsent.value.length && <LockedOutbox count={count} />}
      <NeedsYou />
      <LostAfterRestore />
      <Waiting />
      <OthersWaiting />
      <DeviceReadiness />
    </>
  )
}

/** Copy locked, or account without a role: unsent entries are safe and can be exported. */
function LockedOutbox({ count }: { readonly count: number }): JSX.Element {
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

/** Entries that a restore of the server has lost. */
function LostAfterRestore(): JSX.Element | null {
  const count = lostCount.value
  if (count === 0) return null
  return (
    <section class="card needs">
      <p class="card-title">
        <Mark kind="needs" />
        {say('outbox.lacking', { count })}
      </p>
      <div class="ways">
        <button type="button" class="btn main-do" onClick={() => void resendLost()}>
          {say('outbox.send-again')}
        </button>
        <button type="button" class="btn" onClick={() => void dismissLost()}>
          {say('outbox.leave-out')}
        </button>
      </div>
    </section>
  )
}

/** Unsent entries of another account on this device. */
function OthersWaiting(): JSX.Element | null {
  useEffect(() => void findOtherAccounts(), [me.value?.account.id])
  if (otherAccounts.value.length === 0) return null
  return (
    <ul>
      {otherAccounts.value.map((one) => (
        <Row
          key={one.uid}
          margin={<Mark kind="waiting" />}
          title={say('outbox.others', { count: one.count, name: one.name })}
          second={<HowToSend one={one} />}
        />
      ))}
    </ul>
  )
}

function HowToSend({ one }: { readonly one: OtherAccountEntries }): JSX.Element {
  const { name } = one
  if (me.value?.account.role !== 'manager') return <>{say('outbox.others-how', { name })}</>
  return (
    <>
      {say('outbox.others-how', { name })} {say('outbox.send-for-how', { name })}
      <button type="button" class="btn spaced" onClick={() => void sendInNameOf(one)}>
        {say('outbox.send-for', { name })}
      </button>
    </>
  )
}

function NeedsYou(): JSX.Element | null {
  if (needing.value.length === 0) return null
  return (
    <Section title={say('outbox.needs-you')} tone="late" count={needing.value.length}>
      {needing.value.map((one) => (
        <li class="needs-card" key={one.set}>
          <Card one={one} />
        </li>
      ))}
    </Section>
  )
}

/** Milliseconds to undo a discard, instead of a confirmation. */
const longEnough = 8000

function Card({ one }: { readonly one: UnsentSet }): JSX.Element {
  const [isGoing, setGoing] = useState(false)
  useEffect(() => {
    if (!isGoing) return
    const timer = setTimeout(() => void throwAway(one), longEnough)
    return () => clearTimeout(timer)
  }, [isGoing])
  if (isGoing)
    return (
      <p class="card">
        {say('outbox.discarded', { name: titleOf(one) })}
        <button type="button" class="btn plain far" onClick={() => setGoing(false)}>
          {say('outbox.undo')}
        </button>
      </p>
    )
  const conflicting = one.entries.find(({ problem }) => (problem?.conflicts?.length ?? 0) > 0)
  const discard = () => setGoing(true)
  return conflicting === undefined ? (
    <RefusedCard one={one} onDiscard={discard} />
  ) : (
    <ConflictCard one={one} entry={conflicting} />
  )
}

/** Entries that are stored here and sent automatically. */
function Waiting(): JSX.Element | null {
  if (unsent.value.length === 0) return null
  return (
    <section>
      {waiting.value.length > 0 && <WaitingHead />}
      <Resting />
      {waiting.value.length > 0 && (
        <p class="words soft">{say('outbox.left', { size: bytes(bytesLeft(waiting.value)) })}</p>
      )}
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

/** Size of the texts and photos that are not sent. */
const bytesLeft = (sets: readonly UnsentSet[]): number =>
  sets.reduce(
    (sum, { entries, photos }) =>
      sum + JSON.stringify(entries.map(({ body }) => body)).length + photos.reduce((all, { size }) => all + size, 0),
    0,
  )

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
  const words =
    state.why === 'log-in' ? say('outbox.log-in', { count: waiting.value.length }) : whyReadOnly(say('outbox.no-right'))
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
