import { setImmediate as nextTurn } from 'node:timers/promises'
import { latestRevisions } from '../../storage/journal.ts'
import { lockToUpdate } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { must } from '../../storage/sql/fragment.ts'
import { takeFilesBack } from '../../storage/unused-files.ts'
import { waitsAgain } from '../quantities/dropped-quantity.ts'
import { namedBy, putBack } from '../writing/put-back.ts'
import { asConflict } from '../writing/restore.ts'
import { storeRemoval, storeRestored } from '../writing/storing.ts'
import type { WriteContext } from '../writing/write-context.ts'
import type { SetRecord } from './set-records.ts'

/** First what others refer to comes back, then what refers to it; what is to go is let go of first, and goes referrers first. */
const turns: readonly (readonly [UndoStep['verb'], StoredRecord['type']])[] = [
  ['restore', 'term'],
  ['restore', 'asset'],
  ['restore', 'log'],
  ['restore', 'quantity'],
  ['update', 'term'],
  ['update', 'asset'],
  ['update', 'log'],
  ['remove', 'log'],
  ['update', 'quantity'],
  ['remove', 'quantity'],
  ['remove', 'asset'],
  ['remove', 'term'],
]

export function inTurn(steps: readonly UndoStep[]): readonly UndoStep[] {
  return turns.flatMap(([verb, type]) => {
    const these = steps.filter((step) => step.verb === verb && step.record.type === type)
    return verb === 'remove' ? these.toReversed() : these
  })
}

/** Does what was judged to be possible. Answers what is there again, or is other than before. */
export async function takeSteps(work: WriteContext, steps: readonly UndoStep[]): Promise<readonly StoredRecord[]> {
  const written: StoredRecord[] = []
  await everyTenth(inTurn(steps), async (step) => {
    const { verb, current, wanted } = await afterItsLog(work, step)
    if (current?.log !== undefined) return
    if (verb === 'restore') written.push(await bringBack(work, must(wanted)))
    else if (verb === 'update') written.push(await putBack(work, must(current), must(wanted).values))
    else await storeRemoval(work.tx, work.installation.farm, removalOf(work, must(current)))
  })
  return written
}

/** Quantities that waited before a log took them wait again. */
const removalOf = ({ set, installation }: WriteContext, record: StoredRecord) => ({
  record,
  set,
  at: installation.clock(),
  fate: waitsAgain,
})

/** Steps of a log change its quantities: a dropped one differs from before, and one taken back is as it was. */
async function afterItsLog({ tx }: WriteContext, step: UndoStep): Promise<UndoStep> {
  const { type, id } = step.record
  return type === 'quantity' ? { ...step, current: await lockToUpdate(tx, type, id) } : step
}

/** As before the set, which may differ from its state at removal. */
async function bringBack({ tx, set, installation }: WriteContext, before: StoredRecord): Promise<StoredRecord> {
  const [last] = await latestRevisions(tx, { ...before, most: 1 })
  const record = { ...before, changed: installation.clock(), revision: must(last).revision + 1 }
  const files = namedBy(installation.farm, record).filter(({ to }) => to === 'file')
  await takeFilesBack(
    tx,
    files.map(({ id }) => id),
  )
  await asConflict(record, () => storeRestored(tx, installation.farm, { record, set }))
  return record
}

/** A step that sets a record to its state before the set. */
export interface UndoStep {
  readonly verb: 'restore' | 'update' | 'remove'
  readonly record: SetRecord
  /** The current and the wanted state. */
  readonly current: StoredRecord | undefined
  readonly wanted: StoredRecord | undefined
}

/** One after the other. Others want to be answered, too; the transaction can wait a moment after every tenth. */
export async function everyTenth<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  for (const [index, item] of items.entries()) {
    if (index % 10 === 9) await nextTurn()
    await work(item)
  }
}
