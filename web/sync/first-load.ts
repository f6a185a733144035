import type { ChangePage } from '../../src/client/changes.ts'
import { commit } from '../store/commit.ts'
import { type LoadState, readMeta, type WalkState } from '../store/database.ts'
import { memory } from '../store/memory.ts'
import { emptyCopy, type OpenCopy } from '../store/open-copy.ts'
import {
  type CatalogueDocument,
  type LocalRecord,
  type LocalRecordType,
  timeOf,
  typeOnTheWire,
} from '../store/record.ts'
import { trimmedFromWire } from '../store/wire-record.ts'
import { listPage, pathOfPage, withParameter } from './list-pages.ts'
import { loadAllStays } from './load-stays.ts'
import { prefetch, prefetchedOrAsk } from './request.ts'
import { setUsable } from './status.ts'
import { keptDays, keptSince, mostLogs } from './storage-quota.ts'

interface FirstLoad {
  readonly copy: OpenCopy
  readonly catalogue: CatalogueDocument
  /** Reports progress, from 0 to 1. */
  readonly tell: (share: number) => void
  /** Called when Today can be shown. */
  readonly becomeUsable: () => void
}

/** Loads the copy, or resumes an interrupted load. */
export async function loadEverything(loading: FirstLoad): Promise<void> {
  const { copy, catalogue } = loading
  const progress = new Progress(loading, (await unfinished(loading)) ?? (await begin(copy, catalogue)))
  await Promise.all(firstWalks.map((name) => progress.step(name)))
  loading.becomeUsable()
  for (const name of ['assets', 'terms', 'pending', 'recent', 'archived'] as const) await progress.walk(name)
  await loadAllStays(copy)
  await commit(copy.database, {
    meta: { load: null, cursor: progress.state.cursor, staysWanted: null, inventoriesWanted: null, copyOf: Date.now() },
  })
}

async function unfinished({ copy, catalogue }: FirstLoad): Promise<LoadState | undefined> {
  const state = await readMeta(copy.database, 'load')
  const isOld = await readMeta(copy.database, 'reload')
  const isSame = state?.catalogue === catalogue.catalogue && state.edition === memory.me.value?.edition
  return isSame && !isOld ? state : undefined
}

/** Reads the cursor first: later changes come with the feed. */
async function begin(copy: OpenCopy, { catalogue }: CatalogueDocument): Promise<LoadState> {
  const { body } = await prefetchedOrAsk<ChangePage>(cursorPath)
  const days = (await readMeta(copy.database, 'keptDays')) ?? keptDays
  const state = { cursor: body.next, edition: body.edition, catalogue, since: keptSince(days), walks: {} }
  setUsable(false)
  await emptyCopy(copy, { load: state, cursor: null, reload: null })
  return state
}

class Progress {
  state: LoadState
  readonly #loading: FirstLoad
  readonly #got = new Map<WalkName, number>()
  readonly #left = new Map<WalkName, number>()
  readonly #limits = new Map<WalkName, number>()

  constructor(loading: FirstLoad, state: LoadState) {
    this.#loading = loading
    this.state = state
  }

