import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { endOfStay } from '../history/ends-of-stays.ts'
import { type RebuiltRows, type RebuiltTable, rebuiltTables } from '../rebuilding/rebuilt-rows.ts'
import { ask, fragment, named } from '../sql/fragment.ts'
import type { StayRow } from '../sql/tables.ts'
import { type Found, rebuild } from './finding.ts'

type Row = Readonly<Record<string, unknown>>

/** Of which record each row is, and the columns that say all that follows from it. */
export const rebuiltShape: Readonly<
  Record<RebuiltTable, { readonly owner: string; readonly columns: readonly string[] }>
> = {
  reference: { owner: 'source_id', columns: ['path', 'target_id'] },
  facet: { owner: 'record_id', columns: ['path', 'key', 'nth', 'whole_key'] },
  stay: { owner: 'log_id', columns: ['kind', 'thing_type', 'thing_id', 'timestamp', 'place_type', 'place_id'] },
  inventory_change: {
    owner: 'log_id',
    columns: ['thing_type', 'thing_id', 'measure', 'unit_id', 'timestamp', 'position', 'value', 'is_reset'],
  },
}

interface Stretch {
  readonly type: RecordTypeName
  readonly first: number
  readonly last: number
}

/** What is kept beside the records with these numbers. Only logs have histories. */
export async function keptRows(
  snapshot: Snapshot,
  { type, first, last }: Stretch,
): Promise<Record<keyof RebuiltRows, readonly Row[]>> {
  const kept: Record<keyof RebuiltRows, readonly Row[]> = { reference: [], facet: [], stay: [], inventory_change: [] }
  for (const table of rebuiltTables) {
    const isOfLogs = table === 'stay' || table === 'inventory_change'
    if (isOfLogs && type !== 'log') continue
    const owner = named(rebuiltShape[table].owner)
    // Added to, because SQLite would go by the path and read all of the type for each stretch.
    const mine = isOfLogs ? fragment`1 = 1` : fragment`path + 0 in (select id from path where source_type = ${type})`
    kept[table] = await ask(
      snapshot,
      fragment`select * from ${named(table)} where ${mine} and ${owner} >= ${first} and ${owner} <= ${last}`,
    )
  }
  return kept
}

/** Every stay ends when the next of the same thing begins, and the last one never. */
export async function checkEndsOfStays(snapshot: Snapshot, found: Found): Promise<void> {
  const wrong = await ask<Pick<StayRow, 'kind' | 'thing_type' | 'thing_id' | 'log_id'>>(
    snapshot,
    fragment`select kind, thing_type, thing_id, log_id from stay where until <> ${endOfStay}`,
  )
  for (const { kind, thing_type, thing_id, log_id } of wrong) {
    found({
      what: `The ${kind} of ${thing_type} ${thing_id} by log ${log_id} does not end when the next begins`,
      mend: rebuild,
      alike: 'stays that do not end when the next begins',
    })
  }
}
