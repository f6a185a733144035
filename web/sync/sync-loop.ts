import { commit } from '../store/commit.ts'
import { readMeta, writeMeta } from '../store/database.ts'
import { memory } from '../store/memory.ts'
import { keepPeople, type OpenCopy } from '../store/open-copy.ts'
import { forgetSent } from '../store/outbox.ts'
import { type CatalogueDocument, typeOnTheWire } from '../store/record.ts'
import { trimmedFromWire } from '../store/wire-record.ts'
import { clockAhead } from '../words/format.ts'
import { applyFeed, closeStream, type FeedBatch, openStream, readFeed } from './feed.ts'
import { loadEverything } from './first-load.ts'
import type { RecordListPage } from './list-pages.ts'
import { assetsDue, loadAllStays, loadStaysOf, mostAssets } from './load-stays.ts'
import { readCatalogue } from './login.ts'
import { findOtherAccounts } from './other-accounts.ts'
import { askServerOrThrow, type Failure, offlineFailure, ServerFailure } from './request.ts'
import { backoff, syncNow, untilNextRound } from './schedule.ts'
import { keepSending } from './sender.ts'
import { announceOffline, announceStatus, lockSession } from './session.ts'
import { setUsable, status } from './status.ts'
import { dropOldLogs, freeSpace, isQuotaExceeded } from './storage-quota.ts'

/** Sends the queue and keeps the local copy up to date, until the tab is hidden or the account may not read any more. */
export async function runSync(copy: OpenCopy, until: AbortSignal): Promise<void> {
  const reading = new AbortController()
  const sent = keepSending(copy.database, AbortSignal.any([until, reading.signal]))
  try {
    await keepReading(copy, until)
  } finally {
    reading.abort()
    await sent
  }
}

async function keepReading(copy: OpenCopy, until: AbortSignal): Promise<void> {
  let failures = 0
  let isFirst = true
  while (!until.aborted) {
    const failure = await serialized(() => round(copy))
    if (failure === null && isFirst) await serialized(() => housekeeping(copy))
    isFirst &&= failure !== null
    if (failure === null && !until.aborted) await listen(copy)
    if (failure !== null && !(await goesOn(copy, failure))) break
    failures = failure === null ? 0 : failures + 1
    await untilNextRound(failure === null ? undefined : backoff(failures, failure.retryAfter), until)
  }
  closeStream()
}

/** A round and the event stream never write at the same time. */
let last: Promise<unknown> = Promise.resolve()

function serialized<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work)
  last = next.catch(() => {})
  return next
}

/** One round: reads the feed since the cursor, or does the first load. */
async function round(copy: OpenCopy): Promise<Failure | null> {
  try {
    await catchUp(copy)
    await noteContact(copy)
    return null
  } catch (error) {
    if (error instanceof ServerFailure) return error.failure
    if (!isQuotaExceeded(error)) throw error
    return (await freeSpace(copy)) === 'some' ? round(copy) : noRoom
  }
}

const noRoom: Failure = { ...offlineFailure, failure: 'failed' }

async function catchUp(copy: OpenCopy): Promise<void> {
  const isLoaded = (await readMeta(copy.database, 'cursor')) !== undefined
  if (!isLoaded || (await readMeta(copy.database, 'reload'))) await load(copy)
  if ((await readFeed(copy, catalogueNow())) === 'another-catalogue') {
    await readCatalogue(copy)
    return catchUp(copy)
  }
  await followChanges(copy, catalogueNow())
}

async function load(copy: OpenCopy): Promise<void> {
  announceStatus({ kind: 'loading', share: 0 })
  return loadEverything({
    copy,
    catalogue: catalogueNow(),
    tell: (share) => announceStatus({ kind: 'loading', share }),
    becomeUsable: () => setUsable(true),
  })
}

function catalogueNow() {
  const { value } = memory.catalogue
  if (value === null) throw new Error('The catalogue is read before the records.')
  return value
}

