import { isTree } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import { recordIdUnder } from '../../../records/record-id-under.ts'
import { removeIn } from '../../../records/writing/remove.ts'
import { noSuchRecord, updateIn } from '../../../records/writing/update.ts'
import type { Work } from '../../../records/writing/work.ts'
import { Refusal } from '../../../refusal.ts'
import { revisionsNamed } from '../../http/answers/versions.ts'
import { changeIn } from '../intake/record-change.ts'
import { createRun, uuidsOf } from './creations.ts'
import { type Batch, type NamedResults, type Operation, resultNamed, withResults } from './operations.ts'
import { countStays, type Done, intakeOf, type Progress, RefusedOperation, type Run } from './progress.ts'

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
    if (atomic && run !== undefined && run.length < longestRun && goTogether(run, operation)) run.push(operation)
    else runs.push([operation])
  }
  return runs
}

/** A term can be referred to by its name, anything else only by the name of its result or by its UUID. */
function goTogether(run: Run, next: Operation): boolean {
  const last = run.at(-1)
  const areAlike = last?.verb === 'create' && next.verb === 'create' && last.type === next.type
  return areAlike && next.type !== 'term' && last.as === undefined && !isAbout(next.body, uuidsOf(run))
}

/** Whether a body names one of these UUIDs, as its own or as that of what it refers to. */
function isAbout(body: unknown, uuids: ReadonlySet<string>): boolean {
  if (uuids.size === 0) return false
  if (Array.isArray(body)) return body.some((one) => isAbout(one, uuids))
  if (!isTree(body)) return false
  return Object.entries(body).some(([name, member]) =>
    name === 'uuid' ? uuids.has(uuidIn(member) ?? '') : isAbout(member, uuids),
  )
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

async function changeOne(work: Work, operation: Operation, progress: Progress): Promise<Done> {
  const { verb, type } = operation
  const id = await idOf(work, operation, progress.named)
  const seen = operation.match === undefined ? undefined : revisionsNamed(operation.match, work.installation.edition)
  const wanted = { type, id, ...(seen === undefined ? {} : { seen }) }
  if (verb === 'remove') await removeIn(work, wanted)
  else {
    const body = withResults(operation.body, progress.named)
    countStays(await updateIn(work, { ...wanted, draftFor: changeIn(intakeOf(work, progress), body) }), {
      index: 0,
      progress,
    })
  }
  return { status: 200, type, id }
}

async function idOf({ tx }: Work, { type, id }: Operation, named: NamedResults): Promise<number> {
  const uuid = uuidIn(id)
  if (uuid !== undefined) return recordIdUnder(tx, type, uuid)
  if (/^\d+$/.test(id)) return Number(id)
  const result = resultNamed(id, named)
  if (result?.type === type) return result.id
  throw result === undefined
    ? noSuchRecord(type, id)
    : new Refusal('not-found', `${id} is ${result.type} ${result.id}, and no ${type}.`)
}
