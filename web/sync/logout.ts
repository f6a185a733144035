import { openDatabase, removeDatabase } from '../store/database.ts'
import { clearPendingLogout, forgetOpened, notePendingLogout, pendingLogout } from '../store/local-storage.ts'
import { memory } from '../store/memory.ts'
import { removeCopy } from '../store/open-copy.ts'
import { countUnsent, discardAll } from '../store/outbox.ts'
import { tellTabs } from '../store/tab-channel.ts'
import { closeStream } from './feed.ts'
import { askServer } from './request.ts'
import { removeServiceWorker } from './service-worker.ts'
import { abortSession, lastSessionShown, lockSession, session } from './session.ts'
import { setStatus, setUsable } from './status.ts'

/**
 * Ends the session and takes the copy away, unless something in it was not sent: then it stays, locked. Without signal it is locked,
 * too, and the session ends first at the next contact.
 */
export async function logOut(): Promise<void> {
  const isEnded = await leave()
  if (!isEnded) return lockUntilContact()
  await takeCopyAway()
  location.replace('/user/login')
}

/** Log out, and leave nothing of the farm on this device, with or without signal, not even what was never sent. */
export async function removeFarm(): Promise<void> {
  const isEnded = await leave()
  if (session.copy !== null) await discardAll(session.copy.database)
  if (!isEnded && session.copy !== null) notePendingLogout(session.copy.name)
  await takeCopyAway()
  await removeServiceWorker()
  if (isEnded) location.replace('/user/login')
}

/** The copy that was here last is open, even if the app has begun with leaving; then its session ends, if the server hears of it. */
async function leave(): Promise<boolean> {
  await lastSessionShown
  closeStream()
  const token = memory.me.value?.csrf_token ?? null
  abortSession()
  const isEnded = await endSession(token)
  // Somebody may have looked at this tab meanwhile.
  abortSession()
  return isEnded
}

/** A token may have aged, so a new one is asked for where there is none. A session that has ended already is ended, too. */
export async function endSession(token: string | null): Promise<boolean> {
  const answer = await askServer(`/user/logout?token=${encodeURIComponent(token ?? (await newToken()))}`, {
    method: 'POST',
  })
  return answer.failure === null || answer.failure === 'unauthenticated'
}

async function newToken(): Promise<string> {
  const answer = await askServer<{ csrf_token: string | null }>('/me.json')
  return (answer.failure === null ? answer.body.csrf_token : null) ?? ''
}

/** The session of whoever left has ended: now their copy goes. */
export async function finishLeaving(): Promise<void> {
  const name = pendingLogout()
  clearPendingLogout()
  if (name === null) return
  if (session.copy?.name === name) await takeCopyAway()
  else if (!(await hasUnsent(name))) await removeDatabase(name)
}

async function hasUnsent(name: string): Promise<boolean> {
  const database = await openDatabase(name)
  const count = await countUnsent(database)
  database.close()
  return count > 0
}

async function takeCopyAway(): Promise<void> {
  const { copy } = session
  if (copy !== null && (await countUnsent(copy.database)) > 0) return lockSession(copy, 'logged-out')
  session.copy = null
  forgetOpened()
  if (copy !== null) {
    tellTabs({ kind: 'left' })
    await removeCopy(copy)
  }
  setUsable(false)
  setStatus({ kind: 'needs-login' })
}

async function lockUntilContact(): Promise<void> {
  if (session.copy === null) return
  notePendingLogout(session.copy.name)
  await lockSession(session.copy, 'logged-out')
}
