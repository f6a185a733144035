import { commit } from '../store/commit.ts'
import { memory } from '../store/memory.ts'
import { type LoadState, readMeta, type WalkState } from '../store/meta.ts'
import { emptyCopy, type OpenCopy } from '../store/open-copy.ts'
import type { Catalogue } from '../store/types.ts'
import { keptFrom } from '../store/wire.ts'
import { answerMaybeEarly } from './early.ts'
import type { FeedPage } from './feed.ts'
import { cursorPath, firstWalks } from './first-answers.ts'
import { keptDays, keptSince } from './kept-window.ts'
import { listPage } from './pages.ts'
import { setUsable } from './status.ts'
import { loadAllStays } from './stays.ts'
import { type Walk, type WalkName, walks } from './walks.ts'

export interface Loading {
  readonly copy: OpenCopy
  readonly catalogue: Catalogue
  /** How much of it is there, from 0 to 1. */
  readonly tell: (share: number) => void
  /** There is enough for Today. */
  readonly becomeUsable: () => void
}

/** Loads everything that the copy keeps, or goes on where an earlier load was cut off. */
export async function loadEverything(loading: Loading): Promise<void> {
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

async function unfinished({ copy, catalogue }: Loading): Promise<LoadState | undefined> {
  const state = await readMeta(copy.database, 'load')
  const isOld = await readMeta(copy.database, 'reload')
  const isSame = state?.catalogue === catalogue.catalogue && state.edition === memory.me.value?.edition
  return isSame && !isOld ? state : undefined
}

/** The cursor before anything else: what changes meanwhile comes with the feed. */
async function begin(copy: OpenCopy, { catalogue }: Catalogue): Promise<LoadState> {
  const { body } = await answerMaybeEarly<FeedPage>(cursorPath)
  const days = (await readMeta(copy.database, 'keptDays')) ?? keptDays
  const state = { cursor: body.next, edition: body.edition, catalogue, since: keptSince(days), walks: {} }
  setUsable(false)
  await emptyCopy(copy, { load: state, cursor: null, reload: null })
  return state
}

class Progress {
  state: LoadState
  readonly #loading: Loading
  readonly #got = new Map<WalkName, number>()
  readonly #left = new Map<WalkName, number>()
  readonly #limits = new Map<WalkName, number>()

  constructor(loading: Loading, state: LoadState) {
    this.#loading = loading
    this.state = state
  }

  async walk(name: WalkName): Promise<void> {
    while (!this.#at(name).done) await this.step(name)
  }

  /** One answer, and how far it has come, in one transaction. */
  async step(name: WalkName): Promise<void> {
    const at = this.#at(name)
    if (at.done) return
    const { copy, catalogue } = this.#loading
    const walk: Walk = walks[name]
    const limit = this.#limits.get(name) ?? walk.firstLimit
    const step = { behind: at.behind, since: this.state.since, limit }
    const page = await listPage(walk.path, walk.query(step), limit)
    this.#count(name, page)
    this.#limits.set(name, page.nextLimit)
    const loaded = page.records.map((wire) => keptFrom(wire, { type: walk.type, catalogue }))
    const isEnd = page.left === 0 || (this.#got.get(name) ?? 0) >= (walk.most ?? Number.POSITIVE_INFINITY)
    const reached = { behind: walk.behind(loaded, step), done: isEnd }
    await commit(copy.database, { loaded, meta: { load: this.#stateWith(name, reached) } })
    this.state = this.#stateWith(name, reached)
    this.#loading.tell(this.#share())
  }

  #at(name: WalkName): WalkState {
    return this.state.walks[name] ?? { behind: null, done: false }
  }

  /** Other walks go on meanwhile: what they have reached is told only once it is written. */
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
