import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { ask, fragment, listed, word } from '../sql/fragment.ts'
import { inSlices } from '../sql/slices.ts'

/** What a record is called, and whether another one of its type, or of a term's vocabulary, is called so too. */
export interface RecordName {
  readonly name: string
  readonly isShared: boolean
}

/** The names of these records, by id; those that do not exist are missing. */
export async function recordNames(
  snapshot: Snapshot,
  type: RecordTypeName,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RecordName>> {
  const table = word(type)
  const among = type === 'term' ? word('other.bundle = record.bundle and') : word('')
  const found = await inSlices(ids, (slice) =>
    ask<{ readonly id: number; readonly name: string; readonly shared: number }>(
      snapshot,
      fragment`select record.id as id, record.name as name, case when exists (select 1 from ${table} as other
        where ${among} other.name_key = record.name_key and other.id <> record.id) then 1 else 0 end as shared
        from ${table} as record where record.id in (${listed(slice)})`,
    ),
  )
  return new Map(found.map(({ id, name, shared }) => [id, { name, isShared: shared === 1 }]))
}
