import { requireRight } from '../../access/caller.ts'
import type { RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import { latestRevisions, revisionOf, toldBy } from '../../storage/journal.ts'
import { lockToUpdate } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { lockIdentity } from '../../storage/trash-rows.ts'
import { refuseIfChanged } from './draft.ts'
import { putBack } from './put-back.ts'
import { refuseCircles } from './restore.ts'
import { noSuchRecord } from './update.ts'
import type { WriteContext } from './write-context.ts'

interface Reversion {
  readonly type: RecordTypeName
  readonly id: number
  readonly revision: number
  /** The revisions that the caller may have seen; a record that has moved on since is not changed. */
  readonly seen?: readonly number[]
}

/** Lets a record say what it said at an earlier revision, as a new one and as a part of a transaction. */
export async function revertIn(work: WriteContext, { type, id, revision, seen }: Reversion): Promise<StoredRecord> {
  requireRight(work.caller, 'write-records')
  const before = await lockToUpdate(work.tx, type, id)
  if (before === undefined) throw await notThere(work, { type, id })
  await refuseIfChanged(work.tx, before, seen)
  const entry = await revisionOf(work.tx, { type, id }, revision)
  const then = entry && toldBy(entry)
  if (!then) {
    const [last] = await latestRevisions(work.tx, { type, id, most: 1 })
    throw noSuchRevision(
      entry?.verb === 'remove' ? 'it was removed then; to remove it again, delete it' : `it has ${last?.revision ?? 0}`,
      { type, id, revision },
    )
  }
  const after = await putBack(work, before, then.values)
  if (after !== before) await refuseCircles(work, after)
  return after
}

function noSuchRevision(why: string, { type, id, revision }: Reversion): Refusal {
  const message = `${type} ${id} cannot be reverted to revision ${revision}: ${why}`
  return new Refusal('invalid-content', `${message}.`, { faults: [{ field: 'revision', message }] })
}

async function notThere({ tx }: WriteContext, { type, id }: Pick<Reversion, 'type' | 'id'>): Promise<Refusal> {
  const identity = await lockIdentity(tx, { type, id })
  if (identity === undefined) return noSuchRecord(type, id)
  if (identity.ended !== null)
    return new Refusal('not-restorable', `${type} ${id} was removed and has ended for good: nothing is left of it.`)
  return new Refusal(
    'not-restorable',
    `${type} ${id} lies in the trash. Restore it first, with POST /trash/${identity.uuid}/restore, and then revert it.`,
  )
}
