import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import type { Database, Snapshot } from '../../storage/database.ts'
import { checkBytes, checkEngine, checkTables, isDamage } from '../../storage/doctor/engine-soundness.ts'

import { type Diagnosis, type FindingKind, type ReportFinding, saveWhatCanBeRead } from '../../storage/doctor/finding.ts'
import { checkIdentities, checkKeys, checkNumbers, checkPaths } from '../../storage/doctor/record-checks.ts'
import { checkEndsOfStays, checkTallies, checkUpkeep } from '../../storage/doctor/derived-row-checks.ts'


import { checkOrphans } from '../../storage/doctor/orphans.ts'



import type { Report } from '../../storage/report.ts'
import { checkCircles } from './circles.ts'
import { checkJournal } from './journal.ts'
import { checkReplay } from './replay.ts'

export interface Examination {
  readonly farm: Farm
  readonly database: Database
  readonly found: (diagnosis: Diagnosis) => void
  readonly report: Report
}

const recordTypes: readonly RecordTypeName[] = ['term', 'asset', 'log', 'quantity']

/** Looks at everything in one snapshot, so that those who write meanwhile are never taken for damage. */
export async function examine({ farm, database, found, report }: Examination): Promise<void> {
  const about =
    (kind: FindingKind): ReportFinding =>
    (finding) =>
      found({ kind, ...finding })
  try {
    await database.read(async (snapshot: Snapshot) => {
      report('the database itself', 0, 0)
      if (!(await checkEngine(snapshot, database, about('engine')))) return
      if (!(await checkTables(snapshot, database, about('engine')))) return
      await checkUpkeep(snapshot, database, about('engine'))
      await checkKeys(snapshot, database, about('engine'))
      report('references', 0, 0)
      await checkPaths(snapshot, about('derived'))
      await checkOrphans(snapshot, about('orphans'))
      await checkIdentities(snapshot, about('orphans'))
      const unreadable = new Map<RecordTypeName, ReadonlySet<number>>()
      for (const type of recordTypes) {
        unreadable.set(type, await checkReplay(snapshot, type, { farm, found: about('derived'), report }))
      }
      await checkEndsOfStays(snapshot, about('derived'))
      await checkCircles(snapshot, about('derived'))
      for (const type of recordTypes) {
        await checkJournal(snapshot, type, {
          found: about('journal'),
          report,
          except: unreadable.get(type) ?? new Set(),
        })
      }
      report('counts', 0, 0)
      await checkTallies(snapshot, about('counts'))
      await checkNumbers(snapshot, database, about('counts'))
      await checkBytes(snapshot, about('files'), report)
    })
  } catch (error) {
    if (!isDamage(error)) throw error
    about('engine')({
      what: `The database cannot be read to its end: ${(error as Error).message}`,
      mend: saveWhatCanBeRead,
    })
  }
}
