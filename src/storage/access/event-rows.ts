import type { Insertable, Selectable } from 'kysely'
import type { Snapshot, Transaction } from '../database.ts'
import type { AccessEventRow } from '../sql/access-tables.ts'
import { insertAll } from '../sql/insertion.ts'
import { prepared, preparedChange } from '../sql/prepared.ts'

export async function insertEvent(tx: Transaction, event: Insertable<AccessEventRow>): Promise<void> {
  await insertAll(tx, 'access_event', [event])
}

interface EventSelection {
  /** Empty: every kind. */
  readonly kinds: readonly string[]
  readonly since: number
  readonly most: number
}

export async function findEvents(
  snapshot: Snapshot,
  { kinds, since, most }: EventSelection,
): Promise<readonly Selectable<AccessEventRow>[]> {
  return latestEvents(snapshot, kinds.length === 0 ? { since, most } : { since, most, kinds })
}

type Events = Partial<EventSelection> & Pick<EventSelection, 'since' | 'most'>

const latestEvents = prepared((snapshot, { kinds, since, most }: Events) => {
  const recent = snapshot.selectFrom('access_event').selectAll().where('at', '>=', since)
  const chosen = kinds === undefined ? recent : recent.where('event', 'in', kinds)
  return chosen.orderBy('sequence', 'desc').limit(most)
})

/** Takes away some of the events from before that time; answers how many. */
export async function sweepEvents(tx: Transaction, before: number, most: number): Promise<number> {
  return deleteEvents(tx, { before, most })
}

const deleteEvents = preparedChange((tx, { before, most }: { readonly before: number; readonly most: number }) =>
  tx
    .deleteFrom('access_event')
    .where('sequence', 'in', (any) =>
      any.selectFrom('access_event').select('sequence').where('at', '<=', before).limit(most),
    ),
)
