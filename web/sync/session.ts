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

/** Open copy of this tab, locked or not. */
export const session: { copy: OpenCopy | null } = { copy: null }

/** Aborted when the account leaves this tab. */
let sessionAbort = new AbortController()

export const sessionEnd = (): AbortSignal => sessionAbort.signal

/** Stops all work for the current account. */
export function abortSession(): void {
  sessionAbort.abort()
  forgetPrefetched()
  sessionAbort = new AbortController()
}

/** Sets the status, here and in the other tabs. */
export function announceStatus(status: Status): void {
  setStatus(status)
  tellTabs({ kind: 'status', status, usable: usable.value })
}

/** Before the server answers: shows the last copy, unless it has expired. */
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

/** Locks a copy that has expired; returns whether it did. */
export async function lockIfExpired(copy: OpenCopy): Promise<boolean> {
  const why = await reasonToLock(copy)
  if (why !== null) await lockSession(copy, why)
  return why !== null
}

export async function announceOffline(copy: OpenCopy | null): Promise<void> {
  if (copy === null || !(await lockIfExpired(copy))) announceStatus({ kind: 'offline', copyOf: await copyOf(copy) })
}

/** Opens the copy of a farm and account instead of the current one. */
export async function openSession(farm: string, uid: string): Promise<OpenCopy> {
  if (session.copy !== null) closeCopy(session.copy)
  session.copy = await openCopy({ farm, uid }, hearTab)
  return session.copy
}

async function reasonToLock({ name, database }: OpenCopy): Promise<LockReason | null> {
  if (pendingLogout() === name) return 'logged-out'
  const now = Date.now()
  const contact = (await readMeta(database, 'contact')) ?? now
  // The clock was ahead then: the time counts from now on.
  if (contact > now) await writeMeta(database, { contact: now })
  if (now - contact > longestAbsence) return 'away-too-long'
  return (await readMeta(database, 'locked')) ?? null
}

/** Shows the copy; an incomplete first load only if Today has its data. */
export async function showSession(copy: OpenCopy): Promise<void> {
  await showCopy(copy)
  const { database } = copy
  const isComplete = (await readMeta(database, 'cursor')) !== undefined
  const walks = Object.keys((await readMeta(database, 'load'))?.walks ?? {})
  setUsable(isComplete || walks.length >= 4)
}

/** Hides the copy until the same account logs in; unsent entries stay in it. */
export async function lockSession(copy: OpenCopy, why: LockReason): Promise<void> {
  await writeMeta(copy.database, { locked: why })
  hideCopy()
  setUsable(false)
  announceStatus({ kind: 'locked', why, waiting: await countUnsent(copy.database) })
}

/** Milliseconds: time of the copy; null if its first load is incomplete. */
export async function copyOf(copy: OpenCopy | null): Promise<number | null> {
  if (copy === null || (await readMeta(copy.database, 'cursor')) === undefined) return null
  return (await readMeta(copy.database, 'copyOf')) ?? null
}

/** Handles messages of other tabs about session and status. */
function hearTab(message: TabMessage): void {
  if (message.kind === 'status') follow(message.status as Status, message.usable)
  else if (message.kind === 'what-status') tellStatus()
  else if (message.kind === 'sending') showSendState(message.sending as SendState)
  else if (message.kind === 'send-now') sendSignal.wake()
  else if (message.kind === 'left') location.reload()
}

/** The asking tab has just reached the server: an offline tab tries again. */
function tellStatus(): void {
  tellTabs({ kind: 'status', status: status.value, usable: usable.value })
  if (status.value.kind === 'offline') syncNow()
}

function follow(received: Status, isUsable: boolean): void {
  if (received.kind === 'starting') return
  if (received.kind !== 'locked' && status.value.kind === 'locked') {
    location.reload()
    return
  }
  if (received.kind === 'locked') hideCopy()
  setUsable(isUsable)
  setStatus(received)
}
