import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { addressesIn, CannotOpen } from '../disk/cannot-open.ts'
import { FormerLeader, messageOf, postgresCode } from '../sql/errors.ts'
import { noteProcess, processOf, valueTypes } from './connection.ts'
import type { PostgresCapacity } from './connection-line.ts'

/** Milliseconds for a host to say whether it can be written to: at the start, and while others may wait for the answer. */
const startPatience = 5000
const probePatience = 1000

/** The server that can be written to, among the hosts of an address. Another may take its place. */
export class ServerAddress {
  readonly #urls: readonly string[]
  #current: string
  /** The newest timeline seen. A promotion begins a new one, so an older one belongs to a former leader. */
  #seen: Leadership = { cluster: '', timeline: 0 }
  #looking: Promise<void> | undefined
  #changed: (url: string) => void = () => {}

  constructor(url: string) {
    this.#urls = addressesIn(url)
    this.#current = this.#urls[0] ?? url
  }

  get name(): string {
    const hosts = this.#urls.map((url) => new URL(url).host)
    return `PostgreSQL at ${hosts.join()}${new URL(this.#current).pathname}`
  }

  /** How to connect to the present server. */
  readonly config = (): ClientConfig => ({
    connectionString: this.#current,
    application_name: 'furrow',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
  })

  onChange(tell: (url: string) => void): void {
    this.#changed = tell
  }

  get hasSeveralHosts(): boolean {
    return this.#urls.length > 1
  }

  /** Asks every host; the leader among them is used from here on. If there is none, it stays as it is. */
  find(patience = probePatience): Promise<void> {
    if (!this.hasSeveralHosts) return Promise.resolve()
    this.#looking ??= this.#look(patience).finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  findAtStart(): Promise<void> {
    return this.find(startPatience)
  }

