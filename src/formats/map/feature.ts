import { mebibyte } from '../../fields/byte-size.ts'
import type { Geometry } from '../../fields/wkt/geometry.ts'
import { wktLimits } from '../../fields/wkt/parser.ts'
import { Refusal } from '../../refusal.ts'

export type PropertyText = string | readonly string[]

/** A feature of an imported map. */
export interface InputFeature {
  /** Null if it has none. */
  readonly geometry: Geometry | null
  readonly properties: ReadonlyMap<string, PropertyText>
  /** Its folders, outermost first. */
  readonly folders: readonly string[]
  /** The reason why its geometry is refused. */
  readonly fault?: string
}

/** Properties to read, and a counter for the others. */
export interface WantedProperties {
  readonly wants: (property: string) => boolean
  readonly leftOut: LeftOut
  /** The shape of open tracks; undefined asks for it. */
  readonly tracks?: 'area' | 'line' | undefined
}

/** Further names are counted together. */
const mostNames = 100

/** Counts what was left out, by name. */
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

/** A feature of an exported map. */
export interface ShownFeature {
  readonly geometry: Geometry
  readonly name: string
  /** In display order, including the name. */
  readonly properties: ReadonlyMap<string, string | number>
  /** Time of the event in Unix seconds. */
  readonly moment?: number
}

/** Limits for maps; other JSON and XML has its own. */
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
