import type { RecordTypeName } from '../../../farm/farm.ts'
import { mostStays, stayRowsAdded } from '../../../history/implications.ts'
import { refuseOwnMember } from '../../../records/writing/circles.ts'
import { draftOfNew, type NewDraft, recordsFrom } from '../../../records/writing/create.ts'
import { removeIn } from '../../../records/writing/remove.ts'
import { storeNew } from '../../../records/writing/storing.ts'
import { noSuchRecord, updateIn } from '../../../records/writing/update.ts'
import type { Work } from '../../../records/writing/work.ts'
import { Refusal } from '../../../refusal.ts'
import type { Unstored } from '../../../storage/records/stored.ts'
import { newRecordIn } from '../intake/new-record.ts'
import { changeIn } from '../intake/record-change.ts'
import type { Intake } from '../intake/record-draft.ts'
import {
  type Batch,
  type NamedResult,
  type NamedResults,
  type Operation,
  resultNamed,
  withResults,
} from './operations.ts'

/** Operations that are carried out together. */
type Run = readonly Operation[]

/** Enough that what is done once for all of them counts little, and few enough that nobody waits long for their turn. */
const longestRun = 50

/**
 * New records of one type that follow one another are kept together: looking up what they refer to and writing their rows
 * takes a fraction of the statements. None of them can refer to another, and nothing can be refused without the rest.
 */
export function runsOf({ atomic, operations }: Batch): readonly Run[] {
  const runs: Operation[][] = []
  for (const operation of operations) {
    const run = runs.at(-1)
    if (atomic && run !== undefined && run.length < longestRun && goTogether(run.at(-1), operation)) run.push(operation)
    else runs.push([operation])
  }
  return runs
}

/** A term can be referred to by its name, anything else only by the name of its result. */
const goTogether = (last: Operation | undefined, next: Operation): boolean =>
  last?.verb === 'create' &&
  next.verb === 'create' &&
  last.type === next.type &&
  next.type !== 'term' &&
  last.as === undefined

/** What the operations so far have left for the rest of the batch. */
export interface Progress {
  readonly named: Map<string, NamedResult>
  /** The address of the farm that the batch was sent to. */
  readonly address: string | null
  /** How many rows of stays they have added. */
  stayRows: number
}

/** Why one operation of a run is not carried out. */
export class RefusedOperation extends Refusal {
  /** Which of the run. */
  readonly index: number
  /** Whether the rest cannot be carried out either. */
  readonly endsAll: boolean

  constructor({ refusal, message, details }: Refusal, index: number, endsAll = false) {
    super(refusal, message, details)
    this.index = index
    this.endsAll = endsAll
  }
}

interface Done {
  readonly status: number
  readonly type: RecordTypeName
  readonly id: number
}

export async function carryOutRun(work: Work, run: Run, progress: Progress): Promise<readonly Done[]> {
  const [first] = run
  if (first === undefined) return []
  try {
    if (first.verb === 'create') return await createRun(work, run, { type: first.type, progress })
    return [await changeOne(work, first, progress)]
  } catch (error) {
    const isUnplaced = error instanceof Refusal && !(error instanceof RefusedOperation)
    throw isUnplaced && run.length === 1 ? new RefusedOperation(error, 0) : error
  }
}

interface Creation {
  readonly type: RecordTypeName
  readonly progress: Progress
}

async function createRun(work: Work, run: Run, { type, progress }: Creation): Promise<readonly Done[]> {
  const { drafts, unformed } = draftsOf(work, run, progress)
  const records = (await recordsFrom(work, drafts)).map((record, index) => {
    if (record instanceof Refusal) throw new RefusedOperation(record, index)
    countStays({ after: record }, { index, progress })
    return record
  })
  if (unformed !== undefined) throw new RefusedOperation(unformed, drafts.length)
  const stored = await storeNew(work.tx, work.installation.farm, { type, records, set: work.set })
  // The last of those that make a circle together is the one that closes it.
  for (const [index, record] of [...stored.entries()].reverse()) {
    await placed(index, () => refuseOwnMember(work.tx, record))
  }
  return stored.map(({ id }) => ({ status: 201, type, id }))
}

interface Drafts {
  readonly drafts: readonly NewDraft[]
  /** Why the one after the last is none. */
  readonly unformed?: Refusal
}

function draftsOf(work: Work, run: Run, progress: Progress): Drafts {
  const { installation, caller } = work
  const intake = intakeOf(work, progress)
  const drafts: NewDraft[] = []
  for (const { type, body } of run) {
    try {
      const draft = draftOfNew(installation, caller, newRecordIn(intake, type, withResults(body, progress.named)))
      drafts.push(draft)
      // It will be refused: what comes after it need not be looked up, and nothing of it be kept.
      if (draft.faultsOfForm > 0) break
    } catch (error) {
      if (error instanceof Refusal) return { drafts, unformed: error }
      throw error
    }
  }
  return { drafts }
}

const intakeOf = ({ installation }: Work, { address }: Progress): Intake => ({
  farm: installation.farm,
  vocabularies: installation.vocabularies,
  address,
})

async function changeOne(work: Work, operation: Operation, progress: Progress): Promise<Done> {
  const { verb, type } = operation
  const id = idOf(operation, progress.named)
  if (verb === 'remove') await removeIn(work, { type, id })
  else {
    const body = withResults(operation.body, progress.named)
    countStays(await updateIn(work, { type, id, draftFor: changeIn(intakeOf(work, progress), body) }), {
      index: 0,
      progress,
    })
  }
  return { status: 200, type, id }
}

/** The limit of one log holds for all that a batch adds: its logs keep everybody waiting together. */
function countStays(
  change: { readonly before?: Unstored; readonly after: Unstored },
  { index, progress }: { readonly index: number; readonly progress: Progress },
): void {
  try {
    progress.stayRows += stayRowsAdded(change)
  } catch (error) {
    throw placedAt(index, error)
  }
  if (progress.stayRows <= mostStays) return
  const message = `The logs up to here put assets into more than ${mostStays} places: make smaller batches.`
  throw new RefusedOperation(new Refusal('invalid-content', message), index, true)
}

async function placed(index: number, check: () => Promise<void>): Promise<void> {
  try {
    await check()
  } catch (error) {
    throw placedAt(index, error)
  }
}

const placedAt = (index: number, error: unknown): unknown =>
  error instanceof Refusal ? new RefusedOperation(error, index) : error

function idOf({ type, id }: Operation, named: NamedResults): number {
  if (!id.startsWith('$')) return Number(id)
  const result = resultNamed(id, named)
  if (result?.type === type) return result.id
  throw result === undefined
    ? noSuchRecord(type, id)
    : new Refusal('not-found', `${id} is ${result.type} ${result.id}, and no ${type}.`)
}