  async #look(patience: number): Promise<void> {
    const limits = { connectionTimeoutMillis: patience, query_timeout: patience }
    const leaderships = await Promise.all(
      this.#urls.map((url) => leadershipAt({ ...this.config(), ...limits, connectionString: url })),
    )
    const timelines = leaderships.map((one) => (one === undefined || this.#isFormer(one) ? noTimeline : one.timeline))
    const newest = Math.max(...timelines)
    const found = this.#urls[timelines.indexOf(newest)]
    if (found === undefined || newest === noTimeline || found === this.#current) return
    this.#current = found
    this.#changed(found)
  }

  /** Throws for a server that led before the present one. It may not know yet that it was replaced. */
  note(leadership: Leadership): void {
    if (this.#isFormer(leadership)) throw new FormerLeader('Another server has become the leader since')
    if (leadership.timeline > 0) this.#seen = leadership
  }

  #isFormer({ cluster, timeline }: Leadership): boolean {
    return timeline > 0 && cluster === this.#seen.cluster && timeline < this.#seen.timeline
  }
}

/** Below every timeline. */
const noTimeline = -1

/** The timeline of a server that can be written to, and the cluster whose promotions it counts. */
interface Leadership {
  readonly cluster: string
  /** 0 if the server does not tell it, or is a standby. */
  readonly timeline: number
}

/** Undefined for a server that cannot be written to. */
async function leadershipAt(config: ClientConfig): Promise<Leadership | undefined> {
  const client = new Client({ ...config, types: valueTypes })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('transaction_read_only') = 'off' as writes`)
    return rows[0]?.writes === 1 ? await leadershipOf(client) : undefined
  } catch {
    return undefined
  } finally {
    client.end().catch(() => {})
  }
}

const leadershipInSql = `select system_identifier::text as cluster,
    case when pg_is_in_recovery() then '0' else pg_walfile_name(pg_current_wal_lsn()) end as file from pg_control_system()`

/** Hosted servers may withhold these functions; then every server counts as the leader. */
async function leadershipOf(client: ClientBase): Promise<Leadership> {
  const { rows } = await client.query(leadershipInSql).catch(() => ({ rows: [] }))
  return { cluster: rows[0]?.cluster ?? '', timeline: Number.parseInt(String(rows[0]?.file ?? 0).slice(0, 8), 16) }
}

type PoolUse = 'read' | 'write'

/** A pooler refuses these as parameters of a start, so they are set afterwards. A longer wait for a lock is refused. */
const sessionInSql = (use: PoolUse, patience: number): string =>
  `select set_config('idle_in_transaction_session_timeout', '60000', false),
    set_config('lock_timeout', '${patience}', false),
    set_config('default_transaction_read_only', '${use === 'read' ? 'on' : 'off'}', false), pg_backend_pid() as process`

export function poolAt(address: ServerAddress, { connections, patience }: PostgresCapacity, use: PoolUse): Pool {
  const options: PoolConfig = {
    ...address.config(),
    // One more than is handed out, for notifications.
    max: connections + 1,
    pipeline: true,
    types: valueTypes,
    onConnect: async (client) => {
      const { rows } = await client.query(sessionInSql(use, patience))
      noteProcess(client, rows[0]?.process)
      address.note(await leadershipOf(client))
    },
  }
  const pool = new Pool(options)
  // A lost connection is reported by the query that meets it; an unheard 'error' event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

const oldestServer = 140000

export async function assertSuitable(pool: Pool, { name }: ServerAddress): Promise<Rights> {
  try {
    const { version, encoding } = await askServer<Server>(pool, serverInSql)
    if (version < oldestServer || encoding !== 'UTF8')
      throw new Error('PostgreSQL 14 or newer with a UTF8 database is needed.')
    await refuseTransactionPooler(pool)
    const rights = await askServer<Rights>(pool, rightsInSql)
    requireRights(rights)
    return rights
  } catch (error) {
    await pool.end()
    throw error instanceof CannotOpen
      ? error
      : new CannotOpen(`${name} cannot be used: ${messageOf(error)}`, { cause: error })
  }
}

/**
 * Behind a pooler a connection has another process than the driver was told. In transaction mode, a connection whose
 * transaction ends before another one's gets the process of that one next.
 */
async function refuseTransactionPooler(pool: Pool): Promise<void> {
  const one = await pool.connect()
  try {
    if (processOf(one) === toldTo(one)) return
    const other = await pool.connect()
    try {
      await one.query('begin')
      const before = await processNow(other)
      await one.query('commit')
      if ((await processNow(other)) === before && (await processNow(one)) === processOf(one)) return
    } finally {
      // A restore counts the connections to the farm.
      other.release(true)
    }
    throw new Error(
      'a pooler in between hands each transaction another connection. Set pool_mode = session for this database, ' +
        'or connect to PostgreSQL without the pooler.',
    )
  } finally {
    one.release()
  }
}

/** The driver knows it, its types do not. */
const toldTo = (client: ClientBase): number => (client as ClientBase & { readonly processID: number }).processID

const processNow = async (client: ClientBase): Promise<number> =>
  (await client.query('select pg_backend_pid() as process')).rows[0]?.process

interface Server {
  readonly version: number
  readonly encoding: string
}

const serverInSql = `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`

// The caller knows the type of the row.
const askServer = async <T>(pool: Pool, question: string): Promise<T> => (await pool.query(question)).rows[0] as T

/** Rights of this user in the schema of the farm. */
interface Rights {
  readonly user: string
  readonly database: string
  /** The first of the search path that is there; the first at all where this user may use none of them. */
  readonly schema: string | null
  /** 1 or 0. */
  readonly mayUse: number
  readonly mayCreate: number
}

/** One row of Rights. */
const rightsInSql = `select current_user as user, current_database() as database, schema,
    has_schema_privilege(schema, 'usage') as "mayUse", has_schema_privilege(schema, 'create') as "mayCreate"
  from (select coalesce(current_schema()::text, (
    select nspname::text from unnest(string_to_array(current_setting('search_path'), ',')) with ordinality as path (word, place)
      join pg_namespace on nspname = btrim(word, ' "') order by place limit 1)) as schema) as here`

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Since PostgreSQL 15, creating in the schema `public` needs an explicit right. */
function requireRights({ user, database, schema, mayUse, mayCreate }: Rights): void {
  if (schema === null)
    throw new CannotOpen(
      `No schema of the search path is there in the database ${database}: create one, or name another.`,
    )
  if (mayUse === 1 && mayCreate === 1) return
  throw new CannotOpen(
    `The user ${user} may not ${mayUse === 1 ? 'create tables in' : 'use'} the schema ${schema} of the database ${database}. ` +
      `As an administrator of that database run: GRANT USAGE, CREATE ON SCHEMA ${quoted(schema)} TO ${quoted(user)};`,
  )
}

const insufficientPrivilege = '42501'

/** A missing right in words for the operator; any other error is returned as it is. */
export function explainedRight(error: unknown, { user, database }: Pick<Rights, 'user' | 'database'>): unknown {
  if (postgresCode(error) !== insufficientPrivilege || !(error instanceof Error)) return error
  const advice = error.message.includes('for database')
    ? `GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)};`
    : `GRANT OWNER TO ${quoted(user)}; with the user that the tables of the farm belong to in the place of OWNER`
  return new CannotOpen(
    `The user ${user} lacks a right in the database ${database} (${error.message}). As an administrator of that database run: ${advice}`,
    { cause: error },
  )
}
