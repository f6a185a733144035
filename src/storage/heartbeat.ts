import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Database, Reading } from './database.ts'
import { askInSql } from './sql-question.ts'

/** By the database's own clock: those of the machines may differ by minutes. */
const now = sql<number>`floor(extract(epoch from clock_timestamp()))`

/** A server that has been silent for so long is not there any more. */
const mostSilentSeconds = 30
const forgottenSeconds = 86_400

/** A server that works on the farm. */
export interface ServerAtWork {
  readonly host: string
  readonly pid: number
  /** Unix seconds. */
  readonly began: number
}

/** Those that have given a sign of life in the last half minute. */
export const serversAtWork = (rows: Reading): Promise<readonly ServerAtWork[]> =>
  askInSql(
    rows,
    sql<ServerAtWork>`select host, pid, began from server where seen > ${now} - ${sql.lit(mostSilentSeconds)} order by began`,
  )

export interface Beating {
  readonly everyMs: number
  readonly whenFailed: (error: unknown) => void
}

/**
 * Lets others know that this process serves the farm, again and again, whatever is asked of it or not. Answers how to stop. On SQLite
 * the lock of the data directory tells.
 */
export async function keepHeartbeat(
  database: Database,
  { everyMs, whenFailed }: Beating,
): Promise<() => Promise<void>> {
  if (database.engine === 'sqlite') return async () => {}
  const id = randomUUID()
  await database.write((rows) =>
    sql`delete from server where seen < ${now} - ${sql.lit(forgottenSeconds)}`.execute(rows),
  )
  // A farm that takes the place of this one knows nothing of its servers.
  const beat = () =>
    database.write((rows) =>
      sql`insert into server (id, host, pid, began, seen) values (${id}, ${hostname()}, ${process.pid}, ${now}, ${now})
        on conflict (id) do update set seen = excluded.seen`.execute(rows),
    )
  await beat()
  let underWay: Promise<unknown> = Promise.resolve()
  const timer = setInterval(() => {
    underWay = underWay.then(beat).catch(whenFailed)
  }, everyMs).unref()
  return async () => {
    clearInterval(timer)
    await underWay
    await database.write((rows) => rows.deleteFrom('server').where('id', '=', id).execute()).catch(whenFailed)
  }
}
