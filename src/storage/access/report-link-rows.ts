import type { Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { ReportLinkRow } from '../sql/access-tables.ts'
import { inSlices } from '../sql/fragment.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange, preparedFirst } from '../sql/prepared.ts'

type ReportLink = Readonly<Selectable<ReportLinkRow>>

/** Without what it shows. */
export type ReportLinkHead = Omit<ReportLink, 'document' | 'logs' | 'hash'>

export async function insertReportLink(tx: Transaction, link: ReportLink): Promise<void> {
  await insertAll(tx, 'report_link', [link])
}

/** Valid ones, newest first. */
export async function reportLinksAlive(snapshot: Snapshot, now: number): Promise<readonly ReportLinkHead[]> {
  return alive(snapshot, { now })
}

const alive = prepared((snapshot, { now }: { readonly now: number }) =>
  snapshot
    .selectFrom('report_link')
    .select([
      'id',
      'uid',
      'report',
      'first_day',
      'last_day',
      'with_people',
      'created',
      'expires',
      'checksum',
      'log_count',
    ])
    .where('expires', '>', now)
    .orderBy('created', 'desc')
    .orderBy('id', 'desc'),
)

export async function findReportLink(snapshot: Snapshot, hash: string, now: number): Promise<ReportLink | undefined> {
  return withHash(snapshot, { hash, now })
}

const withHash = preparedFirst((snapshot, { hash, now }: { readonly hash: string; readonly now: number }) =>
  snapshot.selectFrom('report_link').selectAll().where('hash', '=', hash).where('expires', '>', now),
)

/** True if there was a valid one. */
export async function deleteReportLink(tx: Transaction, id: string, now: number): Promise<boolean> {
  return (await deleteWithId(tx, { id, now })) > 0
}

const deleteWithId = preparedChange((tx, { id, now }: { readonly id: string; readonly now: number }) =>
  tx.deleteFrom('report_link').where('id', '=', id).where('expires', '>', now),
)

/** The revisions that these logs have now; those that are removed have none. */
export async function revisionsOfLogs(
  snapshot: Snapshot,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await inSlices(ids, (slice) => revisionsOf(snapshot, { ids: slice }))
  return new Map(rows.map(({ id, revision }) => [id, revision]))
}

const revisionsOf = prepared((snapshot, { ids }: { readonly ids: readonly number[] }) =>
  snapshot.selectFrom('log').select(['id', 'revision']).where('id', 'in', ids),
)
