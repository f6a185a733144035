import type { Clock } from '../clock.ts'
import type { ServerSettings } from '../config.ts'
import type { Farm } from '../farm/farm.ts'
import type { Database } from '../storage/database.ts'

/** The dependencies of this room. */
export interface Installation {
  readonly farm: Farm
  readonly database: Database
  readonly clock: Clock
  readonly settings: ServerSettings
}