  async walk(name: WalkName): Promise<void> {
    while (!this.#at(name).done) await this.step(name)
  }

  /** Stores one answer and the progress in one transaction. */
  async step(name: WalkName): Promise<void> {
    const at = this.#at(name)
    if (at.done) return
    const { copy, catalogue } = this.#loading
    const walk: ListWalk = walks[name]
    const limit = this.#limits.get(name) ?? walk.firstLimit
    const step = { behind: at.behind, since: this.state.since, limit }
    const page = await listPage(walk.path, walk.query(step), limit)
    this.#count(name, page)
    this.#limits.set(name, page.nextLimit)
    const loaded = page.records.map((wire) => trimmedFromWire(wire, { type: walk.type, catalogue }))
    const isEnd = page.left === 0 || (this.#got.get(name) ?? 0) >= (walk.most ?? Number.POSITIVE_INFINITY)
    const reached = { behind: walk.behind(loaded, step), done: isEnd }
    await commit(copy.database, { loaded, meta: { load: this.#stateWith(name, reached) } })
    this.state = this.#stateWith(name, reached)
    this.#loading.tell(this.#share())
  }

  #at(name: WalkName): WalkState {
    return this.state.walks[name] ?? { behind: null, done: false }
  }

  /** Other walks run at the same time: only their stored progress counts. */
  #stateWith(name: WalkName, at: WalkState): LoadState {
    return { ...this.state, walks: { ...this.state.walks, [name]: at } }
  }

  #count(name: WalkName, { records, left }: { records: readonly unknown[]; left: number }): void {
    this.#got.set(name, (this.#got.get(name) ?? 0) + records.length)
    this.#left.set(name, left)
  }

  #share(): number {
    const got = sum(this.#got.values())
    return got / Math.max(1, got + sum(this.#left.values()))
  }
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)

export const cataloguePath = '/catalogue.json'

/** Returns the current cursor. */
const cursorPath = '/changes'

/** Today needs one answer of each. */
const firstWalks = ['pending', 'recent', 'assets', 'terms'] as const

/**
 * Starts the first requests before the account is known and the database is open. The cursor comes first: later
 * changes come with the feed.
 */
export async function prefetchFirstLoad(): Promise<void> {
  void prefetch(cataloguePath)
  const { failure } = await prefetch(cursorPath)
  if (failure !== null) return
  for (const name of firstWalks) {
    const { path, firstLimit: limit, query } = walks[name]
    void prefetch(pathOfPage(path, query({ behind: null, since: keptSince(keptDays), limit }), limit))
  }
}

type WalkName = 'assets' | 'terms' | 'pending' | 'recent' | 'archived'

interface LoadStep {
  readonly behind: string | null
  /** Unix seconds: done logs are loaded from this time on. */
  readonly since: number
  readonly limit: number
}

/** A walk through a list in pages. */
interface ListWalk {
  readonly path: string
  readonly type: LocalRecordType
  readonly firstLimit: number
  /** Maximum number of records. */
  readonly most?: number
  query(step: LoadStep): Readonly<Record<string, string>>
  /** Start of the next page. */
  behind(records: readonly LocalRecord[], step: LoadStep): string | null
}

const shown = { with: withParameter.log }

const byId = (filter: Readonly<Record<string, string>>): Pick<ListWalk, 'query' | 'behind'> => ({
  query: ({ behind }) => ({ ...filter, sort: 'id', ...(behind === null ? {} : { 'id[gt]': behind }) }),
  behind: (records, { behind }) => records.at(-1)?.id ?? behind,
})

/**
 * The newest first, so that the copy has the newest if there are too many. A page begins with the last second of the
 * previous one, which may be incomplete; `12.1000` is after a thousand records of second 12.
 */
const byTime: Pick<ListWalk, 'query' | 'behind'> = {
  query: (step) => ({
    ...shown,
    done: '1',
    sort: 'timestamp',
    direction: 'DESC',
    'timestamp[ge]': String(step.since),
    ...pageAt(step),
  }),
  behind: (records, step) => {
    const last = records.at(-1)
    if (last === undefined) return step.behind
    const { time, seen } = placeIn(step.behind)
    const isSameSecond = records.every((record) => timeOf(record) === time)
    return isSameSecond ? `${time}.${Math.floor(seen / step.limit) * step.limit + records.length}` : `${timeOf(last)}.0`
  },
}

function pageAt({ behind, limit }: LoadStep): Readonly<Record<string, string>> {
  const { time, seen } = placeIn(behind)
  return time === null ? {} : { 'timestamp[le]': String(time), page: String(Math.floor(seen / limit)) }
}

function placeIn(behind: string | null): { time: number | null; seen: number } {
  const [time, seen] = behind?.split('.') ?? []
  return { time: time === undefined ? null : Number(time), seen: Number(seen ?? 0) }
}

const listOf = (type: LocalRecordType) => ({ path: `/${typeOnTheWire[type]}.json`, type })
const assets = listOf('asset')
const logs = listOf('log')

export const walks: Readonly<Record<WalkName, ListWalk>> = {
  assets: { ...assets, firstLimit: 250, ...byId({ archived: '0', with: 'uuid,version,inventory,withheld' }) },
  terms: { ...listOf('term'), firstLimit: 250, ...byId({ with: withParameter.term }) },
  pending: { ...logs, firstLimit: 250, ...byId({ ...shown, done: '0' }) },
  recent: { ...logs, firstLimit: 40, most: mostLogs, ...byTime },
  archived: { ...assets, firstLimit: 1000, ...byId({ with: withParameter.asset, 'archived[gt]': '0' }) },
}
