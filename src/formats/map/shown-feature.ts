import type { Geometry } from '../../fields/wkt/geometry.ts'

/** One thing that is shown on a map. */
export interface ShownFeature {
  readonly geometry: Geometry
  readonly name: string
  /** In their order; the name is one of them. */
  readonly properties: ReadonlyMap<string, string | number>
  /** When it happened, in Unix seconds. */
  readonly moment?: number
}
