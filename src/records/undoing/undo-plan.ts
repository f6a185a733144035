import { isDeepStrictEqual } from 'node:util'
import type { Snapshot } from '../../storage/database.ts'
import { type JournalEntry, revisionsAfter } from '../../storage/journal.ts'
import { lockToRemove, recordsByIds } from '../../storage/records/record-rows.ts'
import type { Referrer } from '../../storage/records/referrers.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { setsNamed, undoneBy } from '../past/change-sets.ts'
import { peopleBehind } from '../past/revisions.ts'
import { namedBy } from '../writing/put-back.ts'
import type { WriteContext } from '../writing/write-context.ts'
import { type JudgementContext, type Needs, needsOf } from './needs.ts'
import { keyOf, type SetRecord } from './set-records.ts'
import { everyTenth, type UndoStep } from './steps.ts'

/** A record that stays as it is. */
export interface SkippedRecord {
  readonly record: SetRecord
  /** Completes the sentence "The record …". */
  readonly because: string
  /** A word made along the way may stay without anybody being asked; of all else the caller is told. */
  readonly isInTheWay: boolean
}

export interface UndoPlan {
  readonly steps: readonly UndoStep[]
  readonly left: readonly SkippedRecord[]
}

/** The plan for these records of a set; they are locked until the transaction ends. */
export const planFor = (
  work: WriteContext,
  records: readonly SetRecord[],
  wholeSet: readonly SetRecord[] = records,
): Promise<UndoPlan> => judge(work, { records, wholeSet, currentOf: ({ type, id }) => lockToRemove(work.tx, type, id) })

/** The same as far as it can be told now: nobody waits for it, and nobody is kept from changing them. */
export const outlookFor = (
  judging: JudgementContext,
  records: readonly SetRecord[],
  wholeSet: readonly SetRecord[],
): Promise<UndoPlan> =>
  judge(judging, {
    records,
    wholeSet,
    currentOf: async ({ type, id }) => (await recordsByIds(judging.tx, type, [id])).get(id),
  })

interface UndoSubject {
  readonly records: readonly SetRecord[]
  readonly wholeSet: readonly SetRecord[]
  readonly currentOf: (record: SetRecord) => Promise<StoredRecord | undefined>
}

async function judge(work: JudgementContext, { records, wholeSet, currentOf }: UndoSubject): Promise<UndoPlan> {
  const { steps, left } = await stepsBy(work.tx, records, currentOf)
  const needs = await needsOf(work, steps)
  const open = new Map(steps.map((step) => [keyOf(step.record), step]))
  const named = namesBefore(work, steps)
  let words: ReadonlySet<string> | undefined
  // One that stays may keep others from going or coming back, and those in turn others.
  for (let found = true; found; ) {
    found = false
    for (const [key, step] of open) {
      const because = hindrance(step, needs.get(key), { open, named })
      if (because === null) continue
      open.delete(key)
      words ??= new Set(wholeSet.flatMap(({ after }) => namesOf(work, after)))
      left.push({ record: step.record, because, isInTheWay: !isWord(step, words) })
      found = true
    }
  }
  return { steps: [...open.values()], left }
}

interface SortedSteps {
  readonly steps: readonly UndoStep[]
  readonly left: SkippedRecord[]
}

/** The steps without regard to obstacles, and records changed since. */
async function stepsBy(
  snapshot: Snapshot,
  records: readonly SetRecord[],
  currentOf: UndoSubject['currentOf'],
): Promise<SortedSteps> {
  const steps: UndoStep[] = []
  const changed: { readonly record: SetRecord; readonly later: LaterChange }[] = []
  const left: SkippedRecord[] = []
  await everyTenth(records, async (record) => {
    const current = await currentOf(record)
    const later = await changeSince(snapshot, record, current)
    if (record.isEnded) left.push({ record, because: 'has ended for good', isInTheWay: true })
    else if (later !== undefined) changed.push({ record, later })
    else steps.push(...stepFor(record, current))
  })
  const who = await peopleBehind(
    snapshot,
    changed.map(({ later }) => later),
  )
  for (const { record, later } of changed) {
    const by = who(later.uid).name ?? 'the farm itself'
    const because = `was ${verbs[later.verb]} by ${by} at ${later.at}, in the set ${later.set}`
    left.push({ record, because, isInTheWay: true })
  }
  return { steps, left }
}

