import type { Selectable } from 'kysely'
import type { RecordTypeName } from '../../farm/farm.ts'
import type { Snapshot } from '../database.ts'
import { ask, fragment, named, word } from '../sql/fragment.ts'
import type { JournalRow } from '../sql/tables.ts'

export type InspectedEntry = Selectable<JournalRow>

const entriesAtOnce = 500

/** The journal of one record after another, each from its first entry on. */
export async function* journalByRecord(
  snapshot: Snapshot,
  type: RecordTypeName,
): AsyncGenerator<readonly InspectedEntry[]> {
  let group: InspectedEntry[] = []
  for await (const entry of entriesOf(snapshot, type)) {
    if (group.length > 0 && group[0]?.record_id !== entry.record_id) {
      yield group
      group = []
    }
    group.push(entry)
  }
  if (group.length > 0) yield group
}

async function* entriesOf(snapshot: Snapshot, type: RecordTypeName): AsyncGenerator<InspectedEntry> {
  for (let [id, sequence] = [0, 0]; ; ) {
    const page = await ask<InspectedEntry>(
      snapshot,
      fragment`select * from journal where record_type = ${type} and (record_id, sequence) > (${id}, ${sequence})
        order by record_id, sequence limit ${word(`${entriesAtOnce}`)}`,
    )
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < entriesAtOnce) return
    ;[id, sequence] = [last.record_id, last.sequence]
  }
}

/** A quantity made inside a log, and never a record of its own, has the revision 0. */
export async function recordsWithoutJournal(snapshot: Snapshot, type: RecordTypeName): Promise<number[]> {
  const found = await ask<{ id: number }>(
    snapshot,
    fragment`select id from ${named(type)} as record where revision > 0 and not exists
      (select 1 from journal where record_type = ${type} and record_id = record.id)`,
  )
  return found.map(({ id }) => id)
}
