import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { wallClock } from '../../src/clock.ts'
import { backUp, exportTo } from '../../src/storage/backup/back-up.ts'
import type { Database, Engine, Transaction } from '../../src/storage/database.ts'
import { blueprintOf } from '../../src/storage/migrations/blueprint.ts'
import { migrations, newest } from '../../src/storage/migrations/migrations.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { canBeRebuilt } from '../../src/storage/sql/existing-tables.ts'
import { type TableName, tableNames } from '../../src/storage/sql/table-fates.ts'
import { furrow } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOf } from '../harness/share-of-engine.ts'
import { examined } from './examined.ts'
import { growFarm } from './grown-farm.ts'
import { letGoOf, quiet } from './moves.ts'

const rebuilt = tableNames.filter(canBeRebuilt)
const needed = tableNames.filter((table) => !canBeRebuilt(table) && table !== 'migration')

const drop = (tx: Transaction, table: TableName) => sql`drop table ${sql.ref(table)}`.execute(tx)

const undone = 'nothing of this was meant'

describe.each(engines)('a farm on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    const farm = await openFarm({ engine })
    await growFarm(farm)
    database = farm.installation.database
  })

  /** What is done to the farm while it has lost a table; afterwards it has it again. */
  async function without(table: TableName, work: (damaged: Database) => Promise<void>): Promise<void> {
    const damaged = database.write(async (tx) => {
      await drop(tx, table)
      await work({ ...database, read: (reading) => reading(tx) })
      throw new Error(undone)
    })
    await expect(damaged).rejects.toThrow(undone)
  }

  test.each(shareOf(engine)(needed))(
    'without its table %s is not backed up or exported, and nothing is written',
    async (table) => {
      const folder = await emptyDirectory()
      const sentence = `The table ${table} is not there: run \`furrow doctor\`. Nothing was written.`
      await without(table, async (damaged) => {
        const leaving = { clock: wallClock, report: quiet }
        await expect(backUp(damaged, join(folder, 'farm.tar.gz'), leaving)).rejects.toThrow(sentence)
        await expect(exportTo(damaged, join(folder, 'export'), quiet)).rejects.toThrow(sentence)
        expect(await examined(damaged)).toEqual([
          `The table ${table} is not there: restore the last backup from before the damage`,
        ])
      })
      expect(await readdir(folder)).toEqual([])
    },
  )

  test.each(shareOf(engine)(rebuilt))(
    'without its table %s can be backed up, and the doctor says so',
    async (table) => {
      const file = join(await emptyDirectory(), 'farm.tar.gz')
      await without(table, async (damaged) => {
        const { manifest } = await backUp(damaged, file, { clock: wallClock, report: quiet })
        expect(manifest.rows).toMatchObject({ log: 3, asset: 3 })
        expect(await examined(damaged)).toEqual([
          `The table ${table} is not there: it is rebuilt by \`furrow backup FILE\` and then \`furrow restore FILE --replace\``,
        ])
      })
    },
  )

  test('without anything that can be rebuilt is whole again after a backup and a restore', async () => {
    const place = await emptyPlace(engine)
    const farm = await openFarm({ place })
    await growFarm(farm)
    await farm.close()
    const opened = await openDatabase(place)
    await opened.write(async (tx) => {
      for (const statement of await ruinOf(engine)) await sql.raw(statement).execute(tx)
    })
    await opened.close()
    await letGoOf(place)
    const env = { FURROW_DATA: place.data, FURROW_DATABASE: place.database ?? '' }
    expect((await furrow(['doctor'], { env })).stdout.match(/is not there\.\n/g)).toHaveLength(rebuilt.length)
    const file = join(await emptyDirectory(), 'farm.tar.gz')
    expect(await furrow(['backup', file], { env })).toMatchObject({ code: 0 })
    expect(await furrow(['restore', file, '--replace'], { env })).toMatchObject({ code: 0 })
    expect(await furrow(['doctor'], { env })).toMatchObject({
      code: 0,
      stdout: 'Everything is as it should be.\nIn the trash: 1 record, 0 files, 0 bytes.\n',
    })
  })

  test('has the tables, indexes and triggers of the blueprint, and no others', async () => {
    const { tables, indexes, triggers } = await blueprintOf(engine, newest)
    expect([...tables].sort()).toEqual([...tableNames].sort())
    const there = await database.write(async (tx) => (await sql.raw<Named>(named[engine]).execute(tx)).rows)
    const wanted = [...indexes, ...triggers].map(([name, table]) => ({ name, of: table }))
    const byName = (one: Named, other: Named) => (one.name < other.name ? -1 : 1)
    expect([...there].sort(byName)).toEqual(wanted.sort(byName))
  })
})

interface Named {
  readonly name: string
  readonly of: string
}

/** Everything that was made by its name; keys are part of their tables. */
const named: Readonly<Record<Engine, string>> = {
  sqlite: `select name, tbl_name as "of" from sqlite_master where type in ('index', 'trigger') and sql is not null`,
  postgres: `select indexname as name, tablename as "of" from pg_indexes i where schemaname = current_schema()
      and not exists (select 1 from pg_constraint c where c.conname = i.indexname)
    union all select g.tgname, t.relname from pg_trigger g join pg_class t on t.oid = g.tgrelid
      where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal`,
}

async function ruinOf(engine: Engine): Promise<readonly string[]> {
  const { indexes, triggers } = await blueprintOf(engine, migrations.length)
  const isLeft = ([, table]: readonly [string, string]) => !rebuilt.some((name) => name === table)
  return [
    ...rebuilt.map((table) => `drop table "${table}"`),
    ...[...indexes].filter(isLeft).map(([name]) => `drop index "${name}"`),
    ...[...triggers].map(([name, table]) => `drop trigger ${name}${engine === 'sqlite' ? '' : ` on "${table}"`}`),
    ...(engine === 'sqlite' ? [] : [withoutKeys]),
  ]
}

/** SQLite cannot take a table its keys. */
const withoutKeys = `do $$ declare key record; begin
  for key in select conrelid::regclass as of, conname from pg_constraint
    where connamespace = current_schema()::regnamespace and contype in ('p', 'u')
  loop execute format('alter table %s drop constraint %I', key.of, key.conname); end loop;
end $$`
