/** The load generator, in its own process, so that its cost is not the server's. */
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { planFarm } from '../../bench/farm.mjs'
import { Dice } from '../ground/dice.mjs'
import { nextAsk, send } from './mix.mjs'

/**
 * @typedef {object} Job
 * @property {number} port
 * @property {string} token
 * @property {number} seed
 * @property {number} logs
 * @property {number} connections
 * @property {number} milliseconds
 * @property {number} perSecond how many requests are offered in all; 0: each connection sends its next one at once
 *
 * @typedef {object} Tally
 * @property {Record<string, number>} statuses a status, `broken`, or `503 without Retry-After`
 * @property {string[]} errors
 * @property {Latencies} reads
 * @property {Latencies} writes
 * @property {number} seconds
 *
 * @typedef {{ count: number, least: number, p50: number, p99: number, most: number }} Latencies
 */

process.on('message', async (/** @type {Job} */ job) => {
  process.send?.(await drive(job))
})
process.on('disconnect', () => process.exit())

/** @param {Job} job @returns {Promise<Tally>} */
async function drive({ port, token, seed, logs, connections, milliseconds, perSecond }) {
  const plan = planFarm(logs)
  const dice = new Dice(seed)
  /** @type {Record<string, number>} */
  const statuses = {}
  /** @type {string[]} */
  const errors = []
  /** @type {{ reads: number[], writes: number[] }} */
  const times = { reads: [], writes: [] }
  const began = performance.now()
  const until = began + milliseconds
  const interval = perSecond === 0 ? 0 : (connections * 1000) / perSecond
  const note = (/** @type {string} */ name) => {
    statuses[name] = (statuses[name] ?? 0) + 1
  }
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const own = dice.apart()
      // One connection each, as a phone has.
      const agent = new Agent({ keepAlive: true, maxSockets: 1, noDelay: true })
      await sleep(own.roll() * Math.min(interval || 500, 1000))
      while (performance.now() < until) {
        const ask = nextAsk(plan, own)
        const sent = performance.now()
        try {
          const { status, retryAfter, milliseconds: took } = await send({ port, token, agent }, ask)
          const isSentAway = status === 503 || status === 429
          note(isSentAway && retryAfter === undefined ? `${status} without Retry-After` : String(status))
          if (status < 300) times[ask.method === 'GET' ? 'reads' : 'writes'].push(took)
          else if (!isSentAway && errors.length < 5) errors.push(`${ask.method} ${ask.path}: ${status}`)
        } catch (error) {
          note('broken')
          if (errors.length < 5) errors.push(`${ask.method} ${ask.path}: ${error}`)
        }
        const rest = interval * (0.5 + own.roll()) - (performance.now() - sent)
        if (rest > 0) await sleep(Math.min(rest, until - performance.now()))
      }
      agent.destroy()
    }),
  )
  const seconds = (performance.now() - began) / 1000
  return { statuses, errors, reads: summed(times.reads), writes: summed(times.writes), seconds }
}

/** @param {number[]} times @returns {Latencies} */
function summed(times) {
  const inOrder = times.sort((one, other) => one - other)
  const at = (/** @type {number} */ part) =>
    inOrder[Math.min(inOrder.length - 1, Math.floor(inOrder.length * part))] ?? 0
  return { count: inOrder.length, least: at(0), p50: at(0.5), p99: at(0.99), most: at(1) }
}
