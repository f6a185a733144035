import { acknowledge } from '../store/acknowledge.ts'
import { type CopyDatabase, readMeta } from '../store/database.ts'
import { memory } from '../store/memory.ts'
import { amendEntries, discardEntries, entriesOf } from '../store/outbox.ts'
import { type Entry, type EntryProblem, provesRejected } from '../store/outbox-entry.ts'
import type { LocalRecord, LocalRecordType, RecordFields } from '../store/record.ts'
import { recordFromWire, trimForCopy } from '../store/wire-record.ts'
import type { EntryAuthor } from './entry-request.ts'
import { readRecords } from './list-pages.ts'
import { type Failure, ServerFailure, type Success } from './request.ts'
import { belongsInCopy, keptDays, keptSince } from './storage-quota.ts'

/** Own entries, or those of another account that a manager sends. */
export interface SendContext {
  readonly database: CopyDatabase
  readonly author: EntryAuthor | null
}

/** Next step of the sender after one request. */
export type SendStep =
  /** Send the next one. */
  | { readonly kind: 'next' }
  /** Everything waits for `retryAfter` seconds, or for the backoff. */
  | { readonly kind: 'pause'; readonly retryAfter: number | null }
  /** Everything waits for the user. */
  | { readonly kind: 'rest'; readonly why: 'log-in' | 'no-right' }

export const sendNext: SendStep = { kind: 'next' }
export const pauseSending = ({ retryAfter }: Pick<Failure, 'retryAfter'>): SendStep => ({ kind: 'pause', retryAfter })

export function problemOf(failure: Failure, more: Partial<EntryProblem> = {}): EntryProblem {
  const { status, type, detail, errors, requestId } = failure
  return { status, type, detail, errors, requestId, ...more }
}

/** Marks a whole set as needing the user; the problem is stored at the entry that has it. */
export async function needsPerson(
  { database }: SendContext,
  set: readonly Entry[],
  problems: ReadonlyMap<number, EntryProblem>,
): Promise<SendStep> {
  const [first] = problems.values()
  if (first !== undefined && (await isUndone(database, set, first))) return sendNext
  const ofSet = first === undefined ? null : ofOthers(first)
  await amendEntries(
    database,
    ...set.map(({ n }) => [n, { state: 'needs-you', problem: problems.get(n) ?? ofSet }] as const),
  )
  return sendNext
}

/** The other entries of the set get the problem without its details. */
const ofOthers = ({ status, type, detail, requestId }: EntryProblem): EntryProblem => ({
  status,
  type,
  detail,
  errors: [],
  requestId,
})

/** Drops a rejected set that the user has undone meanwhile. */
async function isUndone(database: CopyDatabase, set: readonly Entry[], problem: EntryProblem): Promise<boolean> {
  const undoing = (await entriesOf(database)).filter(({ undoes }) => undoes !== undefined && undoes === set[0]?.set)
  if (undoing.length === 0 || !set.every(({ tries }) => provesRejected(problem, tries))) return false
  await discardEntries(
    database,
    [...set, ...undoing].map(({ n }) => n),
  )
  return true
}

/** For an answer that contains the record. */
export async function acknowledgeAnswer(
  context: SendContext,
  entry: Entry,
  answer: Success<RecordFields>,
): Promise<SendStep> {
  const record = recordFromWire(answer.body, { type: entry.type, catalogue: memory.catalogue.peek() })
  await acknowledgeRecords(context, [entry], { changeSet: answer.headers.get('change-set'), records: [record] })
  return sendNext
}

/** For an answer without records: reads them. If that fails, the same request is sent again and is answered the same. */
export async function acknowledgeByReading(
  context: SendContext,
  set: readonly Entry[],
  changeSet: string | null,
): Promise<SendStep> {
  try {
    const types: readonly LocalRecordType[] = [...new Set(set.map(({ type }) => type))]
    const read = types.map((type) => readRecords(type, uuidsOf(type, set), memory.catalogue.peek()))
    await acknowledgeRecords(context, set, { changeSet, records: (await Promise.all(read)).flat() })
    return sendNext
  } catch (error) {
    if (error instanceof ServerFailure) return pauseSending(error.failure)
    throw error
  }
}

const uuidsOf = (type: LocalRecordType, set: readonly Entry[]): string[] => [
  ...new Set(set.filter((entry) => entry.type === type).map(({ record }) => record)),
]

interface Outcome {
  readonly changeSet: string | null
  readonly records: readonly LocalRecord[]
}

/** Moves entries to `sent` and records into the copy, in one transaction. */
export async function acknowledgeRecords(context: SendContext, set: readonly Entry[], outcome: Outcome): Promise<void> {
  const { database } = context
  const { changeSet, records } = outcome
  const since = keptSince((await readMeta(database, 'keptDays')) ?? keptDays)
  const kept = records.map(trimForCopy).filter((record) => belongsInCopy(record, since))
  const there = new Set(kept.map(({ uuid }) => uuid))
  await acknowledge(database, {
    entries: set.map(({ n }) => n),
    kept,
    removed: set.map(({ record }) => record).filter((uuid) => !there.has(uuid)),
    changeSet,
    amended: (await entriesOf(database)).flatMap((later) => rebasedOn(later, set, records)),
  })
}

/** Rebases later entries of the same record onto its new version, unless another user has changed it since. */
function rebasedOn(later: Entry, set: readonly Entry[], records: readonly LocalRecord[]): [number, Partial<Entry>][] {
  const before = set.findLast(({ record, n }) => record === later.record && n < later.n)
  const now = records.find(({ uuid }) => uuid === later.record)
  if (before === undefined || now === undefined || set.includes(later)) return []
  const made = madeBy(before, now)
  if (made === now.version) return [[later.n, { tag: made, base: { name: now.name, ...now.fields } }]]
  return [[later.n, { tag: made }]]
}

/** The version that an entry has given its record. */
function madeBy({ method, tag }: Entry, { version }: LocalRecord): string | null {
  const [now, edition] = version.split('.')
  if (method === 'POST') return `1.${edition}`
  const [before] = tag?.split('.') ?? []
  if (method === 'PUT' && before !== undefined) return `${Number(before) + 1}.${edition}`
  return `${now}.${edition}`
}