async function noteContact({ database }: OpenCopy): Promise<void> {
  const at = Date.now()
  await commit(database, { meta: { contact: at, copyOf: at, clockAhead: clockAhead() } })
  announceStatus({ kind: 'sent', at })
}

/** Once per session, after the first round. */
async function housekeeping(copy: OpenCopy): Promise<void> {
  await dropOldLogs(copy)
  await loadPeople(copy).catch(() => {})
  await forgetSent(copy.database)
  await findLostAfterRestore(copy).catch(() => {})
  await findOtherAccounts()
}

/** Rarely needed: its code is loaded on demand. */
async function findLostAfterRestore({ database }: OpenCopy): Promise<void> {
  const { findLost } = await import('./restore-check.ts')
  return findLost(database)
}

function listen(copy: OpenCopy): Promise<void> {
  return openStream(copy, { take: (batch) => serialized(() => takeLive(copy, batch)), lookAgain: syncNow })
}

async function takeLive(copy: OpenCopy, batch: FeedBatch): Promise<void> {
  try {
    await applyFeed(copy, catalogueNow(), batch)
    await followChanges(copy, catalogueNow())
    await noteContact(copy)
  } catch {
    syncNow()
  }
}

/** Tells whether there is a next round after a failure. After 410 Gone the app identifies itself again: the farm may be another. */
async function goesOn(copy: OpenCopy, { failure }: Failure): Promise<boolean> {
  closeStream()
  if (failure === 'unauthenticated') {
    await lockSession(copy, 'session-ended')
    return false
  }
  if (failure === 'forbidden') {
    announceStatus({ kind: 'no-role' })
    return false
  }
  if (failure === 'gone') {
    await writeMeta(copy.database, { reload: true, doubted: true })
    syncNow()
    return false
  }
  await announceOffline(copy)
  return status.value.kind !== 'locked'
}

interface UserList {
  readonly list: readonly { readonly id: string; readonly name: string }[]
}

/** Names of accounts: they are not in the feed, so they are loaded at each start. */
async function loadPeople(copy: OpenCopy): Promise<void> {
  const { body } = await askServerOrThrow<UserList>('/user.json?limit=1000')
  await keepPeople(
    copy,
    body.list.map(({ id, name }) => [id, name] as const),
  )
}

/** Reloads what changes imply but do not contain: stays, memberships and inventories of assets. */
async function followChanges(copy: OpenCopy, catalogue: CatalogueDocument): Promise<void> {
  const { database } = copy
  const { assets: due, at } = await assetsDue(copy)
  const wanted = (await readMeta(database, 'staysWanted')) ?? []
  const moved = wanted === 'all' ? [] : [...new Set([...wanted, ...due])]
  if (wanted === 'all' || moved.length > mostAssets) await loadAllStays(copy)
  else await loadStaysOf(copy, moved)
  const counted = (await readMeta(database, 'inventoriesWanted')) ?? []
  await loadInventoriesOf(copy, catalogue, counted)
  await commit(database, { meta: { staysWanted: null, inventoriesWanted: null, staysAt: at } })
}

const assetsAtOnce = 100

async function loadInventoriesOf(
  copy: OpenCopy,
  catalogue: CatalogueDocument,
  assets: readonly string[],
): Promise<void> {
  for (let first = 0; first < assets.length; first += assetsAtOnce) {
    const some = assets.slice(first, first + assetsAtOnce)
    const query = new URLSearchParams([
      ['with', 'uuid,version,inventory,withheld'],
      ['files', 'link'],
      ['limit', String(assetsAtOnce)],
      ...some.map((id) => ['id', id] as [string, string]),
    ])
    const { body } = await askServerOrThrow<RecordListPage>(`/${typeOnTheWire.asset}.json?${query}`)
    // Null means that nothing is left. It becomes '0', because `commit` keeps an inventory that an answer omits.
    const batch = body.list.map((wire) => ({ ...wire, inventory: wire.inventory ?? '0' }))
    await commit(copy.database, { kept: batch.map((wire) => trimmedFromWire(wire, { type: 'asset', catalogue })) })
  }
}
