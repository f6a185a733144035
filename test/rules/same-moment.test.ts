import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { addStays, removeStays } from '../../src/storage/history/timelines.ts'
import { engines, openTestDatabase } from '../harness/databases.ts'
import { processorTime } from '../harness/processor-time.ts'

const many = 60_000
const moment = 1_700_000_000

/** One asset was put somewhere tens of thousands of times at one moment, by every second log. */
const crowd = sql`insert into stay (kind, thing_type, thing_id, timestamp, log_id, place_type, place_id, until)
  with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(many)})
  select 'movement', 'asset', 1, ${sql.lit(moment)}, 2 * i, 'term', 1, ${sql.lit(moment)} from n`

describe.each(engines)('a log among tens of thousands of the same moment, on %s', (engine) => {
  let database: Database

  beforeAll(async () => {
    database = await openTestDatabase(engine)
    await database.write(async (tx) => {
      await crowd.execute(tx)
      if (engine === 'postgres') await sql`analyze stay`.execute(tx)
    })
  })

  /** Processor time of this thread, and of the process of PostgreSQL that works for it. */
  const timeToEnter = (asset: number, log: number): Promise<number> =>
    database.write(async (tx) => {
      const backend =
        engine === 'postgres' ? await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx) : null
      const pids = [undefined, ...(backend?.rows.map(({ pid }) => pid) ?? [])]
      const used = () => pids.reduce((sum: number, pid) => sum + processorTime(pid), 0)
      const [things, places] = [{ type: 'asset', ids: [asset] } as const, [{ type: 'term', id: 2 } as const]]
      const stay = { kind: 'movement', things, timestamp: moment, log, places } as const
      let least = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const before = used()
        for (let turn = 0; turn < 20; turn += 1) {
          await addStays(tx, [stay])
          await removeStays(tx, [stay])
        }
        least = Math.min(least, used() - before)
      }
      return least
    })

  test.each([
    ['after all of them', 2 * many + 1],
    ['before all of them', 1],
    ['between them', many + 1],
  ])('%s finds its place without passing them', async (_where, log) => {
    const alone = await timeToEnter(2, log)
    expect(await timeToEnter(1, log)).toBeLessThan(10 * alone + 20)
  })
})
