import type { RecordTypeName } from '../farm/farm.ts'
import { firstByBatch } from '../farm/fields-of.ts'
import { isTree } from '../fields/place.ts'
import { uuidIn } from '../fields/scalars.ts'
import { mostStays, stayRowsAdded } from '../history/implications.ts'
import { refuseOwnMember } from '../records/ancestry.ts'
import { recordIdUnder } from '../records/record-id-under.ts'
import { draftOfNew, madeBefore, type NewDraft, recordsFrom } from '../records/writing/create.ts'
import { revisionsNamed } from '../records/writing/draft.ts'
import { removeIn } from '../records/writing/remove.ts'
import { storeNew } from '../records/writing/storing.ts'
import { noSuchRecord, updateIn } from '../records/writing/update.ts'
import type { WriteContext } from '../records/writing/write-context.ts'
import { Refusal } from '../refusal.ts'
import { identitiesToClaim } from '../storage/identity.ts'
import type { RecordToStore } from '../storage/records/stored.ts'
import { must } from '../storage/sql/fragment.ts'
import {
  type Batch,
  type BatchOperation,
  type NamedResult,
  type NamedResults,
  resultNamed,
  withResults,
} from './batch-operations.ts'
import { type BodyContext, changeIn, contextOfNew, newRecordIn } from './record-draft.ts'

/** Operations that are carried out together. */
type OperationRun = readonly BatchOperation[]

/** The state of a batch after the operations so far. */
export interface BatchProgress {
  readonly named: Map<string, NamedResult>
  /** The address of the farm that the batch was sent to. */
  readonly address: string | null
  /** Stay rows added so far. */
  stayRows: number
}

/** The refusal of one operation of a run. */
export class RefusedOperation extends Refusal {
  /** Its index in the run. */
  readonly index: number
  /** True if the rest must not run either. */
  readonly endsAll: boolean

  constructor({ refusal, message, details }: Refusal, index: number, endsAll = false) {
    super(refusal, message, details)
    this.index = index
    this.endsAll = endsAll
  }
}

interface OperationResult {
  readonly status: number
  readonly type: RecordTypeName
  readonly id: number
}

const bodyContextOf = ({ installation }: WriteContext, { address }: BatchProgress): BodyContext => ({
  farm: installation.farm,
  vocabularies: installation.vocabularies,
  address,
})

