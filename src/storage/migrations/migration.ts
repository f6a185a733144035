import type { Report } from '../report.ts'
import type { Ddl } from './ddl.ts'

/** One step of the tables' history. A released one is never edited: what changes gets a file of its own. */
export interface Migration {
  readonly version: number
  readonly name: string
  up(ddl: Ddl, report: Report): Promise<void>
}
