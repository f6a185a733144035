import type { RecordTypeName } from '../../farm/farm.ts'
import type { Database, Engine, Snapshot } from '../database.ts'
import { endOfStay } from '../history/stay-rows.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { countedTables, counts, type RebuiltRows, type RebuiltTable, rebuiltTables } from '../rebuilding.ts'
import { rowPages } from '../records/record-lookup.ts'
import { rowOf, type StoredRecord, storedOf, unlessMalformed } from '../records/stored.ts'
import { ask, type Fragment, fragment, named } from '../sql/fragment.ts'
import type { StayRow } from '../sql/tables.ts'
import { type ReportFinding, rebuild } from './finding.ts'

interface Tally {
  readonly bundle: string
  readonly status: string
  readonly count: number
}

/** The counts that lists are paged by are those of the records. */
export async function checkTallies(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const table of countedTables) {
    const real = await ask<Tally>(snapshot, counts(table))
    const kept = await ask<Tally>(
      snapshot,
      fragment`select bundle, status, sum(count) as count from tally where record_table = ${table} group by bundle, status`,
    )
    const spelled = (tallies: readonly Tally[]) =>
      new Map(
        tallies.filter(({ count }) => count !== 0).map(({ bundle, status, count }) => [`${bundle} ${status}`, count]),
      )
    const [right, said] = [spelled(real), spelled(kept)]
    for (const name of new Set([...right.keys(), ...said.keys()])) {
      const [there, counts] = [right.get(name) ?? 0, said.get(name) ?? 0]
      if (there !== counts)
        found({
          what: `There are ${there} of ${table} ${name.trim()}, but ${counts} are counted`,
          mend: rebuild,
          alike: 'counts that are wrong',
        })
    }
  }
}

/** Indexes and triggers that do their work: in PostgreSQL a trigger can also be switched off. */
const atWork: Record<Engine, Fragment> = {
  sqlite: fragment`select name from sqlite_master where type in ('index', 'trigger')`,
  postgres: fragment`select indexname as name from pg_indexes where schemaname = current_schema()
    union all select g.tgname from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = current_schema()::regnamespace and g.tgenabled <> 'D'`,
}

/** Without an index a farm is slow, without a trigger it counts wrong from then on. */
export async function checkUpkeep(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: ReportFinding,
): Promise<void> {
  const there = new Set((await ask<{ name: string }>(snapshot, atWork[engine])).map(({ name }) => name))
  const { indexes, triggers } = await blueprintOf(engine, newest)
  for (const [kind, wanted] of Object.entries({ index: indexes, trigger: triggers })) {
    for (const [name, table] of wanted) {
      if (there.has(name)) continue
      found({
        what: `The ${kind} ${name} of ${table} is not there`,
        mend: rebuild,
        alike: 'indexes and triggers that are not there',
      })
    }
  }
}

type Row = Readonly<Record<string, unknown>>

/** The key of each table, and the columns of its derived rows. */
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

interface IdRange {
  readonly type: RecordTypeName
  readonly first: number
  readonly last: number
}

/** Stored derived rows of these records. Only logs have histories. */
export async function keptRows(
  snapshot: Snapshot,
  { type, first, last }: IdRange,
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
export async function checkEndsOfStays(snapshot: Snapshot, found: ReportFinding): Promise<void> {
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

interface InspectedPage {
  readonly records: readonly StoredRecord[]
  /** Numbers of records whose fields are no longer JSON. */
  readonly unreadable: readonly number[]
  /** Numbers of records that cannot be found by their names. */
  readonly misnamed: readonly number[]
}

/** All records of a type, page by page, also where some of them cannot be read. */
export async function* inspectedPages(snapshot: Snapshot, type: RecordTypeName): AsyncGenerator<InspectedPage> {
  for await (const page of rowPages((work) => work(snapshot), type)) {
    const read = page.map((row) => [row, unlessMalformed(() => storedOf(type, row))] as const)
    yield {
      records: read.flatMap(([, record]) => (record === null ? [] : [record])),
      unreadable: read.filter(([, record]) => record === null).map(([{ id }]) => id),
      misnamed: read
        .filter(([row, record]) => record !== null && rowOf(record).name_key !== row.name_key)
        .map(([{ id }]) => id),
    }
  }
}
