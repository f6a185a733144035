import type { RecordTypeName } from '../../../farm/farm.ts'
import { refuseOwnMember } from '../../../records/ancestry.ts'
import { draftOfNew, type NewDraft, recordsFrom } from '../../../records/writing/create.ts'
import { madeBefore } from '../../../records/writing/create-once.ts'
import { storeNew } from '../../../records/writing/storing.ts'
import type { Work } from '../../../records/writing/work.ts'
import { Refusal } from '../../../refusal.ts'
import { identitiesToClaim } from '../../../storage/identity.ts'
import { must } from '../../../storage/must.ts'
import { intakeOfNew, newRecordIn } from '../intake/new-record.ts'
import { withResults } from './operations.ts'
import { countStays, type Done, intakeOf, type Progress, placed, RefusedOperation, type Run } from './progress.ts'

interface Creation {
  readonly type: RecordTypeName
  readonly progress: Progress
}

/** Makes the new records of a run together; what had been made before under its UUID is as it is. */
export async function createRun(work: Work, run: Run, { type, progress }: Creation): Promise<readonly Done[]> {
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

interface Steps {
  /** A draft for each record that is to be made, and in its place what had been made before. */
  readonly steps: readonly (NewDraft | Done)[]
  /** Why the one after the last is none. */
  readonly unformed?: Refusal
}

async function stepsOf(work: Work, run: Run, { type, progress }: Creation): Promise<Steps> {
  const { installation, caller, tx } = work
  const bodies = run.map(({ body }) => body)
  const intake = await intakeOfNew(tx, intakeOf(work, progress), { type, bodies })
  const known = await identitiesToClaim(tx, [...uuidsOf(run)])
  const steps: (NewDraft | Done)[] = []
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
export const uuidsOf = (run: Run): ReadonlySet<string> => new Set(run.flatMap(({ uuid }) => uuid ?? []))
