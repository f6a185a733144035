import { isDeepStrictEqual } from 'node:util'
import { type AreaType, kindOfArea } from './area-facts.ts'
import type { BundleModel } from './bundles.ts'
import type { Door, Fact, Newer, Older, Showing } from './fact.ts'
import { isoTime } from './kinds.ts'
import { newerNumber, newerShown, olderResource, olderShown, type Thing } from './thing.ts'

interface Beginning {
  readonly uuid: string
  readonly door: Door
  readonly author: Thing
  readonly now: number
}

const newerFamily = { log: 'log', asset: 'asset', area: 'asset', term: 'taxonomy_term' } as const

/** A record as a farmer knows it. */
export class ModelRecord implements Thing {
  readonly bundle: BundleModel
  readonly uuid: string
  readonly author: Thing
  readonly created: number
  number = 0
  revision = 1
  changed: number
  /** Who changed it last, and what was said of that change. */
  reviser: Thing
  message: string | null = null
  #states: ReadonlyMap<string, unknown>

  constructor(bundle: BundleModel, { uuid, door, author, now }: Beginning) {
    this.bundle = bundle
    this.uuid = uuid
    this.author = author
    this.reviser = author
    this.created = now
    this.changed = now
    this.#states = new Map([
      ...bundle.facts.map((fact) => [fact.name, fact.initial(door, author)] as const),
      // What a log happened at that does not say when.
      ['timestamp', now],
    ])
  }

  get family() {
    return this.bundle.family
  }

  get name(): string {
    const said = this.#states.get('name')
    return typeof said === 'string' ? said : `${this.bundle.label} log ${this.number}`
  }

  get newerType(): string {
    const { newer } = this.bundle
    const own = this.family === 'area' ? kindOfArea(this.stateOf('area_type') as AreaType) : newer
    return `${newerFamily[this.family]}--${own}`
  }

  get olderPath(): string {
    return `/${olderResource[this.family]}/${this.number}`
  }

  get newerPath(): string {
    return `/api/${this.newerType.replace('--', '/')}/${this.uuid}`
  }

  stateOf(fact: string): unknown {
    return this.#states.get(fact)
  }

  refersTo(thing: Thing): boolean {
    return [...this.#states.values()].some((state) => holds(state, thing))
  }

  /** Whether these states are other than those that it is in. */
  differs(states: ReadonlyMap<string, unknown>): boolean {
    return [...states].some(([fact, state]) => !isDeepStrictEqual(state, this.#states.get(fact)))
  }

  take(states: ReadonlyMap<string, unknown>): void {
    this.#states = new Map([...this.#states, ...states])
  }

  /** What the record interface shows, without what is computed. */
  olderShown(showing: Showing): Older {
    const { base } = showing
    const id = String(this.number)
    const facts = this.#shown((fact) => fact.older?.show(this.stateOf(fact.name), showing) ?? {})
    return {
      id,
      url: `${base}${this.olderPath}`,
      ...this.#olderKind(base),
      ...Object.assign({}, ...facts),
      name: this.name,
    }
  }

  #olderKind(base: string): Older {
    if (this.family === 'term' || this.family === 'area')
      return { tid: String(this.number), vocabulary: this.bundle.older }
    return {
      type: this.bundle.older,
      uid: olderShown(base)(this.author),
      created: String(this.created),
      changed: String(this.changed),
    }
  }

  /** What the newer generation shows, without what is computed. */
  newerShown(showing: Showing): Required<Newer> {
    const facts = this.#shown((fact) => fact.newer?.show(this.stateOf(fact.name), showing) ?? {})
    const { neverFilled } = this.bundle
    const isTerm = this.family === 'term'
    const [, type] = this.newerType.split('--')
    return {
      attributes: {
        [isTerm ? 'drupal_internal__tid' : 'drupal_internal__id']: newerNumber(this),
        drupal_internal__revision_id: this.revision,
        langcode: 'en',
        default_langcode: true,
        revision_translation_affected: true,
        revision_log_message: this.message,
        revision_created: isoTime(this.changed),
        changed: isoTime(this.changed),
        ...(isTerm ? { status: true } : { created: isoTime(this.created) }),
        ...neverFilled?.attributes,
        ...Object.assign({}, ...facts.map(({ attributes }) => attributes)),
        name: this.name,
      },
      relationships: {
        [isTerm ? 'vid' : `${newerFamily[this.family]}_type`]: type,
        revision_user: newerShown(this.reviser),
        ...(isTerm ? {} : { uid: newerShown(this.author) }),
        ...neverFilled?.relationships,
        ...Object.assign({}, ...facts.map(({ relationships }) => relationships)),
      },
    }
  }

  learn(shown: Newer): void {
    for (const { name, newer } of this.bundle.facts) newer?.learn?.(this.stateOf(name), shown)
  }

  #shown<T>(show: (fact: Fact) => T): readonly T[] {
    return this.bundle.facts.map(show)
  }
}

/** Whether something stands anywhere inside a state. */
function holds(state: unknown, thing: Thing): boolean {
  if (state === thing) return true
  if (state === null || typeof state !== 'object' || 'family' in state) return false
  return Object.values(state).some((inside) => holds(inside, thing))
}
