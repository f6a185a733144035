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
 * Ends the session and deletes the copy. With unsent entries the copy is locked instead; without signal as well, and
 * the session ends at the next contact.
 */
export async function logOut(): Promise<void> {
  const isEnded = await leave()
  if (!isEnded) return lockUntilContact()
  await takeCopyAway()
  location.replace('/user/login')
}

/** Logs out and deletes everything of the farm on this device, also unsent entries, with or without signal. */
export async function removeFarm(): Promise<void> {
  const isEnded = await leave()
  if (session.copy !== null) await discardAll(session.copy.database)
  if (!isEnded && session.copy !== null) notePendingLogout(session.copy.name)
  await takeCopyAway()
  await removeServiceWorker()
  if (isEnded) location.replace('/user/login')
}

/** Opens the last copy if needed, then ends the session if the server can be reached. */
async function leave(): Promise<boolean> {
  await lastSessionShown
  closeStream()
  const token = memory.me.value?.csrf_token ?? null
  abortSession()
  const isEnded = await endSession(token)
  // The tab may have been shown meanwhile.
  abortSession()
  return isEnded
}

/** Requests a new token if there is none. An expired session counts as ended. */
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

/** Deletes the copy after the session has ended. */
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
