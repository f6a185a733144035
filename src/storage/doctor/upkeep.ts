import type { Database, Engine, Snapshot } from '../database.ts'
import { blueprintOf } from '../migrations/blueprint.ts'
import { newest } from '../migrations/migrations.ts'
import { ask, type Fragment, fragment } from '../sql/fragment.ts'
import { type Found, rebuild } from './finding.ts'

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
  found: Found,
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
