import type { Clock } from '../clock.ts'
import type { ServerSettings } from '../config.ts'
import type { Farm } from '../farm/farm.ts'
import type { Database } from '../storage/database.ts'

/** What every question about access is asked of. */
export interface Installation {
  readonly farm: Farm
  readonly database: Database
  readonly clock: Clock
  readonly settings: ServerSettings
}
