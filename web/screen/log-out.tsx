import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Loading } from '../look/loading.tsx'
import { replace, route, wasLedHere } from '../look/router.ts'
import { Title } from '../look/title.tsx'
import { sentOrNot } from '../sync/last-sending.ts'
import { logOut, removeFarm } from '../sync/leave.ts'
import { shownLast } from '../sync/shown.ts'
import { status } from '../sync/status.ts'
import { unsent } from '../sync/waiting.ts'
import { say } from './device-say.ts'
import { exportAll } from './outbox/export-all.ts'
import { useUnsentCount } from './outbox/outbox-screen.tsx'

/** Ends the session, here and on the server; the way to log in again follows. A link from elsewhere only offers it. */
export function LogOutScreen(): JSX.Element {
  const isMeant = wasLedHere() && !removes()
  const [isKnown, setKnown] = useState(false)
  useEffect(() => {
    void shownLast.then(() => {
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

/** Nothing that is not sent goes by itself. */
function LeaveWithEntries({ count }: { readonly count: number }): JSX.Element {
  const [hasFailed, setFailed] = useState(false)
  const sendFirst = async () => {
    setFailed(false)
    if ((await sentOrNot()) === 'all') await (removes() ? remove() : leave())
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
