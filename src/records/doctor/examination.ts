import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import type { Report } from '../../storage/backup/entry.ts'
import type { Database, Reading } from '../../storage/database.ts'
import { checkBytes } from '../../storage/doctor/bytes.ts'
import { checkNumbers } from '../../storage/doctor/counters.ts'
import { checkEngine, isDamage } from '../../storage/doctor/engine-soundness.ts'
import { type Found, restoreBackup } from '../../storage/doctor/finding.ts'
import { checkEndsOfStays } from '../../storage/doctor/kept-rows.ts'
import { checkOrphans } from '../../storage/doctor/orphans.ts'
import { checkTallies } from '../../storage/doctor/tallies.ts'
import { checkJournal } from './journal.ts'
import { checkReplay } from './replay.ts'

export interface Examination {
  readonly farm: Farm
  readonly database: Database
  readonly found: Found
  readonly report: Report
}

const recordTypes: readonly RecordTypeName[] = ['taxonomy_term', 'farm_asset', 'log']

/** Looks at everything in one snapshot, so that those who write meanwhile are never taken for damage. */
export async function examine({ farm, database, found, report }: Examination): Promise<void> {
  await database.read(async (rows: Reading) => {
    try {
      if (!(await checkEngine(rows, database, found))) return
      await checkOrphans(rows, found)
      for (const type of recordTypes) await checkReplay(rows, type, { farm, found, report })
      await checkEndsOfStays(rows, found)
      for (const type of recordTypes) await checkJournal(rows, type, { found, report })
      await checkTallies(rows, found)
      await checkNumbers(rows, database, found)
      await checkBytes(rows, found, report)
    } catch (error) {
      if (!isDamage(error)) throw error
      found({ what: `The database cannot be read to its end: ${(error as Error).message}`, mend: restoreBackup })
    }
  })
}
