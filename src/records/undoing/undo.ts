import { requireRight } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import { changeSetWith, type KeptSet, markUndone } from '../../storage/change-set.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import { nameOf, type StoredRecord } from '../../storage/records/stored.ts'
import { undoneBy } from '../past/in-effect.ts'
import { existingSet } from '../past/sets.ts'
import type { Work } from '../writing/work.ts'
import { refuseNewCircles } from './circles-since.ts'
import { type Left, planFor } from './judgement.ts'
import { knownAs, recordsOfSet, type SetRecord } from './set-records.ts'
import type { Step } from './step.ts'
import { takeSteps } from './steps.ts'

/** What becomes of records that others use, or have changed since. */
export type Leave = 'nothing' | 'used'

export interface Undoing {
  readonly set: string
  readonly leave: Leave
}

export interface Undone {
  readonly undone: readonly Step[]
  readonly left: readonly Left[]
}

/** How many records one request undoes. */
export const mostUndoneAtOnce = 1_000

/** Takes a set of changes back, as a part of a transaction that nobody else changes records beside. */
export async function undoIn(work: Work, { set: id, leave }: Undoing): Promise<Undone> {
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

export function refuseInTheWay({ id }: KeptSet, left: readonly Left[]): void {
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
    `The set ${id} has more than ${mostUndoneAtOnce} records, which would keep everybody waiting: \`furrow undo ${id}\` undoes it in slices.`,
  )