/** The limit of one log holds for all that a batch adds: its logs keep everybody waiting together. */
function countStays(
  change: { readonly before?: RecordToStore; readonly after: RecordToStore },
  { index, progress }: { readonly index: number; readonly progress: BatchProgress },
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

interface Creation {
  readonly type: RecordTypeName
  readonly progress: BatchProgress
}

/** Makes the new records of a run together; what had been made before under its UUID is as it is. */
export async function createRun(
  work: WriteContext,
  run: OperationRun,
  { type, progress }: Creation,
): Promise<readonly OperationResult[]> {
  const { steps, unformed } = await stepsOf(work, run, { type, progress })
  const places = steps.flatMap((step, index) => ('draft' in step ? [index] : []))
  const { made, ...others } = await recordsFrom(
    work,
    steps.flatMap((step) => ('draft' in step ? [step] : [])),
  )
  const records = made.map((record, nth) => {
    const index = places[nth] ?? 0
    if (record instanceof Refusal) throw new RefusedOperation(record, index)
    countStays({ after: record }, { index, progress })
    return record
  })
  if (unformed !== undefined) throw new RefusedOperation(unformed, steps.length)
  const stored = await storeNew(work.tx, work.installation.farm, { type, records, set: work.set, ...others })
  // The last of those that make a circle together is the one that closes it.
  for (const [nth, record] of [...stored.entries()].reverse()) {
    await placed(places[nth] ?? 0, () => refuseOwnMember(work.tx, record))
  }
  const created = stored.values()
  return steps.map((step) => ('draft' in step ? { status: 201, type, id: must(created.next().value).id } : step))
}

interface CreationSteps {
  /** A draft for each record that is to be made, and in its place what had been made before. */
  readonly steps: readonly (NewDraft | OperationResult)[]
  /** The refusal of the operation after the last. */
  readonly unformed?: Refusal
}

async function stepsOf(work: WriteContext, run: OperationRun, { type, progress }: Creation): Promise<CreationSteps> {
  const { installation, caller, tx } = work
  const bodies = run.map(({ body }) => body)
  const read1x = await contextOfNew(tx, bodyContextOf(work, progress), { type, bodies })
  const intake =
    read1x.present === undefined
      ? read1x
      : { ...read1x, present: new Set([...read1x.present, ...firstByBatch(installation.farm)]) }
  const known = await identitiesToClaim(tx, [...uuidsOf(run)])
  const steps: (NewDraft | OperationResult)[] = []
  for (const { body, uuid } of run) {
    const read = () => newRecordIn(intake, type, withResults(body, progress.named))
    const identity = uuid === undefined ? undefined : known.get(uuid)
    try {
      if (identity !== undefined) {
        const { record } = await madeBefore(work, identity, { type, uuid, read })
        steps.push({ status: 200, type, id: record.id })
        continue
      }
      const draft = draftOfNew(installation, caller, { ...read(), ...(uuid === undefined ? {} : { uuid }) })
      steps.push(draft)
      // It will be refused: what comes after it need not be looked up, and nothing of it be kept.
      if (draft.faultsOfForm > 0) break
    } catch (error) {
      if (error instanceof Refusal) return { steps, unformed: error }
      throw error
    }
  }
  return { steps }
}

/** The UUIDs that their sender has chosen. */
const uuidsOf = (run: OperationRun): ReadonlySet<string> => new Set(run.flatMap(({ uuid }) => uuid ?? []))

/** Enough that what is done once for all of them counts little, and few enough that nobody waits long for their turn. */
const longestRun = 50

/**
 * New records of one type that follow one another are kept together: looking up what they refer to and writing their rows
 * takes a fraction of the statements. None of them can refer to another, and nothing can be refused without the rest.
 */
export function runsOf({ atomic, operations }: Batch): readonly OperationRun[] {
  const runs: BatchOperation[][] = []
  for (const operation of operations) {
    const run = runs.at(-1)
    if (atomic && run !== undefined && run.length < longestRun && goTogether(run, operation)) run.push(operation)
    else runs.push([operation])
  }
  return runs
}

/** A term can be referred to by its name, anything else only by the name of its result or by its UUID. */
function goTogether(run: OperationRun, next: BatchOperation): boolean {
  const last = run.at(-1)
  const areAlike = last?.verb === 'create' && next.verb === 'create' && last.type === next.type
  return areAlike && next.type !== 'term' && last.as === undefined && !isAbout(next.body, uuidsOf(run))
}

/** True if a body contains one of these UUIDs, as its own or in a reference. */
function isAbout(body: unknown, uuids: ReadonlySet<string>): boolean {
  if (uuids.size === 0) return false
  if (Array.isArray(body)) return body.some((one) => isAbout(one, uuids))
  if (!isTree(body)) return false
  return Object.entries(body).some(([name, member]) =>
    name === 'uuid' ? uuids.has(uuidIn(member) ?? '') : isAbout(member, uuids),
  )
}

export async function carryOutRun(
  work: WriteContext,
  run: OperationRun,
  progress: BatchProgress,
): Promise<readonly OperationResult[]> {
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

async function changeOne(
  work: WriteContext,
  operation: BatchOperation,
  progress: BatchProgress,
): Promise<OperationResult> {
  const { verb, type } = operation
  const id = await idOf(work, operation, progress.named)
  const seen = operation.match === undefined ? undefined : revisionsNamed(operation.match, work.installation.edition)
  const wanted = { type, id, ...(seen === undefined ? {} : { seen }) }
  if (verb === 'remove') await removeIn(work, wanted)
  else {
    const body = withResults(operation.body, progress.named)
    countStays(await updateIn(work, { ...wanted, draftFor: changeIn(bodyContextOf(work, progress), body) }), {
      index: 0,
      progress,
    })
  }
  return { status: 200, type, id }
}

async function idOf({ tx }: WriteContext, { type, id }: BatchOperation, named: NamedResults): Promise<number> {
  const uuid = uuidIn(id)
  if (uuid !== undefined) return recordIdUnder(tx, type, uuid)
  if (/^\d+$/.test(id)) return Number(id)
  const result = resultNamed(id, named)
  if (result?.type === type) return result.id
  throw result === undefined
    ? noSuchRecord(type, id)
    : new Refusal('not-found', `${id} is ${result.type} ${result.id}, and no ${type}.`)
}