const verbs = { create: 'made', update: 'changed', remove: 'removed', restore: 'restored' } as const

function stepFor(record: SetRecord, current: StoredRecord | undefined): readonly UndoStep[] {
  const { before, after } = record
  if (isDeepStrictEqual(before?.values, after?.values) && before?.log === after?.log) return []
  // Into a log it comes with the log.
  if (before?.log !== undefined) return []
  const verb = after === null ? 'restore' : before === null ? 'remove' : 'update'
  return [{ verb, record, current, wanted: before ?? undefined }]
}

/** References before the set, by record key. */
type NamesBefore = ReadonlyMap<string, ReadonlySet<string>>

const namesBefore = (work: JudgementContext, steps: readonly UndoStep[]): NamesBefore =>
  new Map(steps.map(({ record }) => [keyOf(record), new Set(namesOf(work, record.before))]))

const namesOf = ({ installation }: JudgementContext, state: StoredRecord | null): readonly string[] =>
  state === null ? [] : namedBy(installation.farm, state).map(({ to, id }) => `${to} ${id}`)

interface PlanContext {
  /** The steps that nothing is known to be in the way of. */
  readonly open: ReadonlyMap<string, UndoStep>
  readonly named: NamesBefore
}

function hindrance(step: UndoStep, needs: Needs | undefined, { open, named }: PlanContext): string | null {
  const { verb, record, current } = step
  if (needs?.unknown) return needs.unknown
  if (current?.log !== undefined && !open.has(`log ${current.log}`)) return `is in log ${current.log}`
  const missing = needs?.missing.find(({ to, id }) => open.get(`${to} ${id}`)?.verb !== 'restore')
  if (missing !== undefined) return `named ${missing.to} ${missing.id} in ${missing.field}, which is not there any more`
  if (verb !== 'remove') return null
  const users = (needs?.referrers ?? []).filter((referrer) => {
    const step = open.get(`${referrer.type} ${referrer.id}`)
    if (step === undefined) return true
    return step.verb === 'update' && named.get(keyOf(step.record))?.has(keyOf(record))
  })
  return users.length === 0 ? null : `is used by ${listOf(users)}`
}

function listOf(users: readonly Referrer[]): string {
  const shown = users.slice(0, 5).map(({ type, id }) => `${type} ${id}`)
  return shown.join(', ') + (users.length > shown.length ? ' and others' : '')
}

/** A term that was made because a record of the set named it: others may have come to name it, too. */
function isWord({ verb, record: { type, id, after } }: UndoStep, named: ReadonlySet<string>): boolean {
  if (verb !== 'remove' || type !== 'term' || after === null || !named.has(keyOf({ type, id }))) return false
  const { name: _, weight, ...more } = after.values
  return weight === 0 && Object.keys(more).length === 0
}

/** A change that came after a set and is in effect. */
interface LaterChange {
  readonly set: string | null
  readonly uid: number
  readonly at: number
  readonly verb: JournalEntry['verb']
}

/**
 * The last change of a record since the set that is in effect. A change that was undone is not, and neither is what undid it: the two
 * together have changed nothing.
 */
async function changeSince(
  snapshot: Snapshot,
  record: SetRecord,
  current: StoredRecord | undefined,
): Promise<LaterChange | undefined> {
  const later = await revisionsAfter(snapshot, record, record.revision)
  const last = later.at(-1)
  if (last === undefined) return undefined
  const sets = await setsNamed(
    snapshot,
    later.flatMap(({ set_id }) => set_id ?? []),
  )
  const undone = await undoneBy(snapshot, [...sets.values()])
  const isCancelled = ({ set_id }: JournalEntry) => {
    if (set_id === null) return false
    return undone.has(set_id) || sets.has(sets.get(set_id)?.undoes ?? '')
  }
  const standing = later.findLast((entry) => !isCancelled(entry))
  // An undoing may have left this record as it was: then it is what was not taken back here that is in the way.
  const isNotTakenBack = ({ set_id }: JournalEntry) => set_id !== null && !sets.has(undone.get(set_id) ?? set_id)
  const found = standing ?? (isAsLeft(record, current) ? undefined : (later.findLast(isNotTakenBack) ?? last))
  return found && { set: found.set_id, uid: found.uid, at: found.at, verb: found.verb }
}

const isAsLeft = ({ after }: SetRecord, current: StoredRecord | undefined): boolean =>
  isDeepStrictEqual(after?.values, current?.values)
