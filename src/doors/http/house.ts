import type { Clock } from '../../clock.ts'
import type { Settings } from '../../config.ts'
import type { Farm } from '../../farm/farm.ts'
import type { Database } from '../../storage/database.ts'

/** What every door stands on: the catalogue, the rows, the time and how this server is run. */
export interface House {
  readonly farm: Farm
  readonly database: Database
  readonly clock: Clock
  readonly settings: Settings
}
