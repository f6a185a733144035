import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copy } from '../../../src/words/en/copy.ts'
import { device } from '../../../src/words/en/device.ts'
import { outbox } from '../../../src/words/en/outbox.ts'
import { record } from '../../../src/words/en/record.ts'
import { Mark } from '../../look/mark.tsx'
import { Loading, Title } from '../../look/page.tsx'
import { replace, route, wasLedHere } from '../../look/router.ts'
import { ModalSheet } from '../../look/sheet.tsx'
import { inDemo } from '../../store/local-storage.ts'
import { logOut, removeFarm } from '../../sync/logout.ts'
import { trySendingAll } from '../../sync/outbox-decisions.ts'
import { unsent } from '../../sync/send-state.ts'
import { useNewVersion as startNewVersion } from '../../sync/service-worker.ts'
import { lastSessionShown } from '../../sync/session.ts'
import { dismiss, type Notice, notices, status } from '../../sync/status.ts'
import { addWords, say } from '../../words/say.ts'
import { actions, helping } from '../keys.ts'
import { BegunTray } from './begun.tsx'
import { MoreScreen } from './more.tsx'
import { OutboxScreen, useUnsentCount } from './outbox-screen.tsx'
import { exportAll } from './unsent-sets.ts'

addWords(copy, device, outbox, record)

function Part(): JSX.Element {
  const { path } = route.value
  if (path === '/outbox') return <OutboxScreen />
  // The demo has no account to log out of.
  return path === '/log-out' && !inDemo() ? <LogOutScreen /> : <MoreScreen />
}

/** Pages about this device and account, and rare notices. They are small, so they share one chunk. */
export const deviceScreens = { BegunTray, KeysSheet, Notices, Part }

const actionsHere = () => Object.entries(actions).filter(([, { may }]) => may?.() !== false)

/** Help on keyboard shortcuts; "?" opens it. */
export function KeysSheet(): JSX.Element {
  return (
    <ModalSheet title={say('keys.title')} onClose={() => (helping.value = false)}>
      <dl class="keys">
        {actionsHere().map(([key, { words }]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{say(words)}</dd>
          </div>
        ))}
      </dl>
    </ModalSheet>
  )
}

/** One-time notices below the strip, until dismissed. */
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

/** Ends the session here and on the server, then shows the login. A foreign link only offers it. */
export function LogOutScreen(): JSX.Element {
  const isMeant = wasLedHere() && !removes()
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void lastSessionShown.then(() => {
      setKnown(true)
      if (isMeant && unsent.peek().length === 0) void leave()
    })
  }, [])
  const count = useUnsentCount()
  if (!isKnown || count === null || (isMeant && count === 0)) return <Loading />
  return (
    <>
      <div class="head">
        <Title text={say(removes() ? 'copy.remove' : 'copy.log-out')} />
      </div>
      {count === 0 ? <Leave /> : <LeaveWithEntries count={count} />}
    </>
  )
}

const removes = () => route.value.query.get('remove') !== null

function Leave(): JSX.Element {
  return (
    <p class="words">
      <button type="button" class="btn" onClick={leave}>
        {say('copy.log-out')}
      </button>
    </p>
  )
}

/** Unsent entries are never dropped without a decision of the user. */
function LeaveWithEntries({ count }: { readonly count: number }): JSX.Element {
  const [hasFailed, setFailed] = useState(false)
  const sendFirst = async () => {
    setFailed(false)
    if ((await trySendingAll()) === 'all') await (removes() ? remove() : leave())
    else setFailed(true)
  }
  return (
    <div class="words ways">
      <p>
        <b>{say('outbox.leaving', { count })}</b>
        <br />
        {say('outbox.leaving-how')}
      </p>
      {hasFailed && <p role="alert">{say('outbox.could-not-send')}</p>}
      {status.value.kind !== 'locked' && (
        <button type="button" class="btn main-do" onClick={sendFirst}>
          {say('outbox.send-and-leave')}
        </button>
      )}
      <button type="button" class="btn" onClick={exportAll}>
        {say('outbox.export-and-stay')}
      </button>
      {removes() ? (
        <button type="button" class="btn" onClick={remove}>
          {say('outbox.discard-and-leave')}
        </button>
      ) : (
        <button type="button" class="btn" onClick={leave}>
          {say('outbox.keep-and-leave')}
        </button>
      )}
    </div>
  )
}

const leave = () => logOut().then(() => replace('/'))
const remove = () => removeFarm().then(() => replace('/'))
