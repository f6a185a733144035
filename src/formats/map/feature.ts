import { mebibyte } from '../../fields/byte-size.ts'
import type { Geometry } from '../../fields/wkt/geometry.ts'
import { wktLimits } from '../../fields/wkt/parser.ts'
import { Refusal } from '../../refusal.ts'

/** What a property says: one text, or a list of them. */
export type PropertyText = string | readonly string[]

/** One thing on a map that was sent: its shape, and what is said of it. */
export interface InputFeature {
  /** Nothing where it has none. */
  readonly geometry: Geometry | null
  readonly properties: ReadonlyMap<string, PropertyText>
  /** The names of the folders that it lies in, the outermost first. */
  readonly folders: readonly string[]
  /** Why its shape cannot be taken. */
  readonly fault?: string
}

/** What is looked for in a map, and where it is noted what was not. */
export interface WantedProperties {
  /** Whether a property of this name is of use. */
  readonly wants: (property: string) => boolean
  readonly leftOut: LeftOut
}

/** Names beyond these are counted together. */
const mostNames = 100

/** Counts what is not taken over, by what it is called. */
export class LeftOut {
  readonly #counts: Map<string, number>

  constructor(counts: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(counts)
  }

  copy(): LeftOut {
    return new LeftOut(this.#counts)
  }

  count(what: string, times = 1): void {
    const known = this.#counts.get(what)
    const name = known !== undefined || this.#counts.size < mostNames ? what : 'others'
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + times)
  }

  get all(): readonly { readonly what: string; readonly count: number }[] {
    return [...this.#counts].map(([what, count]) => ({ what, count }))
  }
}

export const propertyNamed = (name: string): string => `property ${name.slice(0, 100)}`

/** One thing that is shown on a map. */
export interface ShownFeature {
  readonly geometry: Geometry
  readonly name: string
  /** In their order; the name is one of them. */
  readonly properties: ReadonlyMap<string, string | number>
  /** When it happened, in Unix seconds. */
  readonly moment?: number
}

/** How much of a map is read; of JSON and XML that are no maps there are other limits. */
export const mapLimits = {
  bytes: 32 * mebibyte,
  features: 50_000,
  depth: 32,
  /** Elements of a KML file; as many attributes. */
  elements: 2_000_000,
  positions: wktLimits.positions,
} as const

export const tooManyFeatures = (): Refusal =>
  new Refusal(
    'too-large',
    `A map may have ${mapLimits.features} features, this one has more: divide it and send its parts one after another.`,
  )

export const tooDeep = (): Refusal =>
  new Refusal('too-large', `A map may be nested ${mapLimits.depth} levels deep, this one is deeper.`)

export const tooManyPositions = (feature: number): Refusal =>
  new Refusal(
    'too-large',
    `features[${feature}]: a shape may have ${mapLimits.positions} positions, this one has more: simplify it, or divide it.`,
  )
