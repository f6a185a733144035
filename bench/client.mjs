/**
 * The load generator runs in its own process, so that its cost is not the server's. Each connection sends its next
 * request when the last answer is complete. Every answer is checked by status and length, some by every byte.
 */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'

/**
 * @typedef {object} Shot
 * @property {string} bytes the whole request
 * @property {number} status
 * @property {number} [length] of the body
 * @property {string} [sha256] of the body
 *
 * @typedef {object} Job
 * @property {number} port
 * @property {number} milliseconds
 * @property {Shot[][]} lanes the requests of each connection, sent in turn
 * @property {{ word: string, pattern: string, first: string[] }} [carrying] what stands in a request for what the answer
 *   before it said, how that is found there, and what each connection begins with
 *
 * @typedef {{ requests: number, seconds: number, latencies: number[], sentAway: number, faults: string[] }} Outcome
 */

const checkEvery = 50
const enoughFaults = 5

process.on('message', async (/** @type {Job} */ job) => {
  process.send?.(await drive(job))
})

/** @param {Job} job @returns {Promise<Outcome>} */
async function drive(job) {
  /** @type {Outcome} */
  const outcome = { requests: 0, seconds: 0, latencies: [], sentAway: 0, faults: [] }
  const began = performance.now()
  await Promise.all(job.lanes.map((_, lane) => driveLane(job, lane, { outcome, until: began + job.milliseconds })))
  outcome.seconds = (performance.now() - began) / 1000
  outcome.latencies.sort((a, b) => a - b)
  outcome.latencies = [0.5, 0.99].map((part) => outcome.latencies[Math.floor(outcome.latencies.length * part)] ?? 0)
  return outcome
}

/**
 * @param {Job} job
 * @param {number} lane
 * @param {{ outcome: Outcome, until: number }} run
 */
function driveLane({ port, lanes, carrying }, lane, { outcome, until }) {
  const shots = (lanes[lane] ?? []).map((shot) => ({ ...shot, buffer: Buffer.from(shot.bytes) }))
  const pattern = carrying && new RegExp(carrying.pattern)
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let turn = 0
    let sent = 0
    /** @type {Buffer[]} */
    let chunks = []
    let received = 0
    let headLength = -1
    let bodyLength = 0
    let status = 0
    let tag = ''
    let renewed = 0
    let carried = carrying?.first[lane] ?? ''
    const current = () => /** @type {(typeof shots)[number]} */ (shots[turn % shots.length])

    const send = () => {
      sent = performance.now()
      const { bytes, buffer } = current()
      socket.write(carrying && carried !== '' ? bytes.replace(carrying.word, carried) : buffer)
    }
    const fault = (/** @type {string} */ what) => {
      outcome.faults.push(`${current().bytes.split('\r\n', 1)[0]}: ${what}`)
      if (outcome.faults.length >= enoughFaults) until = 0
    }
    /** On PostgreSQL any transaction of the server gives pages a new tag, such as that of a heartbeat. */
    const renew = () => {
      const shot = current()
      shot.bytes = shot.bytes.replace(/If-None-Match: .*/, `If-None-Match: ${tag}`)
      shot.buffer = Buffer.from(shot.bytes)
      renewed += 1
    }
    const judge = (/** @type {Buffer} */ body) => {
      const { status: wanted, length, sha256 } = current()
      if (wanted === 304 && status === 200 && renewed < 3 * shots.length) return renew()
      if (status !== wanted) fault(`${status} instead of ${wanted}: ${body.subarray(0, 300)}`)
      else if (length !== undefined && body.length !== length) fault(`${body.length} bytes instead of ${length}`)
      else if (sha256 && turn % checkEvery === 0 && createHash('sha256').update(body).digest('hex') !== sha256) {
        fault('not the bytes that were expected')
      }
      if (pattern) carried = pattern.exec(body.toString())?.[1] ?? ''
    }
    const finish = () => {
      const now = performance.now()
      const whole = chunks.length === 1 ? /** @type {Buffer} */ (chunks[0]) : Buffer.concat(chunks)
      // A 503 is allowed, but does not count as an answer.
      if (status === 503) outcome.sentAway += 1
      else {
        outcome.latencies.push(now - sent)
        outcome.requests += 1
        judge(whole.subarray(headLength, headLength + bodyLength))
      }
      chunks = []
      received = 0
      headLength = -1
      turn += 1
      if (now < until) send()
      else socket.end()
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      received += chunk.length
      if (headLength < 0) {
        const whole = chunks.length === 1 ? chunk : Buffer.concat(chunks)
        const end = whole.indexOf('\r\n\r\n')
        if (end < 0) return
        const head = whole.toString('latin1', 0, end)
        headLength = end + 4
        status = Number(head.slice(9, 12))
        tag = /\r\netag: (.*)/i.exec(head)?.[1] ?? ''
        const at = head.search(/\r\ncontent-length:/i)
        bodyLength = at < 0 ? 0 : Number.parseInt(head.slice(at + 17), 10)
      }
      if (received >= headLength + bodyLength) finish()
    })
    socket.on('error', (error) => outcome.faults.push(error.message))
    socket.on('close', resolve)
  })
}
