import type { Farm, RecordTypeName } from '../../farm/farm.ts'
import { circlesOf } from '../../history/circles.ts'
import type { Database, Snapshot } from '../../storage/database.ts'
import { checkEndsOfStays, checkTallies, checkUpkeep } from '../../storage/doctor/derived-row-checks.ts'
import { checkBytes, checkEngine, checkTables, isDamage } from '../../storage/doctor/engine-soundness.ts'
import {
  type Diagnosis,
  type DoctorFinding,
  type FindingKind,
  type ReportFinding,
  restoreBackup,
  saveWhatCanBeRead,
} from '../../storage/doctor/finding.ts'
import { type InspectedEntry, journalByRecord, recordsWithoutJournal } from '../../storage/doctor/journal-rows.ts'
import { checkOrphans } from '../../storage/doctor/orphans.ts'
import { checkIdentities, checkKeys, checkNumbers, checkPaths } from '../../storage/doctor/record-checks.ts'
import { type PlacedThing, type StayKind, stayKinds } from '../../storage/history/stay-rows.ts'
import { type Identity, removedAmong } from '../../storage/identity.ts'
import { countRecordsOf } from '../../storage/records/record-lookup.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import type { Report } from '../../storage/report.ts'
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

interface Watch {
  readonly found: ReportFinding
  readonly report: Report
  /** Records that cannot be read, of which that was said already. */
  readonly except: ReadonlySet<number>
}

const recordsAtOnce = 200

/** The journal tells the life of every record without a gap, and its last word is what the record says now. */
async function checkJournal(snapshot: Snapshot, type: RecordTypeName, { found, report, except }: Watch): Promise<void> {
  const total = await countRecordsOf(snapshot, type)
  let lives: (readonly InspectedEntry[])[] = []
  let done = 0
  const judge = async () => {
    const ids = lives.map((life) => life[0]?.record_id ?? 0)
    const records = await recordsByIds(snapshot, type, ids)
    const removed = await removedAmong(snapshot, type, ids)
    for (const life of lives) {
      const id = life[0]?.record_id ?? 0
      const identity = removed.get(id)
      const fault =
        gapIn(life, identity) ?? contradiction(life.at(-1), records.get(id)) ?? misnoted(life.at(-1), identity)
      if (fault !== null) found(ofJournal(`${type} ${id}: ${fault}`))
    }
    done += lives.length
    lives = []
    report(`journal of ${type}`, done, total)
  }
  for await (const life of journalByRecord(snapshot, type)) {
    if (except.has(life[0]?.record_id ?? 0)) continue
    lives.push(life)
    if (lives.length === recordsAtOnce) await judge()
  }
  await judge()
  for (const id of await recordsWithoutJournal(snapshot, type)) {
    found(ofJournal(`${type} ${id}: the journal does not know it`))
  }
}

const ofJournal = (what: string): DoctorFinding => ({
  what,
  mend: restoreBackup,
  alike: 'records of which the journal tells something else',
})

/** Times of removal and of deletion for good; undefined for an existing record. */
type RemovalState = Pick<Identity, 'removed' | 'ended'> | undefined

/** Each entry is a revision, removals and returns too; of a record that ended for good nothing but the entries themselves is left. */
function gapIn(life: readonly InspectedEntry[], identity: RemovalState): string | null {
  // A quantity removed with its log is restored with it.
  const wentWithItsLog = toldBy(life.findLast(({ after }) => after !== null)?.after ?? null)?.log !== undefined
  const isEnded = identity !== undefined && identity.ended !== null && !wentWithItsLog
  let last: InspectedEntry['verb'] | undefined
  for (const [place, { verb, after, revision }] of life.entries()) {
    if ((place === 0) !== (verb === 'create')) return 'its journal does not begin with its creation, and only there'
    if (last === 'remove' && verb !== 'restore') return 'its journal goes on after its removal'
    if (verb === 'restore' && last !== 'remove')
      return `its journal has a return at revision ${place + 1} without a removal`
    if (revision !== place + 1) return `its journal has a gap before revision ${revision}`
    last = verb
    if (verb === 'remove' || (isEnded && after === null)) continue
    const told = toldBy(after)?.revision
    if (told === undefined) return `its journal cannot be read at revision ${place + 1}`
    if (told !== place + 1) return `its journal has a gap before revision ${told}`
    // Records removed before there was a trash were deleted for good, and their journal was left alone.
    if (isEnded && life.at(-1)?.set_id !== null) return 'it ended for good, but the journal still tells what it was'
  }
  return null
}

/** The journal and what is noted of the record's UUID agree on whether it was removed. */
function misnoted(last: InspectedEntry | undefined, identity: RemovalState): string | null {
  if (last?.verb === 'remove') return identity === undefined ? 'it was removed, but is not noted as removed' : null
  return identity === undefined ? null : 'it is noted as removed, though the journal does not say so'
}

/** The record after a journal entry, or null if it cannot be read. */
function toldBy(after: string | null): Partial<StoredRecord> | null {
  try {
    return JSON.parse(after ?? 'null')
  } catch {
    return null
  }
}

function contradiction(last: InspectedEntry | undefined, record: StoredRecord | undefined): string | null {
  if (last?.verb === 'remove')
    return record === undefined ? null : 'it is there, though the journal says it was removed'
  if (record === undefined) return 'it is not there, though the journal does not say that it was removed'
  const told = toldBy(last?.after ?? null)
  return sorted(inItsLog(told)) === sorted(inItsLog(record)) ? null : 'it is not what the journal says it is'
}

/** The journal of a log also covers its quantities. */
const inItsLog = (told: Partial<StoredRecord> | null): Partial<StoredRecord> | null => {
  if (told?.log === undefined) return told
  const { changed: _, ...rest } = told
  return rest
}

/** JSON with the names of every object in order, so that equal values are equal texts. */
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )
