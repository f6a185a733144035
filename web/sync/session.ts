import { type LockReason, readMeta, writeMeta } from '../store/database.ts'
import { lastOpened, pendingLogout } from '../store/local-storage.ts'
import { closeCopy, hideCopy, type OpenCopy, openCopy, showCopy } from '../store/open-copy.ts'
import { countUnsent } from '../store/outbox.ts'
import { type TabMessage, tellTabs } from '../store/tab-channel.ts'
import { forgetPrefetched } from './request.ts'
import { sendSignal, syncNow } from './schedule.ts'
import { type SendState, showSendState } from './send-state.ts'
import { type Status, setStatus, setUsable, status, usable } from './status.ts'

const longestAbsence = 30 * 86_400_000

/** The copy that this tab has open, locked or not. */
export const session: { copy: OpenCopy | null } = { copy: null }

/** From when this tab knows who is there until they leave it. */
let sessionAbort = new AbortController()

export const sessionEnd = (): AbortSignal => sessionAbort.signal

/** What goes on for whoever was here comes to an end. */
export function abortSession(): void {
  sessionAbort.abort()
  forgetPrefetched()
  sessionAbort = new AbortController()
}

/** Says how things stand, here and in the other tabs. */
export function announceStatus(status: Status): void {
  setStatus(status)
  tellTabs({ kind: 'status', status, usable: usable.value })
}

/** Before the server is heard: the copy of whoever was here last, if it may still be looked at. */
export function showLastSession(): Promise<void> {
  lastSessionShown = openLast()
  return lastSessionShown
}

export let lastSessionShown: Promise<void> = Promise.resolve()

async function openLast(): Promise<void> {
  const last = lastOpened()
  if (last === null) return
  const copy = await openSession(last.farm, last.uid)
  if (!(await lockIfExpired(copy))) await showSession(copy)
}

/** Whether the copy may not be looked at any more; then it is locked. */
export async function lockIfExpired(copy: OpenCopy): Promise<boolean> {
  const why = await reasonToLock(copy)
  if (why !== null) await lockSession(copy, why)
  return why !== null
}

/** The server is out of reach. */
export async function announceOffline(copy: OpenCopy | null): Promise<void> {
  if (copy === null || !(await lockIfExpired(copy))) announceStatus({ kind: 'offline', copyOf: await copyOf(copy) })
}

/** Opens the copy of a farm and an account in place of the one that was open. */
export async function openSession(farm: string, uid: string): Promise<OpenCopy> {
  if (session.copy !== null) closeCopy(session.copy)
  session.copy = await openCopy({ farm, uid }, hearTab)
  return session.copy
}

async function reasonToLock({ name, database }: OpenCopy): Promise<LockReason | null> {
  if (pendingLogout() === name) return 'logged-out'
  const now = Date.now()
  const contact = (await readMeta(database, 'contact')) ?? now
  // The clock was ahead then: from now on it counts.
  if (contact > now) await writeMeta(database, { contact: now })
  if (now - contact > longestAbsence) return 'away-too-long'
  return (await readMeta(database, 'locked')) ?? null
}

/** A copy whose first load was cut off is shown if it has what Today shows. */
export async function showSession(copy: OpenCopy): Promise<void> {
  await showCopy(copy)
  const { database } = copy
  const isComplete = (await readMeta(database, 'cursor')) !== undefined
  const walks = Object.keys((await readMeta(database, 'load'))?.walks ?? {})
  setUsable(isComplete || walks.length >= 4)
}

/** Nothing of it is seen until the same account logs in; what waits to be sent stays in it. */
export async function lockSession(copy: OpenCopy, why: LockReason): Promise<void> {
  await writeMeta(copy.database, { locked: why })
  hideCopy()
  setUsable(false)
  announceStatus({ kind: 'locked', why, waiting: await countUnsent(copy.database) })
}

/** Milliseconds: the time that the copy is of, or null where its first load is not complete. */
export async function copyOf(copy: OpenCopy | null): Promise<number | null> {
  if (copy === null || (await readMeta(copy.database, 'cursor')) === undefined) return null
  return (await readMeta(copy.database, 'copyOf')) ?? null
}

/** What another tab of the same copy says, beside what it has written. */
function hearTab(message: TabMessage): void {
  if (message.kind === 'status') follow(message.status as Status, message.usable)
  else if (message.kind === 'what-status') tellStatus()
  else if (message.kind === 'sending') showSendState(message.sending as SendState)
  else if (message.kind === 'send-now') sendSignal.wake()
  else if (message.kind === 'left') location.reload()
}

/** Whoever asks has met the server just now: a tab that thinks it out of reach looks again. */
function tellStatus(): void {
  tellTabs({ kind: 'status', status: status.value, usable: usable.value })
  if (status.value.kind === 'offline') syncNow()
}

function follow(told: Status, isUsable: boolean): void {
  if (told.kind === 'starting') return
  if (told.kind !== 'locked' && status.value.kind === 'locked') {
    location.reload()
    return
  }
  if (told.kind === 'locked') hideCopy()
  setUsable(isUsable)
  setStatus(told)
}
