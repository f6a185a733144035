import { type ChangePage, changePages, changesPath, type FarmChange } from '../../src/client/changes.ts'
import { commit } from '../store/commit.ts'
import { readMeta } from '../store/database.ts'
import { memory } from '../store/memory.ts'
import type { OpenCopy } from '../store/open-copy.ts'
import {
  assetsNamedIn,
  type CatalogueDocument,
  type CopyRow,
  isArchived,
  type LocalRecord,
  partsIn,
  typeFromTheWire,
} from '../store/record.ts'
import { assetsMovedBy } from '../store/stays.ts'
import { trimmedFromWire, type WireRecord } from '../store/wire-record.ts'
import { moves } from './load-stays.ts'
import { askServerOrThrow } from './request.ts'
import { belongsInCopy, keptDays, keptSince } from './storage-quota.ts'

type WireChange = FarmChange<WireRecord>

export interface FeedBatch {
  readonly changes: readonly WireChange[]
  /** Cursor after these changes. */
  readonly next: string
}

/** Reads all changes since the cursor. Returns whether the catalogue has changed. */
export async function readFeed(
  copy: OpenCopy,
  catalogue: CatalogueDocument,
): Promise<'same-catalogue' | 'another-catalogue'> {
  const since = (await readMeta(copy.database, 'cursor')) ?? ''
  const read = async (path: string) => (await askServerOrThrow<ChangePage<WireRecord>>(path)).body
  let cursor = since
  for await (const page of changePages(read, since)) {
    if (page.catalogue !== catalogue.catalogue) return 'another-catalogue'
    if (page.next !== cursor) await applyFeed(copy, catalogue, page)
    cursor = page.next
  }
  return 'same-catalogue'
}

/** Stores changes, the cursor after them, and the affected stays and inventories, in one transaction. */
export async function applyFeed(
  copy: OpenCopy,
  catalogue: CatalogueDocument,
  { changes, next }: FeedBatch,
): Promise<void> {
  const { database } = copy
  const since = keptSince((await readMeta(database, 'keptDays')) ?? keptDays)
  const known = lastOfEach(changes.filter(({ type }) => typeFromTheWire(type) !== undefined))
  const before = await Promise.all(known.map(({ uuid }) => database.get('record', uuid)))
  const after = known.map((change) => recordIn(change, catalogue))
  const touched = new TouchedAssets()
  known.forEach((change, index) => {
    touched.note(change, before[index], after[index])
  })
  const kept = after.filter((record) => record !== undefined && belongsInCopy(record, since))
  const stays = new Set(kept.map((record) => record?.uuid))
  await commit(database, {
    kept: kept.filter((record) => record !== undefined),
    removed: known.map(({ uuid }) => uuid).filter((uuid) => !stays.has(uuid)),
    meta: {
      cursor: next,
      staysWanted: joined((await readMeta(database, 'staysWanted')) ?? [], touched.moved),
      inventoriesWanted: [...new Set([...((await readMeta(database, 'inventoriesWanted')) ?? []), ...touched.counted])],
    },
  })
}

/** The event stream contains every change: only the last of each record counts. */
const lastOfEach = (changes: readonly WireChange[]): WireChange[] => [
  ...new Map(changes.map((change) => [change.uuid, change])).values(),
]

function recordIn({ type, verb, record }: WireChange, catalogue: CatalogueDocument): LocalRecord | undefined {
  const known = typeFromTheWire(type)
  return verb === 'remove' || record === undefined || known === undefined
    ? undefined
    : trimmedFromWire(record, { type: known, catalogue })
}

function joined(wanted: readonly string[] | 'all', more: ReadonlySet<string>): readonly string[] | 'all' {
  return wanted === 'all' ? 'all' : [...new Set([...wanted, ...more])]
}

/** Assets that changes may have moved, and assets whose inventory they may have changed. */
class TouchedAssets {
  readonly moved = new Set<string>()
  readonly counted = new Set<string>()

  note({ type: name, id, verb }: WireChange, before: CopyRow | undefined, after: LocalRecord | undefined): void {
    const type = typeFromTheWire(name)
    if (type === 'asset' && isArchivedOrNone(before) !== isArchivedOrNone(after)) {
      this.moved.add(id)
      this.counted.add(id)
    }
    if (type !== 'log') return
    for (const asset of assetsMovedBy(id)) this.moved.add(asset)
    if (before === undefined && verb !== 'create') this.#noteAllCounted()
    for (const log of [before, after]) if (log !== undefined) this.#noteLog(log)
  }

  /** A log outside of the copy has changed or is gone: it may affect any inventory. */
  #noteAllCounted(): void {
    for (const { id, fields } of memory.assets.value.values()) if (fields.inventory !== undefined) this.counted.add(id)
  }

  #noteLog(log: LocalRecord): void {
    if (moves(log.fields)) for (const asset of assetsNamedIn(log)) this.moved.add(asset)
    for (const part of partsIn(log.fields.inventory))
      for (const asset of assetsNamedIn({ fields: part })) this.counted.add(asset)
  }
}

const isArchivedOrNone = (record: LocalRecord | undefined) => record === undefined || isArchived(record)

interface StreamListener {
  readonly take: (batch: FeedBatch) => Promise<void>
  /** Called when the stream ends or the farm has changed. */
  readonly lookAgain: () => void
}

/** Milliseconds: collects the changes of one commit, which arrive one by one. */
const batchDelay = 150

let source: EventSource | null = null

export async function openStream(copy: OpenCopy, { take, lookAgain }: StreamListener): Promise<void> {
  if (source !== null && source.readyState !== EventSource.CLOSED) return
  const cursor = (await readMeta(copy.database, 'cursor')) ?? ''
  const opened = new EventSource(changesPath(cursor))
  source = opened
  let gathered: WireChange[] = []
  let next = cursor
  opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
    if (gathered.length === 0) setTimeout(() => void handOver(), batchDelay)
    gathered.push(JSON.parse(data) as WireChange)
    next = lastEventId
  })
  opened.addEventListener('reset', () => {
    opened.close()
    lookAgain()
  })
  let wasOpen = false
  opened.addEventListener('open', () => {
    wasOpen = true
  })
  opened.addEventListener('error', () => {
    if (wasOpen) lookAgain()
    wasOpen = false
  })
  async function handOver(): Promise<void> {
    const changes = gathered
    gathered = []
    if (source === opened) await take({ changes, next })
  }
}

export function closeStream(): void {
  source?.close()
  source = null
}
