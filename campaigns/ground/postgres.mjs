import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { emptyDatabase, layCluster, onServer, untilItAnswers } from '../../bench/postgres.mjs'
import { cpuOfFamily } from '../../bench/processes.mjs'

/** Stops the server when its standard input ends, also after a kill. */
const keeper = '"$@" & server=$!; cat >/dev/null; kill -QUIT $server 2>/dev/null; wait $server'

/** A language's collation, as on most servers: byte-wise comparison must be requested. */
const orderOfALanguage = `locale_provider icu icu_locale 'en-US' locale 'C'`

/** A PostgreSQL of the campaign that syncs its commits and can be crashed. */
export class Postgres {
  #cluster
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #process

  /** @param {Awaited<ReturnType<typeof layCluster>>} cluster */
  constructor(cluster) {
    this.#cluster = cluster
  }

  static async start() {
    const postgres = new Postgres(await layCluster('campaign'))
    await postgres.begin()
    return postgres
  }

  async begin() {
    const { identity, url, command } = this.#cluster
    this.#process = spawn('sh', ['-c', keeper, 'keeper', ...command()], {
      ...identity,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    await untilItAnswers(url)
  }

  /** Ends it like a crash: the next start recovers from the log. */
  async crash() {
    process.kill(await this.#cluster.pid(), 'SIGQUIT')
    await this.#leave()
  }

  async #leave() {
    const ended = this.#process === undefined ? null : once(this.#process, 'exit')
    this.#process?.stdin?.end()
    await ended
  }

  async stop() {
    await this.#leave()
    await rm(this.#cluster.directory, { recursive: true, force: true })
  }

  /** @param {string} name @returns {Promise<string>} its address */
  database(name) {
    return emptyDatabase(this.#cluster.url, name, orderOfALanguage)
  }

  async cpuSeconds() {
    return cpuOfFamily(await this.#cluster.pid())
  }

  /** Runs one statement on its own connection. @param {string} statement */
  ask(statement) {
    return onServer(this.#cluster.url, async (client) => void (await client.query(statement)))
  }
}
