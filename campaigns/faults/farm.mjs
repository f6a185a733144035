import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { addAccount, Client, tokenOf } from '../ground/client.mjs'
import { furrow, serve } from '../ground/furrow.mjs'
import { compareAll, Ledger } from './ledger.mjs'
import { layGround, Writer } from './writing.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('../ground/furrow.mjs').Server} Server
 */

const patience = 60_000

/** A farm under test, with everything ever acknowledged on it. */
export class Farm {
  /** @type {readonly string[]} */
  where
  ledger
  /** @type {import('./bodies.mjs').Ground} */
  ground = { areas: [], groups: [], animals: [] }
  /** @type {Server | undefined} */
  #server
  /** @type {Client | undefined} */
  #client
  #token = ''
  #campaign

  /** @param {Campaign} campaign @param {string} name @param {readonly string[]} where the options that name the farm */
  constructor(campaign, name, where) {
    this.#campaign = campaign
    this.where = where
    this.ledger = new Ledger(join(campaign.place, `${name}.acknowledged.jsonl`))
  }

  get server() {
    if (this.#server === undefined) throw new Error('The server was not started')
    return this.#server
  }

  get client() {
    if (this.#client === undefined) throw new Error('The server was not started')
    return this.#client
  }

  async start(start = /** @type {import('../ground/furrow.mjs').Start} */ ({})) {
    await this.#begin(start)
    if (this.#token === '') {
      await addAccount(this.#campaign.dist, this.where, { name: 'writer', role: 'manager' })
      this.#token = await tokenOf(this.server.port, 'writer')
      this.#client = new Client(this.server.port, this.#token)
      this.ground = await layGround(this.client)
    }
    return this
  }

  /** Starts a copy of another farm, with the same accounts. */
  async startCopy() {
    await this.#begin({})
    this.#token = await tokenOf(this.server.port, 'writer')
    this.#client = new Client(this.server.port, this.#token)
  }

  async #begin(/** @type {import('../ground/furrow.mjs').Start} */ start) {
    this.#client?.close()
    this.#server = await serve(this.#campaign.dist, [...this.where, '--base-url', 'http://farm.example'], start)
    this.#client = new Client(this.#server.port, this.#token)
  }

  /**
   * Starts writers.
   * @param {number} count
   * @param {string} name
   * @param {Partial<import('./writing.mjs').Writing>} [change]
   */
  writers(count, name, change = {}) {
    const { dice, findings } = this.#campaign
    return Array.from({ length: count }, (_, n) => {
      const { client, ledger, ground } = this
      const writer = new Writer({
        client,
        ledger,
        ground,
        dice: dice.apart(),
        findings,
        name: `${name}-${n}`,
        ...change,
      })
      return { writer, ended: writer.write() }
    })
  }

  /**
   * Waits for a number of acknowledged writes. A server that is too slow ends the campaign instead of blocking it.
   * @param {number} least
   * @param {number} before
   */
  async untilAcknowledged(least, before) {
    const until = performance.now() + patience
    const count = () => this.ledger.acknowledged - before
    while (count() < least && performance.now() < until) await sleep(2)
    if (count() < least)
      throw new Error(`only ${count()} of ${least} writes were acknowledged in ${patience / 1000} seconds`)
  }

  /**
   * Reads what was acknowledged and runs the doctor.
   * @param {string} when
   * @param {readonly import('./ledger.mjs').Entry[]} [entries]
   */
  async examine(when, entries = this.ledger.entries) {
    const unsettled = await this.examineRecords(when, entries)
    await this.askDoctor(when)
    return unsettled
  }

  /** @param {string} when @param {readonly import('./ledger.mjs').Entry[]} [entries] */
  examineRecords(when, entries = this.ledger.entries) {
    const { dice, findings } = this.#campaign
    return compareAll({ client: this.client, dice, findings }, entries, when)
  }

  /** @param {string} when @param {RegExp} [expected] findings that belong to the fault */
  async askDoctor(when, expected = /^$/) {
    const { dist, findings } = this.#campaign
    const { code, stdout, stderr } = await furrow(dist, ['doctor', ...this.where])
    // Each finding is a line indented by two spaces; headings have none, and repairs are indented further.
    const found = stdout.split('\n').filter((line) => /^ {2}\S/.test(line))
    const isWell = code === 0 || (found.length > 0 && found.every((line) => expected.test(line)))
    findings.check(isWell, `${when}: the doctor says ${stdout}${stderr}`)
  }

  async stop() {
    this.#client?.close()
    return this.#server?.stopped()
  }
}

/** An empty farm in a folder of its own. @param {Campaign} campaign @param {string} name */
export async function newFarm(campaign, name) {
  const data = join(campaign.place, name)
  await mkdir(data, { mode: 0o700 })
  return new Farm(campaign, name, ['--data', data])
}
