import type { Caller } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import {
  beginChange,
  ChangeSet,
  changeSetWith,
  forgetResults,
  inDryRun,
  type KeptSet,
  type NewChangeSet,
} from '../../storage/change-set.ts'
import type { Snapshot, Transaction } from '../../storage/database.ts'
import type { Report } from '../../storage/report.ts'
import { existingSet, undoneBy } from '../past/change-sets.ts'
import type { Records } from '../records.ts'
import { newUuid } from '../writing/draft.ts'
import type { WriteContext } from '../writing/write-context.ts'
import type { JudgementContext } from './needs.ts'
import { keyOf, recordsOfSet, type SetRecord } from './set-records.ts'
import { inTurn, takeSteps, type UndoStep } from './steps.ts'
import {
  isUnfinished,
  noteUndone,
  refuseInTheWay,
  refuseNewCircles,
  refuseUndone,
  type UndoRequest,
  type UndoResult,
  unfinishedResults,
} from './undo.ts'
import { outlookFor, planFor, type SkippedRecord, type UndoPlan } from './undo-plan.ts'

interface SlicedUndoing extends UndoRequest {
  readonly caller: Caller
  readonly report: Report
  /** Asked before each further slice: true stops, and the next call goes on. */
  readonly isEnough?: () => boolean
}

/** Few enough that others are not kept waiting. */
const recordsAtOnce = 50

/**
 * Takes a set back in slices, each a transaction of its own, so that others go on writing meanwhile. All slices are one set. One that was
 * interrupted goes on where it was.
 */
export async function undoInSlices(
  records: Records,
  { set, leave, caller, report, isEnough = () => false }: SlicedUndoing,
): Promise<UndoneInSlices> {
  const begun = await begin({ records, caller }, { set, leave })
  if (begun.undoing === null)
    return { set: null, undone: [], left: begun.left, pending: 0, records: begun.wholeSet.length }
  const slices = new Slices({ records, caller }, begun.undoing, begun)
  const wanted = inTurn(begun.steps).map(({ record }) => record)
  for (let start = 0; start < wanted.length; start += recordsAtOnce) {
    report('records', start, wanted.length)
    if (start > 0 && isEnough()) return { ...resultOf(slices, begun), left: [], pending: wanted.length - start }
    if (start > 0) await records.database.letOthersWrite?.()
    await slices.take(wanted.slice(start, start + recordsAtOnce))
  }
  const left = [...begun.left, ...(await slices.takeTheRest(leave))]
  await alone(records, (tx) => forgetResults(tx, slices.given.id))
  return { ...resultOf(slices, begun), left, pending: 0 }
}

const resultOf = ({ given, done }: Slices, { wholeSet }: Pick<UndoStart, 'wholeSet'>) => ({
  set: given.id,
  undone: done,
  records: wholeSet.length,
})

/**
 * Says what it would take back. Where nothing but removals are to be done, whoever has judged them knows: nobody waits for that. What
 * comes back could stand in a circle with what is there by now, which only shows once it is there.
 */
export async function tryUndoing(records: Records, undoing: SlicedUndoing): Promise<UndoneInSlices> {
  const { steps, left, wholeSet } = await records.database.read((tx) => outlook({ installation: records, tx }, undoing))
  if (steps.every(({ verb }) => verb === 'remove'))
    return { set: null, undone: steps, left, pending: 0, records: wholeSet.length }
  return inDryRun(records.database, (database) => undoInSlices({ ...records, database }, undoing))
}

interface UndoneInSlices extends UndoResult {
  readonly set: string | null
  /** Records that wait for the next call. */
  readonly pending: number
  /** Records of the whole set. */
  readonly records: number
}

interface UndoContext {
  readonly records: Records
  readonly caller: Caller
}

interface Outlook extends UndoPlan {
  readonly set: KeptSet
  readonly wholeSet: readonly SetRecord[]
  /** The undoing that was interrupted, if there is one. */
  readonly interrupted: NewChangeSet | undefined
}

