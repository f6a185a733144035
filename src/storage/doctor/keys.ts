import type { Database, Engine, Snapshot } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { ask, type Fragment, fragment, joined, named } from '../sql/fragment.ts'
import { canBeRebuilt } from '../sql/missing-tables.ts'
import { tableNames } from '../sql/table-fates.ts'
import { type Found, rebuild, restoreBackup } from './finding.ts'

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
export async function checkKeys(snapshot: Snapshot, { engine }: Pick<Database, 'engine'>, found: Found): Promise<void> {
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
