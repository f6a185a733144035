import { isDeepStrictEqual } from 'node:util'
import type { Snapshot } from '../../storage/database.ts'
import { lockToRemove, recordsByIds } from '../../storage/records/record-rows.ts'
import type { Referrer } from '../../storage/records/referrers.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { peopleBehind } from '../past/who.ts'
import { namedBy } from '../writing/put-back.ts'
import type { Work } from '../writing/work.ts'
import { changeSince, type LaterChange } from './changed-since.ts'
import { everyTenth } from './every-tenth.ts'
import { type Judging, type Needs, needsOf } from './needs.ts'
import { keyOf, type SetRecord } from './set-records.ts'
import type { Step } from './step.ts'

/** A record that stays as it is. */
export interface Left {
  readonly record: SetRecord
  /** Completes the sentence "The record …". */
  readonly because: string
  /** A word made along the way may stay without anybody being asked; of all else the caller is told. */
  readonly isInTheWay: boolean
}

export interface Plan {
  readonly steps: readonly Step[]
  readonly left: readonly Left[]
}

/** What becomes of these records of a set when it is undone; they are locked until the transaction ends. */
export const planFor = (
  work: Work,
  records: readonly SetRecord[],
  wholeSet: readonly SetRecord[] = records,
): Promise<Plan> => judge(work, { records, wholeSet, currentOf: ({ type, id }) => lockToRemove(work.tx, type, id) })

/** The same as far as it can be told now: nobody waits for it, and nobody is kept from changing them. */
export const outlookFor = (
  judging: Judging,
  records: readonly SetRecord[],
  wholeSet: readonly SetRecord[],
): Promise<Plan> =>
  judge(judging, {
    records,
    wholeSet,
    currentOf: async ({ type, id }) => (await recordsByIds(judging.tx, type, [id])).get(id),
  })

interface Matter {
  readonly records: readonly SetRecord[]
  readonly wholeSet: readonly SetRecord[]
  readonly currentOf: (record: SetRecord) => Promise<StoredRecord | undefined>
}

async function judge(work: Judging, { records, wholeSet, currentOf }: Matter): Promise<Plan> {
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

interface Sorted {
  readonly steps: readonly Step[]
  readonly left: Left[]
}

/** What is to be done if nothing were in the way, and what was changed since. */
async function stepsBy(
  snapshot: Snapshot,
  records: readonly SetRecord[],
  currentOf: Matter['currentOf'],
): Promise<Sorted> {
  const steps: Step[] = []
  const changed: { readonly record: SetRecord; readonly later: LaterChange }[] = []
  const left: Left[] = []
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

function stepFor(record: SetRecord, current: StoredRecord | undefined): readonly Step[] {
  const { before, after } = record
  if (isDeepStrictEqual(before?.values, after?.values) && before?.log === after?.log) return []
  // Into a log it comes with the log.
  if (before?.log !== undefined) return []
  const verb = after === null ? 'restore' : before === null ? 'remove' : 'update'
  return [{ verb, record, current, wanted: before ?? undefined }]
}

/** What each record named before the set, by the record's key. */
type NamesBefore = ReadonlyMap<string, ReadonlySet<string>>

const namesBefore = (work: Judging, steps: readonly Step[]): NamesBefore =>
  new Map(steps.map(({ record }) => [keyOf(record), new Set(namesOf(work, record.before))]))

const namesOf = ({ installation }: Judging, state: StoredRecord | null): readonly string[] =>
  state === null ? [] : namedBy(installation.farm, state).map(({ to, id }) => `${to} ${id}`)

interface Circumstances {
  /** The steps that nothing is known to be in the way of. */
  readonly open: ReadonlyMap<string, Step>
  readonly named: NamesBefore
}

function hindrance(step: Step, needs: Needs | undefined, { open, named }: Circumstances): string | null {
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
function isWord({ verb, record: { type, id, after } }: Step, named: ReadonlySet<string>): boolean {
  if (verb !== 'remove' || type !== 'term' || after === null || !named.has(keyOf({ type, id }))) return false
  const { name: _, weight, ...more } = after.values
  return weight === 0 && Object.keys(more).length === 0
}
