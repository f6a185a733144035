import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../build/free-port.mjs'

const run = promisify(execFile)
const script = fileURLToPath(new URL('../../deploy/cluster/cluster.sh', import.meta.url))
const patience = 180_000

/**
 * @typedef {'one' | 'two' | 'three'} ServerName
 * @typedef {{ name: ServerName, role: string, state: string, timeline: number, lag?: number | 'unknown' }} Member
 */

/** Milliseconds for a server to follow the leader again. */
const followPatience = 20_000
/** Bytes; writes go on meanwhile. */
const followLag = 1_000_000

/** @type {readonly ServerName[]} */
export const serverNames = ['one', 'two', 'three']

/** The cluster of deploy/cluster/cluster.sh, whose servers can be killed, frozen and started again. */
export class Cluster {
  /** How often a server had to be copied anew. */
  rebuilt = 0
  #directory
  #port

  /** @param {string} directory @param {number} port */
  constructor(directory, port) {
    this.#directory = directory
    this.#port = port
  }

  static async start() {
    const directory = await mkdtemp(join(tmpdir(), 'furrow-cluster-'))
    await chmod(directory, 0o755)
    const cluster = new Cluster(directory, await freeRange())
    await cluster.#command('start')
    return cluster
  }

  get throughHaproxy() {
    return `postgres://furrow:furrow@127.0.0.1:${this.#port}/farm`
  }

  get severalHosts() {
    const hosts = serverNames.map((_, n) => `127.0.0.1:${this.#port + 1 + n}`)
    return `postgres://furrow:furrow@${hosts}/farm?target_session_attrs=read-write`
  }

  /** @param {string} word @param {string[]} names */
  async #command(word, ...names) {
    const env = { ...process.env, CLUSTER_PORT: String(this.#port) }
    await run('sh', [script, word, this.#directory, ...names], { env })
  }

  /** @param {ServerName | 'etcd'} name */
  begin(name) {
    return this.#command('start', name)
  }

  switchOver() {
    return this.#command('switch')
  }

  /** Kills PostgreSQL, and Patroni too if the machine is lost. @param {ServerName} name @param {'server' | 'machine'} what */
  async kill(name, what) {
    const patroni = what === 'machine' ? [await this.#pidOf(name)] : []
    signal([...patroni, ...(await this.#postgresOf(name))], 'SIGKILL')
  }

  /** Nothing comes from a frozen machine, and its connections stay open. @param {ServerName} name */
  async freeze(name) {
    const all = [await this.#pidOf(name), ...(await this.#postgresOf(name))]
    signal(all, 'SIGSTOP')
    return () => signal(all, 'SIGCONT')
  }

  /**
   * PostgreSQL falls silent and later goes on as the leader that it was, before its new Patroni stops it. Patroni itself is
   * not frozen: without a watchdog device, one that wakes up may take the lock back, and writes are lost.
   * @param {ServerName} name
   */
  async silence(name) {
    const postgres = await this.#postgresOf(name)
    signal(postgres, 'SIGSTOP')
    signal([await this.#pidOf(name)], 'SIGKILL')
    return async () => {
      signal(postgres, 'SIGCONT')
      await this.begin(name)
    }
  }

  async killEtcd() {
    signal([await this.#pidOf('etcd')], 'SIGKILL')
  }

  /** What Patroni knows of the servers, as long as one of them leads. @returns {Promise<Member[]>} */
  async #members() {
    for (const [n] of serverNames.entries()) {
      try {
        const address = `http://127.0.0.1:${this.#port + 11 + n}/cluster`
        /** @type {{ members: Member[] }} */
        const { members } = JSON.parse(await (await fetch(address, { signal: AbortSignal.timeout(1000) })).text())
        const there = members.filter(({ state }) => state === 'running' || state === 'streaming')
        if (there.some(({ role }) => role === 'leader')) return there
      } catch {}
    }
    return []
  }

  /** Roles by Patroni's word: leader, sync_standby, replica. @returns {Promise<Map<string, ServerName>>} */
  async roles() {
    return new Map((await this.#members()).map(({ name, role }) => [role, name]))
  }

  /** Waits until every server follows the leader. One that cannot is copied anew, as an operator would do it. */
  async untilWhole() {
    const until = performance.now() + patience
    let rebuildAt = performance.now() + followPatience
    while (performance.now() < until) {
      const members = await this.#members()
      const leader = members.find(({ role }) => role === 'leader')
      const following = members.filter(
        ({ timeline, lag = 0 }) => timeline === leader?.timeline && Number(lag) < followLag,
      )
      if (following.length === serverNames.length) return this.untilWritable()
      if (leader !== undefined && performance.now() > rebuildAt) {
        const lost = serverNames.find((name) => following.every((member) => member.name !== name))
        if (lost !== undefined) await this.#command('rebuild', lost).catch(() => {})
        this.rebuilt += 1
        rebuildAt = performance.now() + followPatience
      }
      await sleep(100)
    }
    throw new Error(`the cluster was not whole for ${patience / 1000} s: see ${this.#directory}`)
  }

  /** Waits for a leader with a synchronous replica. @param {(leader: ServerName) => boolean} [isRight] */
  async untilWritable(isRight = () => true) {
    const until = performance.now() + patience
    while (performance.now() < until) {
      const roles = await this.roles()
      const leader = roles.get('leader')
      if (leader !== undefined && roles.has('sync_standby') && isRight(leader) && (await this.#leads(leader)))
        return leader
      await sleep(50)
    }
    throw new Error(`the cluster had no leader with a replica for ${patience / 1000} s: see ${this.#directory}`)
  }

  /** @param {ServerName} name */
  async #leads(name) {
    const port = this.#port + 11 + serverNames.indexOf(name)
    try {
      return (await fetch(`http://127.0.0.1:${port}/primary`, { signal: AbortSignal.timeout(1000) })).status === 200
    } catch {
      return false
    }
  }

  /** Keeps the logs of the servers if something was found. @param {import('./findings.mjs').Findings} findings */
  async stop(findings) {
    await this.#command('stop')
    if (findings.count > 0) console.log(`Logs of the cluster: ${this.#directory}`)
    else await rm(this.#directory, { recursive: true, force: true })
  }

  /** @param {string} name */
  async #pidOf(name) {
    return Number(await readFile(join(this.#directory, `${name}.pid`), 'utf8'))
  }

  /** The postmaster and its processes. @param {ServerName} name */
  async #postgresOf(name) {
    const file = await readFile(join(this.#directory, name, 'postmaster.pid'), 'utf8').catch(() => '')
    const postmaster = Number(file.split('\n', 1)[0])
    if (!(postmaster > 1)) return []
    const all = (await readdir('/proc')).filter((pid) => /^\d+$/.test(pid))
    const parents = await Promise.all(all.map(async (pid) => [Number(pid), await parentOf(pid)]))
    return [postmaster, ...parents.filter(([, parent]) => parent === postmaster).map(([pid = 0]) => pid)]
  }
}

/** @param {string} pid */
async function parentOf(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** @param {readonly number[]} pids @param {NodeJS.Signals} name */
function signal(pids, name) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended already.
    }
  }
}

/** The first of some ports that are likely to be free. */
const freeRange = async () => Math.min(await freePort(), 60_000)
