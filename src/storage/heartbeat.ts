import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Database, Snapshot } from './database.ts'
import { ask, fragment, word } from './sql/fragment.ts'
import { preparedChange } from './sql/prepared.ts'

/** The database's clock: those of machines may differ by minutes. */
const now = word('floor(extract(epoch from clock_timestamp()))')

/** A server that has been silent for so long is not there any more. */
const mostSilentSeconds = 30
const forgottenSeconds = 86_400

/** After one that failed the next comes soon: a server that lost its connections must not be taken for one that is gone. */
const soonMs = 1000

/** A server that works on the farm. */
export interface ServerAtWork {
  readonly host: string
  readonly pid: number
  /** Unix seconds. */
  readonly began: number
}

/** Servers with a heartbeat in the last half minute. */
export const serversAtWork = (snapshot: Snapshot): Promise<readonly ServerAtWork[]> =>
  ask(
    snapshot,
    fragment`select host, pid, began from server where seen > ${now} - ${word(`${mostSilentSeconds}`)} order by began`,
  )

interface Heartbeat {
  readonly everyMs: number
  readonly whenFailed: (error: unknown) => void
}

/**
 * Lets others know that this process serves the farm, again and again, whatever is asked of it or not. Answers how to stop. On SQLite
 * the lock of the data directory tells.
 */
export async function keepHeartbeat(
  database: Database,
  { everyMs, whenFailed }: Heartbeat,
): Promise<() => Promise<void>> {
  if (database.engine === 'sqlite') return async () => {}
  const id = randomUUID()
  await database.write((tx) =>
    ask(tx, fragment`delete from server where seen < ${now} - ${word(`${forgottenSeconds}`)}`),
  )
  // A farm that takes the place of this one knows nothing of its servers.
  const beat = () =>
    database.write((tx) =>
      ask(
        tx,
        fragment`insert into server (id, host, pid, began, seen) values (${id}, ${hostname()}, ${process.pid}, ${now}, ${now})
          on conflict (id) do update set seen = excluded.seen`,
      ),
    )
  await beat()
  let underWay: Promise<unknown> = Promise.resolve()
  let timer: NodeJS.Timeout
  const beatIn = (ms: number) => {
    timer = setTimeout(() => {
      underWay = beat().then(
        () => beatIn(everyMs),
        (error: unknown) => {
          whenFailed(error)
          beatIn(soonMs)
        },
      )
    }, ms).unref()
  }
  beatIn(everyMs)
  return async () => {
    clearTimeout(timer)
    await underWay
    // One that was under way has set it again.
    clearTimeout(timer)
    await database.write((tx) => deleteServer(tx, { id })).catch(whenFailed)
  }
}

const deleteServer = preparedChange((tx, { id }: { readonly id: string }) =>
  tx.deleteFrom('server').where('id', '=', id),
)
