import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { circlesOf } from '../../history/circles.ts'
import type { Database, Snapshot } from '../../storage/database.ts'
import { checkEndsOfStays, checkTallies, checkUpkeep } from '../../storage/doctor/derived-row-checks.ts'
import { checkBytes, checkEngine, checkTables, isDamage } from '../../storage/doctor/engine-soundness.ts'
import {
  type Diagnosis,
  type FindingKind,
  type ReportFinding,
  saveWhatCanBeRead,
} from '../../storage/doctor/finding.ts'
import { checkOrphans } from '../../storage/doctor/orphans.ts'
import { checkIdentities, checkKeys, checkNumbers, checkPaths } from '../../storage/doctor/record-checks.ts'
import { type PlacedThing, type StayKind, stayKinds } from '../../storage/history/stay-rows.ts'
import type { Report } from '../../storage/report.ts'
import { checkJournal } from './journal.ts'
import { checkReplay } from './replay.ts'

interface Examination {
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

interface CircleWords {
  readonly called: (thing: PlacedThing) => string
  readonly is: string
  readonly mend: string
  readonly alike: string
}

const words: Readonly<Record<StayKind, CircleWords>> = {
  membership: {
    called: ({ id }) => `group ${id}`,
    is: 'is a member of itself',
    mend: 'change the time or the groups of one of the logs that made these memberships',
    alike: 'groups that are members of themselves',
  },
  movement: {
    called: ({ type, id }) => `${type === 'term' ? 'area' : 'asset'} ${id}`,
    is: 'is inside itself',
    mend: 'change the time or the places of one of the logs that made these movements',
    alike: 'places that are inside themselves',
  },
}

/** Nothing may contain itself. A log entered late can cause it, because only its own time is checked on writing. */
async function checkCircles(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const kind of stayKinds) {
    const { called, is, mend, alike } = words[kind]
    for (const { thing, over, from, log } of await circlesOf(snapshot, kind)) {
      const others = over.length === 0 ? '' : `, over ${over.map(called).join(' and ')}`
      const what = `${called(thing)} ${is} from ${new Date(from * 1000).toISOString()} on${others} (log ${log})`
      found({ what: what.replace(/^./, (letter) => letter.toUpperCase()), mend, alike })
    }
  }
}
