import { requireRight } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import { changeSetWith, type KeptSet, latestSets, markUndone } from '../../storage/change-set.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { existingSet, undoneBy } from '../past/change-sets.ts'
import { refuseCircles } from '../writing/restore.ts'
import type { WriteContext } from '../writing/write-context.ts'
import { knownAs, recordsOfSet, type SetRecord } from './set-records.ts'
import { takeSteps, type UndoStep } from './steps.ts'
import { planFor, type SkippedRecord } from './undo-plan.ts'

/** Treatment of records that are in use or changed since. */
export type LeaveRule = 'nothing' | 'used'

export interface UndoRequest {
  readonly set: string
  readonly leave: LeaveRule
}

export interface UndoResult {
  readonly undone: readonly UndoStep[]
  readonly left: readonly SkippedRecord[]
}

/** Records undone per request. */
const mostUndoneAtOnce = 1_000

/** Takes a set of changes back, as a part of a transaction that nobody else changes records beside. */
export async function undoIn(work: WriteContext, { set: id, leave }: UndoRequest): Promise<UndoResult> {
  requireRight(work.caller, 'write-records')
  const set = await existingSet(work.tx, id)
  if (set.uid !== work.caller.uid) requireRight(work.caller, 'configure', madeByAnother(id))
  await refuseUndone(work.tx, set)
  const records = await recordsOfSet(work.tx, id, mostUndoneAtOnce)
  if (records === undefined) throw tooMany(id)
  const { steps, left } = await planFor(work, records)
  if (leave === 'nothing') refuseInTheWay(set, left)
  const written = await takeSteps(work, steps)
  await refuseNewCircles(work, set, written)
  const isUndone = steps.length > 0 || left.length === 0
  if (isUndone) {
    await noteUndone(work.tx, set, work.set.id)
    work.set.undoes = id
  }
  return { undone: steps, left }
}

const madeByAnother = (id: string): string =>
  `Another user made the set ${id}: workers undo their own sets, managers undo any.`

/** Notes by which set another was taken back. What that had taken back itself is in effect again, and undone what was undone by it. */
export async function noteUndone(tx: Transaction, { id, undoes }: KeptSet, by: string): Promise<void> {
  await markUndone(tx, id, by)
  const again = undoes === null ? undefined : await changeSetWith(tx, undoes)
  if (again !== undefined && again.undoes !== null) await markUndone(tx, again.undoes, again.id)
}

export async function refuseUndone(tx: Snapshot, set: KeptSet): Promise<void> {
  if (isUnfinished(set)) throw unfinished(set.id, set.undoes ?? '')
  const by = (await undoneBy(tx, [set])).get(set.id)
  if (by === undefined) return
  const undoing = await changeSetWith(tx, by)
  if (undoing !== undefined && isUnfinished(undoing)) throw unfinished(by, set.id)
  throw new Refusal(
    'not-undoable',
    `The set ${set.id} is undone already, by the set ${by}. To do it again, undo that one.`,
  )
}

export const unfinishedResults = JSON.stringify({ unfinished: true })

/** An undoing in slices that has not come to its end. */
export const isUnfinished = ({ results }: Pick<KeptSet, 'results'>): boolean => results === unfinishedResults

const unfinished = (undoing: string, set: string): Refusal =>
  new Refusal(
    'not-undoable',
    `The set ${set} is being undone, by the set ${undoing}, which has not come to its end: \`furrow undo ${set}\` goes on with it.`,
  )

const mostNamed = 100

export function refuseInTheWay({ id }: KeptSet, left: readonly SkippedRecord[]): void {
  const inTheWay = left.filter(({ isInTheWay }) => isInTheWay)
  const [first] = inTheWay
  if (first === undefined) return
  const more = inTheWay.length > 1 ? ` (and ${inTheWay.length - 1} more)` : ''
  throw new Refusal(
    'not-undoable',
    `The set ${id} cannot be undone: ${calledOf(first.record)} ${first.because}${more}. Undo what came later first, or leave such records as they are with leave=used.`,
    {
      faults: inTheWay
        .slice(0, mostNamed)
        .map(({ record: { type, id }, because }) => ({ field: `${type}/${id}`, message: because })),
    },
  )
}

const calledOf = (record: SetRecord): string => `${record.type} ${record.id}${nameIn(knownAs(record))}`

const nameIn = (state: StoredRecord | null): string => {
  const name = state === null ? null : nameOf(state)
  return name === null ? '' : ` (${name})`
}

const tooMany = (id: string): Refusal =>
  new Refusal(
    'not-undoable',
    `The set ${id} has more than ${mostUndoneAtOnce} records, which would keep everybody waiting: \`furrow undo ${id}\` or undo?slices=1 undoes it in slices.`,
  )

/**
 * Refuses what would now make a circle. Where nothing that came after the set is in effect, the farm is as it was: circles that late
 * logs had made of the past were there then, and are again.
 */
export async function refuseNewCircles(
  work: WriteContext,
  set: KeptSet,
  written: readonly StoredRecord[],
): Promise<void> {
  try {
    for (const record of written) await refuseCircles(work, record)
  } catch (error) {
    if (error instanceof Refusal && (await isLastInEffect(work.tx, set))) return
    throw error
  }
}

const setsAtOnce = 100

async function isLastInEffect(tx: Transaction, set: KeptSet): Promise<boolean> {
  // Newest first, what was undone comes after what undid it.
  const takenBack = new Set<string>()
  for (let after: KeptSet | undefined; ; ) {
    const page = await latestSets(tx, { from: set.at, most: setsAtOnce, ...(after === undefined ? {} : { after }) })
    const later = page.filter((one) => isLater(one, set))
    const undone = await undoneBy(tx, later)
    for (const { id, undoes } of later) {
      takenBack.delete(id)
      if (undone.has(id)) continue
      if (undoes === null) return false
      takenBack.add(undoes)
    }
    after = page.at(-1)
    if (after === undefined || page.length < setsAtOnce || later.length < page.length) return takenBack.size === 0
  }
}

const isLater = (one: KeptSet, { at, id }: KeptSet): boolean => one.at > at || (one.at === at && one.id > id)
