import { hash, randomUUID } from 'node:crypto'
import type { Visitor } from '../access/credentials.ts'
import { note } from '../access/events.ts'
import { countWrongKey } from '../access/login.ts'
import { hashOf, newSecret } from '../access/secrets.ts'
import { dayAt, spelledDay } from '../fields/day.ts'
import type { Records } from '../records/records.ts'
import { Refusal } from '../refusal.ts'
import { findAccounts } from '../storage/access/account-rows.ts'
import { sweepExpired } from '../storage/access/expiry.ts'
import {
  deleteReportLink,
  findReportLink,
  insertReportLink,
  type ReportLinkHead,
  reportLinksAlive,
  revisionsOfLogs,
} from '../storage/access/report-link-rows.ts'
import type { Snapshot } from '../storage/database.ts'
import type { ReadBudget } from '../storage/read-budget.ts'
import { recordsByIds, termNames } from '../storage/records/record-rows.ts'
import { nameOf, type StoredRecord } from '../storage/records/stored.ts'
import { readFarmSettings } from '../storage/settings.ts'
import { factsOf, isEnteredLate, KnownThings, type LogFacts } from './log-facts.ts'
import type { KeptReportName } from './report-names.ts'

export const usualDays = 30
export const mostDays = 366
/** Logs per report: more would slow down a browser. */
const mostLogs = 20_000

interface LinkWanted extends ReportRequest {
  readonly days: number
  readonly budget: ReadBudget
  /** The account that makes the link. */
  readonly uid: number
}

interface MadeLink {
  readonly head: ReportLinkHead
  /** Only the maker of the link receives the key. */
  readonly key: string
}

/** Stores a report as it is now, for everyone with the key. */
export async function makeReportLink(installation: Records, tell: ReportSource, wanted: LinkWanted): Promise<MadeLink> {
  const created = installation.clock()
  const { document, kept } = await installation.database.read(async (snapshot) => {
    const told = await tell(snapshot, wanted)
    if (told.logs.length > mostLogs)
      throw new Refusal(
        'too-large',
        `A link keeps the logs behind its report, at most ${mostLogs}; these are ${told.logs.length}. Choose fewer days.`,
      )
    const zone = told.document.time_zone
    const { rows, revisions } = await rowsBehind(snapshot, { logs: told.logs, zone, people: wanted.people })
    const { name: farm } = await readFarmSettings(snapshot)
    return {
      document: told.document,
      kept: { text: keptText({ farm, made: created, report: told.document, rows }), revisions },
    }
  }, wanted.budget)
  const key = newSecret()
  const head: ReportLinkHead = {
    id: randomUUID(),
    uid: wanted.uid,
    report: wanted.report,
    first_day: document.from,
    last_day: document.to,
    with_people: wanted.people === 'named' ? 1 : 0,
    created,
    expires: created + wanted.days * 86_400,
    checksum: hash('sha256', kept.text),
    log_count: kept.revisions.length,
  }
  await installation.database.write(async (tx) => {
    await sweepExpired(tx, created)
    const row = { ...head, hash: hashOf(key), document: kept.text, logs: JSON.stringify(kept.revisions) }
    await insertReportLink(tx, row)
    await note(tx, 'report-link-made', { at: created, uid: wanted.uid })
  })
  return { head, key }
}

/** Without addresses of lists: readers of a link cannot open them. */
const keptText = (kept: object): string =>
  JSON.stringify(kept, (member, value) => (member === 'list' ? undefined : value))

export interface ListedLink extends ReportLinkHead {
  /** The maker's name, if the account still exists. */
  readonly maker: string | null
}

export async function listReportLinks({ database, clock }: Records): Promise<readonly ListedLink[]> {
  return database.read(async (snapshot) => {
    const links = await reportLinksAlive(snapshot, clock())
    const accounts = await findAccounts(snapshot, [...new Set(links.map(({ uid }) => uid))])
    const names = new Map(accounts.map(({ uid, name }) => [uid, name]))
    return links.map((link) => ({ ...link, maker: names.get(link.uid) ?? null }))
  })
}

export async function endReportLink({ database, clock }: Records, id: string, uid: number): Promise<void> {
  const at = clock()
  await database.write(async (tx) => {
    if (!(await deleteReportLink(tx, id, at))) throw new Refusal('not-found', 'There is no such link, or it has ended.')
    await note(tx, 'report-link-ended', { at, uid })
  })
}

interface SharedReport {
  readonly checksum: string
  readonly expires: number
  /** Number of logs that changed or were deleted since. */
  readonly changed: number
  readonly logs: number
  /** JSON text; the checksum covers it. */
  readonly document: string
}

