import type { OpenCopy } from '../store/open-copy.ts'

/** The signal aborts when this tab is no longer the leader. */
type Work = (leadership: AbortSignal) => Promise<void>

/** Only one tab talks to the server. Waits until this tab is the leader, then runs the work; `until` ends both. */
export async function runAsLeader(copy: OpenCopy, until: AbortSignal, work: Work): Promise<void> {
  if (!('locks' in navigator)) return runWithLease(copy, until, work)
  try {
    await navigator.locks.request(copy.name, { signal: until }, () => work(until))
  } catch (error) {
    if (!until.aborted) throw error
  }
}

interface Lease {
  readonly tab: string
  readonly until: number
}

const length = 30_000
const tab = `${Date.now()}-${Math.random()}`
const leftTab = 'furrow-left-tab'

/** Plain http has no Web Locks: a lease in the database names the leader and when it expires. */
async function runWithLease(copy: OpenCopy, until: AbortSignal, work: Work): Promise<void> {
  while (!(await renewed(copy))) {
    if (until.aborted) return
    await new Promise((resolve) => setTimeout(resolve, length / 6))
  }
  const lost = new AbortController()
  const renew = async () => (await renewed(copy).catch(() => false)) || lost.abort()
  const renewing = setInterval(renew, length / 3)
  addEventListener('pagehide', noteLeft)
  try {
    if (!until.aborted) await work(AbortSignal.any([until, lost.signal]))
  } finally {
    clearInterval(renewing)
    removeEventListener('pagehide', noteLeft)
    await letGo(copy).catch(() => {})
  }
}

async function renewed({ database }: OpenCopy): Promise<boolean> {
  const transaction = database.transaction('meta', 'readwrite')
  const lease = (await transaction.store.get('lease')) as Lease | undefined
  const isMine = lease === undefined || lease.tab === tab || lease.until < Date.now() || wasLeft(lease)
  if (isMine) await transaction.store.put({ tab, until: Date.now() + length }, 'lease')
  await transaction.done
  return isMine
}

async function letGo({ database }: OpenCopy): Promise<void> {
  const { store, done } = database.transaction('meta', 'readwrite')
  if (((await store.get('lease')) as Lease | undefined)?.tab === tab) await store.delete('lease')
  await done
}

/** A page that unloads has no time for the database: the next tab reads here that its lease is over. */
const noteLeft = (): void => localStorage.setItem(leftTab, tab)

const wasLeft = (lease: Lease): boolean => lease.tab === localStorage.getItem(leftTab)
