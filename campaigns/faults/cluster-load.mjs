import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from '../ground/client.mjs'

/** @typedef {import('../ground/findings.mjs').Findings} Findings */

/** Waits a little after a 503, and checks that it says when to come back. */
export class PatientClient extends Client {
  #findings
  refused = 0

  /** @param {number} port @param {string} token @param {Findings} findings */
  constructor(port, token, findings) {
    super(port, token)
    this.#findings = findings
  }

  /** @override @type {Client['send']} */
  async send(method, path, sending) {
    const answer = await super.send(method, path, sending).catch(({ message }) => {
      // The server itself stays up, so that every request has its answer.
      this.#findings.add(`${method} ${path}: ${message}`)
      return { status: 503, headers: { 'retry-after': '1' }, text: 'busy', body: null }
    })
    if (answer.status !== 503) return answer
    this.refused += 1
    const isClear = answer.headers['retry-after'] !== undefined && /\bbusy\b/.test(answer.text)
    this.#findings.check(isClear, () => `${method} ${path}: a 503 without reason or Retry-After: ${answer.text}`)
    await sleep(200)
    return answer
  }
}

/** Creates and changes logs at /api. After a 503 it sends the same request again, as a client that lost the answer would. */
export class ApiWriter {
  /** Acknowledged logs, by UUID, with their last acknowledged name. @type {Map<string, string>} */
  known = new Map()
  /** Logs that were sent more than once. @type {Set<string>} */
  repeated = new Set()
  /** The time of the last acknowledgement of a write that was sent after `since`. */
  lastSentAt = 0
  #client
  #name
  #findings
  #stopped = false

  /** @param {PatientClient} client @param {string} name @param {Findings} findings */
  constructor(client, name, findings) {
    this.#client = client
    this.#name = name
    this.#findings = findings
  }

  stop() {
    this.#stopped = true
  }

  async write() {
    for (let n = 0; !this.#stopped; n++) {
      const id = randomUUID()
      await this.#untilDone('POST', id, `${this.#name} ${n}`)
      if (n % 3 === 0 && !this.#stopped) await this.#untilDone('PATCH', id, `${this.#name} ${n} again`)
    }
  }

  /** @param {'POST' | 'PATCH'} method @param {string} id @param {string} name */
  async #untilDone(method, id, name) {
    const [path, wanted] = method === 'POST' ? ['/api/log/activity', 201] : [`/api/log/activity/${id}`, 200]
    const times = method === 'POST' ? { timestamp: '2026-01-01T00:00:00Z', status: 'done' } : {}
    const body = JSON.stringify({ data: { type: 'log--activity', id, attributes: { name, ...times } } })
    const headers = { 'idempotency-key': `${method} ${id}` }
    while (!this.#stopped) {
      const sentAt = performance.now()
      const { status, text } = await this.#client.send(method, path, {
        body,
        type: 'application/vnd.api+json',
        headers,
      })
      if (status === wanted) {
        this.known.set(id, name)
        this.lastSentAt = sentAt
        return
      }
      this.repeated.add(id)
      if (
        !this.#findings.check(status === 503, () => `${method} ${name} was answered ${status}: ${text.slice(0, 300)}`)
      )
        return
    }
  }

  /** Compares what was acknowledged with what is there. @param {string} when */
  async examine(when) {
    for (const [id, name] of this.known) {
      const { status, body } = await this.#client.get(`/api/log/activity/${id}`)
      const found = body?.data?.attributes?.name
      this.#findings.check(
        status === 200 && found === name,
        `${when}: ${name} was acknowledged and is ${status} ${found}`,
      )
    }
    for (const id of this.repeated) {
      const name = this.known.get(id)
      if (name === undefined) continue
      const query = new URLSearchParams({ 'filter[name]': name })
      const { body } = await this.#client.get(`/api/log/activity?${query}`)
      this.#findings.check(body?.data?.length === 1, `${when}: ${name} is there ${body?.data?.length} times`)
    }
  }
}

/** Listens to the change feed as a browser does: it comes back with the last event id. */
export class Listener {
  /** @type {Set<string>} */
  heard = new Set()
  interruptions = 0
  #port
  #token
  #last = '0'
  #stopped = false
  /** @type {import('node:http').ClientRequest | undefined} */
  #request

  /** @param {number} port @param {string} token */
  constructor(port, token) {
    this.#port = port
    this.#token = token
    void this.#listen()
  }

  stop() {
    this.#stopped = true
    this.#request?.destroy()
  }

  async #listen() {
    while (!this.#stopped) {
      await new Promise((resolve) => {
        const headers = { authorization: `Bearer ${this.#token}`, 'last-event-id': this.#last }
        this.#request = request({ port: this.#port, path: '/changes/events?records=0', headers }, (answer) => {
          let rest = ''
          answer.setEncoding('utf8').on('data', (text) => {
            const events = (rest + text).split('\n\n')
            rest = events.pop() ?? ''
            for (const event of events) this.#take(event)
          })
          answer.on('close', resolve)
        })
        this.#request.on('error', resolve)
        this.#request.end()
      })
      if (this.#stopped) return
      this.interruptions += 1
      await sleep(500)
    }
  }

  #take(/** @type {string} */ event) {
    const [, id] = /^id: (.*)$/m.exec(event) ?? []
    if (id !== undefined) this.#last = id
    const [, uuid] = /"uuid":"([^"]+)"/.exec(event) ?? []
    if (uuid !== undefined) this.heard.add(uuid)
  }
}