/** The report of a key. An expired key is refused like an unknown one, and counts as a guess. */
export async function sharedReport(
  installation: Records,
  { key, ...visitor }: Visitor & { readonly key: string },
): Promise<SharedReport> {
  const report = await reportUnder(installation, key)
  if (report !== undefined) return report
  await countWrongKey(installation, visitor)
  throw new Refusal('not-found', 'There is no such report, or its time is over.')
}

async function reportUnder({ database, clock }: Records, key: string): Promise<SharedReport | undefined> {
  return database.read(async (snapshot) => {
    const link = await findReportLink(snapshot, hashOf(key), clock())
    if (link === undefined) return undefined
    // The cast is safe: this file wrote the text.
    const revisions = JSON.parse(link.logs) as readonly (readonly [number, number])[]
    const now = await revisionsOfLogs(
      snapshot,
      revisions.map(([id]) => id),
    )
    const changed = revisions.filter(([id, revision]) => now.get(id) !== revision).length
    const { checksum, expires, document, log_count: logs } = link
    return { checksum, expires, changed, logs, document }
  })
}

/** One log of a report, as a reader without an account sees it. */
interface RowBehind {
  readonly day: string
  /** The day of a late entry. */
  readonly entered?: string
  readonly name: string
  readonly amounts: readonly string[]
  readonly places: readonly string[]
  /** The assignees and the author; missing if the link hides people. */
  readonly people?: readonly string[]
}

interface NewReportLink {
  readonly logs: readonly number[]
  readonly zone: string
  readonly people: 'named' | 'left out'
}

interface Behind {
  readonly rows: readonly RowBehind[]
  /** Pairs of id and revision. */
  readonly revisions: readonly (readonly [number, number])[]
}

/** The logs of a report, sorted by time. */
async function rowsBehind(snapshot: Snapshot, { logs, zone, people }: NewReportLink): Promise<Behind> {
  const stored = [...(await recordsByIds(snapshot, 'log', logs)).values()].toSorted(byTime)
  const things = new KnownThings(Number.MAX_SAFE_INTEGER)
  await things.learn(snapshot, stored.map(asBetween))
  const facts = stored.map((log) => factsOf(asBetween(log), log.bundle, things))
  const places = await termNames(snapshot, [...new Set(facts.flatMap(({ areas }) => areas))])
  const names = people === 'named' ? await namesOfPeople(snapshot, stored) : undefined
  return {
    revisions: stored.map(({ id, revision }) => [id, revision] as const),
    rows: stored.map((log, index) => ({
      day: spelledDay(dayAt(timeOf(log), zone)),
      ...(isEnteredLate({ created: log.created, timestamp: timeOf(log) })
        ? { entered: spelledDay(dayAt(log.created, zone)) }
        : {}),
      name: nameOf(log) ?? '',
      amounts: facts[index]?.measured.map(amountText) ?? [],
      places: facts[index]?.areas.flatMap((area) => places.get(area) ?? []) ?? [],
      ...(names === undefined ? {} : { people: peopleOf(log).flatMap((uid) => names.get(uid) ?? []) }),
    })),
  }
}

const timeOf = ({ values }: StoredRecord): number => Number(values.timestamp)

const byTime = (one: StoredRecord, other: StoredRecord): number => timeOf(one) - timeOf(other) || one.id - other.id

const asBetween = (log: StoredRecord) => ({
  id: log.id,
  timestamp: timeOf(log),
  values: log.values,
})

const amountText = ({ value, unit, label }: LogFacts['measured'][number]): string =>
  [value, unit, label].filter((one) => one !== '').join(' ')

const peopleOf = ({ uid, values }: StoredRecord): readonly number[] => [
  ...new Set([...((values.log_owner as readonly number[] | undefined) ?? []), uid]),
]

async function namesOfPeople(snapshot: Snapshot, logs: readonly StoredRecord[]): Promise<ReadonlyMap<number, string>> {
  const accounts = await findAccounts(snapshot, [...new Set(logs.flatMap(peopleOf))])
  return new Map(accounts.map(({ uid, name }) => [uid, name]))
}

interface ReportRequest {
  readonly report: KeptReportName
  /** As in its address: from=2026-01-01&group=area. */
  readonly query: string
  readonly base: string
  readonly people: 'named' | 'left out'
}

/** A report document, and the logs that it counts. */
interface ReportResult {
  readonly document: { readonly from: string; readonly to: string; readonly time_zone: string }
  readonly logs: readonly number[]
}

export type ReportSource = (snapshot: Snapshot, wanted: ReportRequest) => Promise<ReportResult>