/** Looks whether all of it can be done. Each slice is judged again. */
async function outlook(judging: JudgementContext, { set: id, leave }: UndoRequest): Promise<Outlook> {
  const { tx } = judging
  const set = await existingSet(tx, id)
  const interrupted = await unfinishedUndoingOf(tx, set)
  if (interrupted === undefined) await refuseUndone(tx, set)
  const wholeSet = (await recordsOfSet(tx, id, Number.POSITIVE_INFINITY)) ?? []
  const done = new Set(interrupted === undefined ? [] : (await touchedBy(tx, interrupted.id)).map(keyOf))
  const pending = wholeSet.filter((record) => !done.has(keyOf(record)))
  const plan = await outlookFor(judging, pending, wholeSet)
  if (leave === 'nothing') refuseInTheWay(set, plan.left)
  return { ...plan, set, wholeSet, interrupted }
}

interface UndoStart extends Outlook {
  /** Null where there is nothing that can be done. */
  readonly undoing: NewChangeSet | null
}

async function begin({ records, caller }: UndoContext, wanted: UndoRequest): Promise<UndoStart> {
  const found = await records.database.read((tx) => outlook({ installation: records, tx }, wanted))
  const isAnything = found.steps.length > 0 || found.left.length === 0
  if (found.interrupted !== undefined || !isAnything) return { ...found, undoing: found.interrupted ?? null }
  const undoing = newUndoing({ records, caller })
  await alone(records, (tx) => noteBeginning(tx, wanted.set, undoing))
  return { ...found, undoing }
}

/** Notes that a set is being undone, unless somebody else has begun to meanwhile. */
async function noteBeginning(tx: Transaction, id: string, undoing: NewChangeSet): Promise<void> {
  const set = await existingSet(tx, id)
  await refuseUndone(tx, set)
  const changes = new ChangeSet(undoing)
  changes.undoes = id
  changes.results = unfinishedResults
  await changes.keep(tx)
  await noteUndone(tx, set, undoing.id)
}

const touchedBy = async (tx: Snapshot, set: string): Promise<readonly SetRecord[]> =>
  (await recordsOfSet(tx, set, Number.POSITIVE_INFINITY)) ?? []

function newUndoing({ records, caller }: UndoContext): NewChangeSet {
  const now = records.clock()
  return { id: newUuid(now), at: now, uid: caller.uid, client: null, request: null }
}

async function unfinishedUndoingOf(tx: Snapshot, set: KeptSet): Promise<NewChangeSet | undefined> {
  const by = (await undoneBy(tx, [set])).get(set.id)
  const undoing = by === undefined ? undefined : await changeSetWith(tx, by)
  if (undoing === undefined || !isUnfinished(undoing)) return undefined
  const { id, at, uid, client, request } = undoing
  return { id, at, uid, client, request }
}

const alone = <T>({ database }: Records, work: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.write(async (tx) => {
    await beginChange(tx, 'nobody')
    return work(tx)
  })

/** An undoing on its way. */
class Slices {
  readonly given: NewChangeSet
  readonly done: UndoStep[] = []
  readonly #acting: UndoContext
  readonly #begun: Pick<UndoStart, 'set' | 'wholeSet'>
  /** Records that could not be undone in their slice: a later slice may remove the obstacle. */
  readonly #rest: SetRecord[] = []

  constructor(acting: UndoContext, given: NewChangeSet, begun: Pick<UndoStart, 'set' | 'wholeSet'>) {
    this.#acting = acting
    this.given = given
    this.#begun = begun
  }

  async take(slice: readonly SetRecord[]): Promise<void> {
    try {
      const { steps, left } = await alone(this.#acting.records, (tx) => this.#undo(tx, slice))
      this.done.push(...steps)
      this.#rest.push(...left.map(({ record }) => record))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#rest.push(...slice)
    }
  }

  /** All at once what could not be done one after the other. Answers what is left. */
  async takeTheRest(leave: UndoRequest['leave']): Promise<readonly SkippedRecord[]> {
    if (this.#rest.length === 0) return []
    const { steps, left } = await alone(this.#acting.records, async (tx) => {
      const plan = await this.#undo(tx, this.#rest)
      if (leave === 'nothing') refuseInTheWay(this.#begun.set, plan.left)
      return plan
    })
    this.done.push(...steps)
    return left
  }

  async #undo(tx: Transaction, slice: readonly SetRecord[]): Promise<UndoPlan> {
    const { records: installation, caller } = this.#acting
    const work: WriteContext = { installation, tx, caller, set: new ChangeSet(this.given) }
    const plan = await planFor(work, slice, this.#begun.wholeSet)
    await refuseNewCircles(work, this.#begun.set, await takeSteps(work, plan.steps))
    return plan
  }
}
