import type { LocalRecord } from '../store/record.ts'
import type { AreaTree } from './area-tree.ts'
import type { SitedArea } from './draw-areas.ts'
import { type DrawnArea, drawnArea, levelOf } from './drawn-area.ts'

/**
 * Milliseconds: length of a slice of work, and time of the first report; each further report waits twice as long,
 * since drawing takes time.
 */
const slice = 12
const firstShowing = 200

/** The areas as the map draws them. Loads roots first, then the rest in slices, so that the page stays responsive. */
export class SitedAreas {
  readonly #levels = new Map<number, SitedArea[]>()
  readonly #byId = new Map<string, SitedArea>()
  #drawn = new WeakMap<LocalRecord, DrawnArea>()
  #load = 0

  /** The lowest level first. */
  levels(): readonly (readonly SitedArea[])[] {
    return [...this.#levels].sort(([one], [other]) => one - other).map(([, level]) => level)
  }

  get(id: string): SitedArea | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<SitedArea> {
    return this.#byId.values()
  }

  /** Calls `grown` after the first areas and after every slice. A later load cancels this one. */
  async load(tree: AreaTree, grown: (state: 'first' | 'more' | 'all') => void): Promise<void> {
    const load = ++this.#load
    const before = new Map(this.#byId)
    this.#levels.clear()
    this.#byId.clear()
    this.#put(tree.roots, { tree, levelOfParent: undefined })
    if (before.size === 0) grown('first')
    let generation = tree.roots
    let since = performance.now()
    const begun = since
    let showing = begun + firstShowing
    while (generation.length > 0) {
      const next: LocalRecord[] = []
      for (const parent of generation) {
        const inIt = tree.below(parent.id)
        for (let at = 0; at < inIt.length; at += 64) {
          this.#put(inIt.slice(at, at + 64), { tree, levelOfParent: this.#levelOf(parent, tree) })
          if (performance.now() - since < slice) continue
          await pause()
          if (load !== this.#load) return
          since = performance.now()
          if (before.size > 0 || since < showing) continue
          grown('more')
          showing = since + (since - begun)
        }
        next.push(...inIt)
      }
      generation = next
    }
    grown('all')
  }

  #put(
    areas: readonly LocalRecord[],
    { tree, levelOfParent }: { tree: AreaTree; levelOfParent: number | undefined },
  ): void {
    for (const record of areas) {
      const area = this.#drawn.get(record) ?? drawnArea(record)
      if (area === undefined) continue
      this.#drawn.set(record, area)
      const sited: SitedArea = {
        area,
        level: levelOf(record, levelOfParent),
        parent: tree.parentOf(record.id),
        standing: levelOfParent === undefined ? 'top' : 'below',
        holds: tree.below(record.id).length > 0 ? 'areas' : 'nothing',
      }
      this.#byId.set(area.id, sited)
      const level = this.#levels.get(sited.level)
      if (level === undefined) this.#levels.set(sited.level, [sited])
      else level.push(sited)
    }
  }

  #levelOf(record: LocalRecord, tree: AreaTree): number {
    const known = this.#byId.get(record.id)
    if (known !== undefined) return known.level
    const parent = tree.byId.get(tree.parentOf(record.id) ?? '')
    return levelOf(record, parent === undefined ? undefined : this.#levelOf(parent, tree))
  }
}

/** Lets the browser paint and handle input. */
const pause = (): Promise<void> => new Promise((resume) => setTimeout(resume))
