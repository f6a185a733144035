import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { tokenOf } from '../ground/client.mjs'
import { serve } from '../ground/furrow.mjs'
import { Cluster } from '../ground/patroni.mjs'
import { ApiWriter, Listener, PatientClient } from './cluster-load.mjs'
import { Farm } from './farm.mjs'

/**
 * @typedef {() => Promise<void | (() => void | Promise<void>)>} Deed what it answers ends the fault, once writes go on
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('../ground/patroni.mjs').ServerName} ServerName
 */

/** Milliseconds after there is a leader with a replica. */
const longestPause = 5_000
const longestWait = 60_000

/**
 * Two servers of one farm on three PostgreSQL servers, of which one after the other is lost.
 * @param {Campaign} campaign
 */
export async function clusterFaults(campaign) {
  const { number, tell } = campaign
  const cluster = await Cluster.start()
  try {
    const load = await Load.start(campaign, cluster)
    const many = { kills: number('kills', 30), switches: number('switches', 10) }
    /** @type {[string, Deed][]} */
    const deeds = [
      ...Array.from({ length: many.kills }, (_, n) => named('killed', () => killLeader(cluster, n))),
      ...Array.from({ length: many.switches }, () => named('switched over', () => switchOver(cluster))),
      named('replica cut off', () => cutReplica(cluster)),
      named('former leader back', () => silenceLeader(cluster)),
      named('etcd lost', () => loseEtcd(cluster)),
    ]
    /** @type {number[]} */
    const pauses = []
    const done = new Map()
    for (const [name, deed] of inTurn(deeds, campaign)) {
      const mend = await deed()
      const pause = await load.untilAllWrite(performance.now())
      if (mend) await mend()
      pauses.push(pause)
      done.set(name, (done.get(name) ?? 0) + 1)
      tell(`${name}: writes again after ${Math.round(pause)} ms`)
    }
    const { acknowledged, refused, interruptions } = await load.end('after the cluster lost its leaders')
    const counts = Object.fromEntries(done)
    const longest = Math.round(Math.max(0, ...pauses))
    return {
      ...counts,
      acknowledged,
      'answered 503': refused,
      'streams opened again': interruptions,
      'longest pause, ms': longest,
      'servers copied anew': cluster.rebuilt,
    }
  } finally {
    await cluster.stop(campaign.findings)
  }
}

/** @param {string} name @param {Deed} deed @returns {[string, Deed]} */
const named = (name, deed) => [name, deed]

/**
 * Spreads the kinds evenly, so that a shortened run has some of each.
 * @param {[string, Deed][]} deeds
 * @param {Campaign} campaign
 */
function* inTurn(deeds, { secondsLeft }) {
  const kinds = new Map(deeds.map(([name]) => [name, deeds.filter(([own]) => own === name)]))
  while (secondsLeft() > 0 && kinds.size > 0) {
    for (const [name, left] of [...kinds]) {
      const deed = left.pop()
      if (deed === undefined) kinds.delete(name)
      else if (secondsLeft() > 0) yield deed
    }
  }
}

/** Every third time its Patroni dies with it, and comes back when another one leads. @param {Cluster} cluster @param {number} n */
async function killLeader(cluster, n) {
  const leader = await cluster.untilWhole()
  const what = n % 3 === 0 ? 'machine' : 'server'
  await cluster.kill(leader, what)
  if (what === 'machine') {
    await cluster.untilWritable((name) => name !== leader)
    await cluster.begin(leader)
  }
  await cluster.untilWritable((name) => name !== leader)
}

/** @param {Cluster} cluster */
async function switchOver(cluster) {
  const leader = await cluster.untilWhole()
  await cluster.switchOver()
  await cluster.untilWritable((name) => name !== leader)
}

/** @param {Cluster} cluster */
async function cutReplica(cluster) {
  await cluster.untilWhole()
  const replica = (await cluster.roles()).get('sync_standby')
  if (replica === undefined) throw new Error('there is no synchronous replica')
  const thaw = await cluster.freeze(replica)
  const isOther = async () => (await cluster.roles()).get('sync_standby') !== replica
  const until = performance.now() + longestWait
  while (!(await isOther()) && performance.now() < until) await sleep(100)
  await cluster.untilWritable()
  return thaw
}

/** The leader is silent until it is replaced, and then goes on as if nothing had happened. @param {Cluster} cluster */
async function silenceLeader(cluster) {
  const leader = await cluster.untilWhole()
  const comeBack = await cluster.silence(leader)
  await cluster.untilWritable((name) => name !== leader)
  return comeBack
}

