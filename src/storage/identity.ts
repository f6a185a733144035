import type { RecordTypeName } from '../farm/farm.ts'
import type { Snapshot, Transaction } from './database.ts'
import { holdUuids } from './sql/advisory-locks.ts'
import { inSlices } from './sql/fragment.ts'
import { insertAll } from './sql/insertion.ts'
import { prepared, preparedSending } from './sql/prepared.ts'
import type { IdentityRow } from './sql/tables.ts'

export type Identity = Readonly<IdentityRow>

export type NewIdentity = Pick<Identity, 'uuid' | 'type' | 'number' | 'uid'> & { readonly draft?: string | null }

/** Takes UUIDs for what is being made. */
export async function claimIdentities(tx: Transaction, claims: readonly NewIdentity[]): Promise<void> {
  if (claims.length > 0) await insertAll(tx, 'identity', identityRows(claims))
}

export const identityRows = (claims: readonly NewIdentity[]) =>
  claims.map(({ uuid, type, number, uid, draft = null }) => ({ uuid, type, number, uid, draft }))

/** Identities by UUID; unknown ones are missing. */
export async function identitiesOf(
  snapshot: Snapshot,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, Identity>> {
  const found = await inSlices(uuids, (slice) => identitiesIn(snapshot, { uuids: slice }))
  return new Map(found.map((identity) => [identity.uuid, identity]))
}

const identitiesIn = prepared((snapshot, { uuids }: { readonly uuids: readonly string[] }) =>
  snapshot.selectFrom('identity').selectAll().where('uuid', 'in', uuids),
)

/** The same for what is to be made under them: who makes something under the same UUIDs at the same time waits, and then finds it. */
export async function identitiesToClaim(
  tx: Transaction,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, Identity>> {
  await holdUuids(tx, uuids)
  return identitiesOf(tx, uuids)
}

/** Records noted as removed, by id. */
export async function removedAmong(
  snapshot: Snapshot,
  type: RecordTypeName,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, Identity>> {
  const found = await inSlices(numbers, (slice) => removedIn(snapshot, { type, numbers: slice }))
  return new Map(found.map((identity) => [identity.number, identity]))
}

const removedIn = prepared(
  (snapshot, { type, numbers }: { readonly type: RecordTypeName; readonly numbers: readonly number[] }) =>
    snapshot
      .selectFrom('identity')
      .selectAll()
      .where('removed', 'is not', null)
      .where('type', '=', type)
      .where('number', 'in', numbers),
)

/** Numbers of all removed records. */
export const removedNumbers = prepared((snapshot) =>
  snapshot.selectFrom('identity').select(['type', 'number']).where('removed', 'is not', null),
)

/** Notes since when what has this UUID lies in the trash; null where it came back. */
export async function markRemoved(tx: Transaction, uuid: string, removed: number | null): Promise<void> {
  await removalMarked(tx, { uuid, removed })
}

const removalMarked = preparedSending(
  (tx, { uuid, removed }: { readonly uuid: string; readonly removed: number | null }) =>
    tx.updateTable('identity').set({ removed }).where('uuid', '=', uuid),
)

/** Notes how what has this UUID came to be. */
export async function noteDraft(tx: Transaction, uuid: string, draft: string): Promise<void> {
  await draftNoted(tx, { uuid, draft })
}

const draftNoted = preparedSending((tx, { uuid, draft }: { readonly uuid: string; readonly draft: string }) =>
  tx.updateTable('identity').set({ draft }).where('uuid', '=', uuid),
)

/** Notes that what has this UUID cannot come back any more. */
export async function markEnded(tx: Transaction, uuid: string, ended: number): Promise<void> {
  await endMarked(tx, { uuid, ended })
}

const endMarked = preparedSending((tx, { uuid, ended }: { readonly uuid: string; readonly ended: number }) =>
  tx
    .updateTable('identity')
    .set((row) => ({ ended, removed: row.fn.coalesce('removed', row.val(ended)) }))
    .where('uuid', '=', uuid),
)

/** Notes that what has this UUID went together with what it was a part of: it lies in no trash, and comes back with that. */
export async function markGone(tx: Transaction, uuid: string, at: number): Promise<void> {
  await fateMarked(tx, { uuid, at })
}

/** Notes that it is there again. */
export async function markThere(tx: Transaction, uuid: string): Promise<void> {
  await fateMarked(tx, { uuid, at: null })
}

const fateMarked = preparedSending((tx, { uuid, at }: { readonly uuid: string; readonly at: number | null }) =>
  tx.updateTable('identity').set({ removed: at, ended: at }).where('uuid', '=', uuid),
)
