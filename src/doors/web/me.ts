import type { Right, RoleName } from '../../farm/people/roles.ts'
import type { MapLayer } from '../../storage/map-layers.ts'

export type { MapLayer } from '../../storage/map-layers.ts'

/** Who is asking, and the farm that is asked: `/me.json`. */
export interface Me {
  readonly account: {
    readonly id: string
    readonly name: string
    readonly role: RoleName | null
    readonly language: string
  }
  readonly rights: readonly Right[]
  /** For changes with the cookie of a session; null where none are made so. */
  readonly csrf_token: string | null
  readonly farm: {
    /** The same after a restore, unlike the edition. */
    readonly uuid: string
    readonly name: string
    readonly system_of_measurement: 'metric' | 'us'
    readonly timezone: string
    readonly language: string
    readonly languages: readonly string[]
  }
  readonly map_layers: readonly MapLayer[]
  /** Unix seconds, in digits. */
  readonly time: string
  readonly edition: string
  readonly catalogue: string
  readonly version: string
}