/** @param {Cluster} cluster */
async function loseEtcd(cluster) {
  await cluster.untilWhole()
  await cluster.killEtcd()
  await sleep(15_000)
  await cluster.begin('etcd')
  await cluster.untilWritable()
}

/** Writers at both doors of two servers, and listeners; one server goes through HAProxy, the other knows all hosts. */
class Load {
  #campaign
  #farm
  #second
  /** @type {ApiWriter[]} */
  #writers = []
  /** @type {Listener[]} */
  #listeners = []
  /** @type {PatientClient[]} */
  #clients = []
  /** @type {Promise<unknown>[]} */
  #running = []
  #stopped = false

  /** @param {Campaign} campaign @param {Farm} farm @param {import('../ground/furrow.mjs').Server} second */
  constructor(campaign, farm, second) {
    this.#campaign = campaign
    this.#farm = farm
    this.#second = second
  }

  /** @param {Campaign} campaign @param {Cluster} cluster */
  static async start(campaign, cluster) {
    const where = (/** @type {string} */ url) => ['--data', join(campaign.place, 'cluster-data'), '--database', url]
    const farm = await new Farm(campaign, 'cluster', where(cluster.throughHaproxy)).start()
    const options = [...where(cluster.severalHosts), '--base-url', 'http://farm.example']
    const load = new Load(campaign, farm, await serve(campaign.dist, options))
    await load.#begin()
    return load
  }

  async #begin() {
    const { findings } = this.#campaign
    const scopes = 'user_access'
    for (const [n, { port }] of [this.#farm.server, this.#second].entries()) {
      const token = await tokenOf(port, 'writer', scopes)
      const client = new PatientClient(port, token, findings)
      const writer = new ApiWriter(client, `api-${n}`, findings)
      this.#clients.push(client)
      this.#writers.push(writer)
      this.#listeners.push(new Listener(port, token))
      this.#running.push(writer.write(), this.#keepWriting(client, `record-${n}`))
    }
  }

  /** A writer of the ledger ends when it cannot read back; another one follows. @param {PatientClient} client @param {string} name */
  async #keepWriting(client, name) {
    for (let n = 0; !this.#stopped; n++) {
      const [started] = this.#farm.writers(1, `${name}-${n}`, { client, mayDoubt: [503] })
      if (started === undefined) return
      const stopping = setInterval(() => this.#stopped && started.writer.stop(), 50)
      await started.ended
      clearInterval(stopping)
    }
  }

  /** Waits until both servers acknowledged a write that was sent after the time; answers the milliseconds. @param {number} since */
  async untilAllWrite(since) {
    const { findings } = this.#campaign
    const until = since + longestWait
    const isBack = () => this.#writers.every(({ lastSentAt }) => lastSentAt >= since)
    while (!isBack() && performance.now() < until) await sleep(10)
    const pause = performance.now() - since
    const those = this.#writers.flatMap(({ lastSentAt }, n) => (lastSentAt >= since ? [] : [['HAProxy', 'hosts'][n]]))
    findings.check(pause <= longestPause, `no write for ${Math.round(pause)} ms after there was a leader (${those})`)
    return pause
  }

  /** @param {string} when */
  async end(when) {
    const { findings } = this.#campaign
    this.#stopped = true
    for (const writer of this.#writers) writer.stop()
    await Promise.all(this.#running)
    for (const writer of this.#writers) await writer.examine(when)
    await this.#farm.examine(when)
    const all = this.#writers.flatMap(({ known }) => [...known.keys()])
    const until = performance.now() + 20_000
    const missing = () => this.#listeners.map(({ heard }) => all.filter((uuid) => !heard.has(uuid)).length)
    while (missing().some((count) => count > 0) && performance.now() < until) await sleep(200)
    findings.check(
      missing().every((count) => count === 0),
      `${when}: the streams missed ${missing()} of ${all.length} logs`,
    )
    const interruptions = this.#listeners.reduce((sum, one) => sum + one.interruptions, 0)
    const refused = this.#clients.reduce((sum, one) => sum + one.refused, 0)
    for (const listener of this.#listeners) listener.stop()
    for (const client of this.#clients) client.close()
    await this.#farm.stop()
    await this.#second.stopped()
    return { acknowledged: this.#farm.ledger.acknowledged + all.length, refused, interruptions }
  }
}
