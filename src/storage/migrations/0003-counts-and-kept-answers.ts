import type { Ddl, Migration } from './ddl.ts'

/** The columns that records are counted by beside the bundle, as `new.…` or `old.…`. */
const counted = {
  log: (row: string) => `${row}.status`,
  asset: (row: string) => `(case when ${row}.archived = 0 then 'kept' else 'archived' end)`,
  term: (_row: string) => `''`,
} as const

export const countsAndKeptAnswers: Migration = {
  version: 3,
  name: 'counts-and-kept-answers',
  async up(ddl) {
    await ddl.table(
      'tally',
      { record_table: 'key', bundle: 'key', status: 'key', slot: 'integer', count: 'integer' },
      { primary: ['record_table', 'bundle', 'status', 'slot'], clustered: true },
    )
    for (const table of Object.keys(counted) as (keyof typeof counted)[]) {
      const status = counted[table]
      await ddl.run(
        `INSERT INTO tally (record_table, bundle, status, slot, count)
         SELECT '${table}', bundle, ${status(table)}, 0, count(*) FROM "${table}" GROUP BY 2, 3`,
      )
      await (ddl.engine === 'sqlite' ? countInSqlite(ddl, table) : countInPostgres(ddl, table))
    }
    await ddl.index('stay', 'timestamp')
    await ddl.index('inventory_change', 'timestamp')
    await ddl.table(
      'kept_answer',
      {
        uid: 'integer',
        key: 'key',
        request: 'key',
        status: 'integer',
        headers: 'text',
        body: 'text',
        created: 'integer',
      },
      { primary: ['uid', 'key'] },
    )
    await ddl.index('kept_answer', 'created')
  },
}

/** The database counts by itself, so that no way of writing rows can forget to. */
async function countInSqlite(ddl: Ddl, table: keyof typeof counted): Promise<void> {
  const add = (row: string, by: number) =>
    `INSERT INTO tally VALUES ('${table}', ${row}.bundle, ${counted[table](row)}, 0, ${by})
     ON CONFLICT DO UPDATE SET count = count + excluded.count;`
  await ddl.run(`CREATE TRIGGER ${table}_added AFTER INSERT ON "${table}" BEGIN ${add('new', 1)} END`)
  await ddl.run(`CREATE TRIGGER ${table}_removed AFTER DELETE ON "${table}" BEGIN ${add('old', -1)} END`)
  await ddl.run(
    `CREATE TRIGGER ${table}_changed AFTER UPDATE ON "${table}"
     WHEN old.bundle <> new.bundle OR ${counted[table]('old')} <> ${counted[table]('new')}
     BEGIN ${add('old', -1)} ${add('new', 1)} END`,
  )
}

/**
 * Once per statement and not per row: a row that one transaction changes a thousand times is a thousand versions long.
 * A count is spread over slots, so that writers at the same time seldom wait for the same one.
 */
async function countInPostgres(ddl: Ddl, table: keyof typeof counted): Promise<void> {
  const status = counted[table]('changed')
  const add = (changes: string) =>
    `INSERT INTO tally AS t
       SELECT '${table}', changed.bundle, ${status}, floor(random() * 32), sum(changed.by) FROM (${changes}) AS changed
       GROUP BY 1, 2, 3 HAVING sum(changed.by) <> 0
     ON CONFLICT (record_table, bundle, status, slot) DO UPDATE SET count = t.count + excluded.count;`
  const rows = (from: string, by: number) => `SELECT *, ${by} AS by FROM ${from}`
  const events = {
    insert: { tables: 'NEW TABLE AS added', changes: rows('added', 1) },
    delete: { tables: 'OLD TABLE AS removed', changes: rows('removed', -1) },
    update: {
      tables: 'OLD TABLE AS removed NEW TABLE AS added',
      changes: `${rows('added', 1)} UNION ALL ${rows('removed', -1)}`,
    },
  }
  for (const [event, { tables, changes }] of Object.entries(events)) {
    const name = `tally_${table}_${event}`
    await ddl.run(
      `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $tally$
       BEGIN ${add(changes)} RETURN NULL; END $tally$`,
    )
    await ddl.run(
      `CREATE TRIGGER ${name} AFTER ${event} ON "${table}" REFERENCING ${tables}
       FOR EACH STATEMENT EXECUTE FUNCTION ${name}()`,
    )
  }
}
