import type { Insertable, Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { InvitationRow } from '../sql/access-tables.ts'
import { must } from '../sql/fragment.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'

export type InvitationEntry = Selectable<InvitationRow>

export async function insertInvitation(
  tx: Transaction,
  invitation: Insertable<InvitationRow>,
): Promise<InvitationEntry> {
  return must(await insertedInvitation(tx, invitation))
}

const insertedInvitation = preparedFirst((tx: Transaction, invitation: Insertable<InvitationRow>) =>
  tx.insertInto('invitation').values(invitation).returningAll(),
)

interface AtThatTime {
  readonly now: number
}

/** The one under this hash, unless its time is over. */
export async function findInvitation(
  snapshot: Snapshot,
  hash: string,
  now: number,
): Promise<InvitationEntry | undefined> {
  return invitationUnder(snapshot, { hash, now })
}

const invitationUnder = preparedFirst((snapshot, { hash, now }: AtThatTime & { readonly hash: string }) =>
  snapshot.selectFrom('invitation').selectAll().where('hash', '=', hash).where('expires', '>', now),
)

/** Valid ones, newest first. */
export async function openInvitations(snapshot: Snapshot, now: number): Promise<readonly InvitationEntry[]> {
  return unexpired(snapshot, { now })
}

const unexpired = prepared((snapshot, { now }: AtThatTime) =>
  snapshot.selectFrom('invitation').selectAll().where('expires', '>', now).orderBy('id', 'desc'),
)

/** If several requests race, true for exactly one. */
export async function takeInvitation(tx: Transaction, id: number): Promise<boolean> {
  return (await deleteWithId(tx, { id })) === 1
}

const deleteWithId = preparedChange((tx, { id }: { readonly id: number }) =>
  tx.deleteFrom('invitation').where('id', '=', id),
)

/** Invitations made by an account. */
export async function deleteInvitationsBy(tx: Transaction, uid: number): Promise<void> {
  await deleteMadeBy(tx, { uid })
}

const deleteMadeBy = preparedChange((tx, { uid }: { readonly uid: number }) =>
  tx.deleteFrom('invitation').where('made_by', '=', uid),
)

/** Links made for an existing account. */
export async function deleteInvitationsFor(tx: Transaction, uid: number): Promise<void> {
  await deleteMadeFor(tx, { uid })
}

const deleteMadeFor = preparedChange((tx, { uid }: { readonly uid: number }) =>
  tx.deleteFrom('invitation').where('uid', '=', uid),
)
