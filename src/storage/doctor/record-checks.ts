import { allTypeNames } from '../../farm/fields-of.ts'
import type { Database, Engine, Snapshot } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { notedPaths, pathNumber, spelled } from '../records/path.ts'
import { canBeRebuilt } from '../sql/existing-tables.ts'
import { ask, type Fragment, fragment, joined, named } from '../sql/fragment.ts'
import { givenNumbers } from '../sql/record-numbers.ts'
import { numberedTables, tableNames } from '../sql/table-fates.ts'
import { type ReportFinding, rebuild, restoreBackup } from './finding.ts'

interface IdentityCheck {
  readonly rows: Fragment
  readonly what: (row: Readonly<Record<string, string | number>>) => string
  readonly alike: string
}

const checks: readonly IdentityCheck[] = [
  ...[...allTypeNames, 'file' as const].flatMap((type) => [
    {
      rows: fragment`select id, uuid from ${named(type)} as thing where not exists (select 1 from identity
        where identity.uuid = thing.uuid and type = ${type} and number = thing.id and removed is null)`,
      what: ({ id, uuid }: Readonly<Record<string, string | number>>) =>
        `${type} ${id}: its UUID ${uuid} is not noted as its own`,
      alike: 'UUIDs that are not noted as those of what has them',
    },
    {
      rows: fragment`select uuid, number from identity where type = ${type} and removed is null
        and not exists (select 1 from ${named(type)} as thing where thing.id = identity.number)`,
      what: ({ uuid, number }: Readonly<Record<string, string | number>>) =>
        `The UUID ${uuid} is noted as that of ${type} ${number}, which is not there`,
      alike: 'UUIDs of what is not there',
    },
  ]),
  {
    rows: fragment`select uuid, type, number from identity where ended is not null and removed is null`,
    what: ({ uuid, type, number }) => `${type} ${number} (${uuid}) ended for good, though it was not removed`,
    alike: 'records that ended without having been removed',
  },
  {
    rows: fragment`select set_id, min(sequence) as sequence from journal where set_id is not null
      and not exists (select 1 from change_set where change_set.id = journal.set_id) group by set_id`,
    what: ({ set_id, sequence }) => `The journal names the set ${set_id} at ${sequence}, which is not there`,
    alike: 'sets that the journal names and that are not there',
  },
]

/** Every UUID stands for what has it, and every set of changes that the journal names is known. */
export async function checkIdentities(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const { rows, what, alike } of checks) {
    for (const row of await ask<Readonly<Record<string, string | number>>>(snapshot, rows))
      found({ what: what(row), mend: restoreBackup, alike })
  }
}

interface KeptApart {
  readonly table: string
  readonly columns: string
}

/** The columns by which the rows of each table are kept apart, whatever the engine calls what does so. */
const keptApart: Record<Engine, Fragment> = {
  sqlite: fragment`select t.name as "table", (select group_concat(name) from
      (select name from pragma_table_info(t.name) where pk > 0 order by pk)) as columns
    from sqlite_master t where t.type = 'table'
    union all select t.name, (select group_concat(name) from (select name from pragma_index_info(i.name) order by seqno))
    from sqlite_master t join pragma_index_list(t.name) i where t.type = 'table' and i."unique" and not i.partial`,
  postgres: fragment`select t.relname as "table", string_agg(c.attname, ',' order by k.place) as columns
    from pg_index i join pg_class t on t.oid = i.indrelid
    cross join unnest(i.indkey) with ordinality as k (number, place)
    join pg_attribute c on c.attrelid = t.oid and c.attnum = k.number
    where t.relnamespace = current_schema()::regnamespace and i.indisunique and i.indpred is null
    group by i.indexrelid, t.relname`,
}

/** Without a key a table takes the same row twice. */
export async function checkKeys(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: ReportFinding,
): Promise<void> {
  const there = new Set(
    (await ask<KeptApart>(snapshot, keptApart[engine])).map(({ table, columns }) => `${table} ${columns}`),
  )
  const { keys } = await blueprintOf(engine, newest)
  for (const table of tableNames) {
    for (const { kind, columns } of keys.get(table) ?? []) {
      if (there.has(`${table} ${columns.join()}`)) continue
      // A restore would not take twins in.
      const isTooLate = !canBeRebuilt(table) && (await hasTwins(snapshot, table, columns))
      const what = `The ${kind} (${columns.join(', ')}) of ${table} is not there`
      found({ what, mend: isTooLate ? restoreBackup : rebuild, alike: 'keys that are not there' })
    }
  }
}

async function hasTwins(snapshot: Snapshot, table: string, columns: readonly string[]): Promise<boolean> {
  const key = joined(columns.map(named), ', ')
  const twins = await ask(snapshot, fragment`select 1 from ${named(table)} group by ${key} having count(*) > 1 limit 1`)
  return twins.length > 0
}

/** A table that counts on from below its highest number would give a number twice. */
export async function checkNumbers(
  snapshot: Snapshot,
  { engine }: Pick<Database, 'engine'>,
  found: ReportFinding,
): Promise<void> {
  const given = await givenNumbers(snapshot, engine)
  for (const [table, { key }] of numberedTables) {
    const [row] = await ask<{ highest: number | null }>(
      snapshot,
      fragment`select max(${named(key)}) as highest from ${named(table)}`,
    )
    const highest = row?.highest ?? 0
    if (highest <= (given[table] ?? 0)) continue
    found({
      what: `The table ${table} has number ${highest}, but counts on from ${given[table] ?? 0}`,
      mend: rebuild,
      alike: 'tables that count on from below',
    })
  }
}

/** Every number stands for the words that it was worked out of. */
export async function checkPaths(snapshot: Snapshot, found: ReportFinding): Promise<void> {
  for (const path of await notedPaths(snapshot)) {
    if (pathNumber(path) === path.id) continue
    found({
      what: `${path.id} is noted as ${spelled(path)}, which has another number`,
      mend: rebuild,
      alike: 'paths with another number',
    })
  }
}
