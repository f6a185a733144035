import type { RecordTypeName } from '../../farm/farm.ts'
import { Refusal } from '../../refusal.ts'
import { type Identity, identitiesToClaim } from '../../storage/identity.ts'
import { setOfCreation } from '../../storage/journal.ts'
import { recordsByIds } from '../../storage/records/record-rows.ts'
import type { StoredRecord } from '../../storage/records/stored.ts'
import { createIn, draftOfNew, fingerprintOf, type NewRecord } from './create.ts'
import { versionOf } from './if-match.ts'
import { namedByUuid } from './uuids.ts'
import type { WriteContext } from './write-context.ts'

/** A record that may have been made before. */
export interface Creation {
  readonly type: RecordTypeName
  /** Where its writer has chosen one. */
  readonly uuid: string | undefined
  /** The rest is looked at only once it is known what the UUID stands for. */
  readonly read: () => NewRecord
}

export interface CreationResult {
  readonly record: StoredRecord
  /** Where it had been made before: the changes that it was made with. */
  readonly earlier?: string
}

/** Keeps a new record, unless the same writer has made the same under its UUID before: then that is it, however long ago. */
export async function createOnce(work: WriteContext, creation: Creation): Promise<CreationResult> {
  const { uuid } = creation
  if (uuid === undefined) return { record: await createIn(work, creation.read()) }
  const identity = (await identitiesToClaim(work.tx, [uuid])).get(uuid)
  if (identity !== undefined) return madeBefore(work, identity, creation)
  return { record: await createIn(work, { ...creation.read(), uuid }) }
}

/** The record that the same draft has made under this UUID; anything else is refused. */
export async function madeBefore(
  work: WriteContext,
  identity: Identity,
  { type, read }: Creation,
): Promise<Required<CreationResult>> {
  const { tx, caller } = work
  if (identity.uid !== caller.uid) throw uuidTaken('stands for something that another account has made; take a new one')
  if (identity.type !== type) throw uuidTaken('stands for something of another type; take a new one')
  const record = (await recordsByIds(tx, type, [identity.number])).get(identity.number)
  if (identity.removed !== null || record === undefined)
    throw uuidTaken('stands for a record that was removed; take a new one to make it again')
  const earlier = (await setOfCreation(tx, record)) ?? work.set.id
  if (await isDraftOf(work, identity, read)) return { record, earlier }
  // What is made in this very transaction is gone with it.
  if (earlier === work.set.id) throw uuidTaken('is already that of something else in this request; take a new one')
  throw otherDraft(record, work.installation.edition)
}

/** What cannot be read has made nothing. */
async function isDraftOf(
  { installation, tx, caller }: WriteContext,
  { draft }: Identity,
  read: () => NewRecord,
): Promise<boolean> {
  try {
    const given = draftOfNew(installation, caller, read())
    if (draft === null || given.faultsOfForm > 0) return false
    return fingerprintOf(given, await namedByUuid(tx, [given.draft])) === draft
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function otherDraft({ type, id, revision }: StoredRecord, edition: string): Refusal {
  const message = `stands for ${type} ${id}, which you have made otherwise; change that, or take a new UUID`
  return uuidTaken(message, { id: String(id), version: versionOf(revision, edition) })
}

export const uuidTaken = (message: string, members: Readonly<Record<string, string>> = {}): Refusal =>
  new Refusal('uuid-taken', `The UUID ${message}.`, { faults: [{ field: 'uuid', message }], members })
