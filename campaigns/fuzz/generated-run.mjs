import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../ground/client.mjs'
import { rawRequest, sendRaw } from './raw.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('./generation.mjs').Generation} Generation
 * @typedef {import('./generation.mjs').Asked} Asked
 * @typedef {{ name: string, client: Client, mayWrite: boolean, token: string }} Principal
 */

const lanes = 12
const sliceSeconds = { all: 5, readers: 2 }
/** Minimum number of requests: with fewer, hardly any could have changed something. */
const leastOfReaders = 200
const slowMilliseconds = 2_000

/** Sends generated requests of all callers in slices: of all, then only of those without the right to write. */
export class GeneratedRun {
  requests = 0
  raw = 0
  /** @type {Map<number, number>} */
  statuses = new Map()
  #campaign
  #generation
  #principals
  #onlooker
  #cpuSeconds
  /** @type {{ principal: Principal, asked: Asked, took: number }[]} */
  #slow = []

  /** @param {Campaign} campaign @param {{ generation: Generation, principals: readonly Principal[], onlooker: import('./untouched.mjs').Onlooker, cpuSeconds: import('./farm.mjs').Farm['cpuSeconds'] }} means */
  constructor(campaign, { generation, principals, onlooker, cpuSeconds }) {
    this.#campaign = campaign
    this.#generation = generation
    this.#principals = principals
    this.#onlooker = onlooker
    this.#cpuSeconds = cpuSeconds
  }

  /** @param {() => boolean} goesOn @param {number} most requests */
  async run(goesOn, most) {
    const { findings, tell } = this.#campaign
    const readers = this.#principals.filter(({ mayWrite }) => !mayWrite)
    // At least once, because an empty run proves nothing.
    do {
      await this.#slice(this.#principals, { goesOn, seconds: sliceSeconds.all, least: 0 })
      await sleep(50)
      const before = await this.#onlooker.look()
      await this.#slice(readers, { goesOn, seconds: sliceSeconds.readers, least: leastOfReaders })
      await sleep(50)
      const after = await this.#onlooker.look()
      const changed = after.filter((line, n) => line !== before[n])
      findings.check(
        changed.length === 0,
        `requests of ${readers.map(({ name }) => name)} changed ${changed} (before: ${before})`,
      )
      if (this.requests % 10_000 < 500) tell(`${this.requests} generated requests, ${this.raw} raw ones`)
    } while (goesOn() && this.requests < most && findings.count < 20)
    await this.#askSlowOnesAgain()
  }

  /** @param {readonly Principal[]} principals @param {{ goesOn: () => boolean, seconds: number, least: number }} until */
  async #slice(principals, { goesOn, seconds, least }) {
    const until = performance.now() + seconds * 1_000
    const enough = this.requests + least
    const work = Array.from({ length: lanes }, async (_, lane) => {
      const dice = this.#campaign.dice.apart()
      while (this.requests < enough || (performance.now() < until && goesOn())) {
        // Mostly callers with rights: refused requests exercise little code.
        const principal = dice.pick(dice.happens(0.5) ? principals.slice(0, 2) : principals)
        if (lane === 0) await this.#sendRaw(principal, dice)
        else await this.#send(principal, this.#generation.next(dice))
      }
    })
    await Promise.all(work)
  }

  /** @param {Principal} principal @param {import('../ground/dice.mjs').Dice} dice */
  async #sendRaw({ client, token }, dice) {
    const bytes = rawRequest(dice, token)
    const statuses = await sendRaw(client.port, bytes)
    this.raw += 1
    const bad = statuses.filter((status) => status >= 500)
    this.#campaign.findings.check(
      bad.length === 0,
      `raw bytes were answered ${bad}: ${JSON.stringify(bytes.toString('latin1').slice(0, 300))}`,
    )
  }

  /** @param {Principal} principal @param {Asked} asked */
  async #send(principal, asked) {
    const { findings } = this.#campaign
    this.requests += 1
    const began = performance.now()
    try {
      const { status, headers, text } = await this.#ask(principal, asked)
      const took = performance.now() - began
      this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
      if (took > slowMilliseconds) this.#slow.push({ principal, asked, took })
      // A 503 on a busy machine is no fault of the request.
      if (status === 503 && headers['retry-after'] !== undefined) return this.#after503(principal, asked)
      findings.check(status < 500, () => `${described(principal, asked)} was answered ${status}: ${text.slice(0, 300)}`)
    } catch (error) {
      if (isUnspeakable(error)) return
      findings.check(
        /EPIPE|ECONNRESET|broke off/.test(String(error)),
        () => `${described(principal, asked)} broke: ${error}`,
      )
    }
  }

  /** @param {Principal} principal @param {Asked} asked */
  #ask({ client }, { method, path, body, type, headers }) {
    const sending = {
      ...(body === undefined ? {} : { body }),
      ...(type === undefined ? {} : { type }),
      ...(headers === undefined ? {} : { headers }),
    }
    return client.send(method, path, { ...sending, timeout: 30_000 })
  }

  /** @param {Principal} principal @param {Asked} asked */
  async #after503(principal, asked) {
    for (let tries = 0; tries < 5; tries++) {
      await sleep(200)
      const { status } = await this.#ask(principal, asked)
      if (status < 500) return
    }
    this.#campaign.findings.add(`${described(principal, asked)} is answered 503 again and again`)
  }

  /** A slow request must be fast alone, by processor time if the system provides it. */
  async #askSlowOnesAgain() {
    for (const { principal, asked, took } of this.#slow.slice(0, 50)) {
      const [began, before] = [performance.now(), await this.#cpuSeconds()]
      await this.#ask(principal, asked).catch(() => {})
      const [ended, after] = [performance.now(), await this.#cpuSeconds()]
      const again = before === null || after === null ? ended - began : (after - before) * 1_000
      this.#campaign.findings.check(
        again < slowMilliseconds,
        () => `${described(principal, asked)} took ${Math.round(took)} ms, alone ${Math.round(again)} ms`,
      )
    }
  }

  get slow() {
    return this.#slow.length
  }
}

/** Requests that Node's own client refuses to send. */
export const isUnspeakable = (/** @type {unknown} */ error) =>
  error instanceof Error &&
  'code' in error &&
  /^ERR_(UNESCAPED_CHARACTERS|INVALID_CHAR|HTTP_INVALID)/.test(String(error.code))

const described = (/** @type {Principal} */ { name }, /** @type {Asked} */ { method, path, type, body }) =>
  `${name}: ${method} ${path.slice(0, 200)} ${type ?? ''} ${String(body ?? '').slice(0, 600)}`
