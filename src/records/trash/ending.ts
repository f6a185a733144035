import { requireRight } from '../../access/caller.ts'
import { Refusal } from '../../refusal.ts'
import { contentOf, endRecord, findTrashed, lockIdentity } from '../../storage/trash-rows.ts'
import type { Work } from '../writing/work.ts'

export interface TrashEnding {
  readonly uuid: string
  /** The revisions that the caller may have seen. */
  readonly seen?: readonly number[]
}

export const endingIsForManagers = 'Only managers end removed records for good; they end by themselves in time.'

/** Ends a record in the trash for good, as a part of a transaction. */
export async function endIn({ installation, tx, caller }: Work, { uuid, seen }: TrashEnding): Promise<void> {
  requireRight(caller, 'configure', endingIsForManagers)
  await lockIdentity(tx, { uuid })
  const trashed = await findTrashed(tx, uuid)
  if (trashed === undefined) throw notInTrash(uuid)
  const { type, number: id } = trashed
  const revision = (await contentOf(tx, trashed))?.removal.revision
  if (seen !== undefined && (revision === undefined || !seen.includes(revision))) {
    throw new Refusal(
      'precondition-failed',
      `${type} ${id} does not have the tag in If-Match. Look at it in the trash again.`,
    )
  }
  await endRecord(tx, { type, id, uuid, at: installation.clock() })
}

export const notInTrash = (uuid: string): Refusal =>
  new Refusal('not-found', `Nothing called ${uuid} lies in the trash.`)
