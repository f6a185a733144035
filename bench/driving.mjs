import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { accountName, accountPassword } from './planting.mjs'

/**
 * @typedef {import('./cases.mjs').Ask} Ask
 * @typedef {import('./cases.mjs').Case} Case
 * @typedef {import('./client.mjs').Shot} Shot
 * @typedef {import('./client.mjs').Outcome} Outcome
 *
 * @typedef {object} Target a server to be driven
 * @property {string} name
 * @property {import('./processes.mjs').Running} running
 * @property {string} token
 * @property {number} [warmth] how much of the usual time it takes to warm up
 *
 * @typedef {{ rate: number, p50: number, p99: number, cpu: number | null, requests: number, sentAway: number }} Figures CPU seconds per request
 */

export function startClient() {
  const child = fork(fileURLToPath(new URL('client.mjs', import.meta.url)))
  return {
    /** @param {import('./client.mjs').Job} job @returns {Promise<Outcome>} */
    async drive(job) {
      child.send(job)
      const [outcome] = await once(child, 'message')
      return outcome
    },
    stop: () => child.disconnect(),
  }
}

/** @param {Target} target @param {Ask & Pick<Case, 'carried'>} ask @param {string[]} headers */
const requestBytes = ({ token }, { method, path, body, carried }, headers) => {
  const type = path === '/oauth/token' ? 'application/x-www-form-urlencoded' : 'application/json'
  const longer = carried && body?.includes(carried.word) ? carried.length - carried.word.length : 0
  const length = Buffer.byteLength(body ?? '') + longer
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: farm.example',
    ...(path === '/oauth/token' ? [] : [`Authorization: Bearer ${token}`]),
    ...headers,
    ...(body === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${length}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** A server that is sent what it has already changes nothing, so each drive sends other values. */
let drives = 0

/** @param {number} port */
export async function tokensOf(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'password',
      client_id: 'farm',
      username: accountName,
      password: accountPassword,
      scope: 'user_access',
    }),
  })
  const tokens = /** @type {{ access_token: string, refresh_token: string }} */ (await answer.json())
  if (answer.status !== 200) throw new Error(`No token: ${JSON.stringify(tokens)}`)
  return tokens
}

/**
 * The request with this server's cursor; the floor has no cursors.
 * @param {Target} target
 * @param {Ask} ask
 * @returns {Promise<Ask>}
 */
async function withCursor(target, ask) {
  if (!ask.path.includes('@cursor') || target.token === 'none') return ask
  const { body } = await answerOf(target, { method: 'GET', path: '/changes', status: 200 })
  return { ...ask, path: ask.path.replace('@cursor', JSON.parse(body).next) }
}

/** @param {Target} target @param {Ask} ask */
export async function answerOf(target, ask) {
  const { running, token } = target
  const { method, path, body } = await withCursor(target, ask)
  const answer = await fetch(`http://127.0.0.1:${running.port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'accept-encoding': 'identity',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

/**
 * Drives one server with one case for a while.
 * @param {ReturnType<typeof startClient>} client
 * @param {Target} target
 * @param {{ case: Case, expected: ReadonlyMap<string, string>, connections: number, milliseconds: number }} load
 * @returns {Promise<Figures>}
 */
export async function drive(client, target, load) {
  const lanes = await lanesOf(target, load)
  const { milliseconds } = load
  const job = { port: target.running.port, milliseconds, lanes }
  const { carried, kind } = load.case
  const firstOf = async () => (kind === 'refresh' ? (await tokensOf(target.running.port)).refresh_token : '')
  const carrying = carried && { ...carried, first: await Promise.all(lanes.map(firstOf)) }
  const before = target.running.cpuSeconds()
  const outcome = await client.drive({ ...job, ...(carrying && { carrying }) })
  const after = target.running.cpuSeconds()
  if (outcome.faults.length > 0) throw new Error(`${target.name}, ${load.case.name}: ${outcome.faults.join('\n')}`)
  const requests = outcome.requests * (load.case.records ?? 1)
  const [p50 = 0, p99 = 0] = outcome.latencies
  const cpu = before === null || after === null ? null : (after - before) / requests
  const { sentAway } = outcome
  return { rate: requests / outcome.seconds, p50, p99, cpu, requests, sentAway }
}

/**
 * @param {Target} target
 * @param {{ case: Case, expected: ReadonlyMap<string, string>, connections: number }} load
 * @returns {Promise<Shot[][]>}
 */
async function lanesOf(target, { case: { asks, kind, cursors, carried }, expected, connections }) {
  const judged = cursors ? new Map() : expected
  drives += 1
  const shots = await Promise.all(
    asks.map((ask) => shotOf(target, { ...ask, ...(carried && { carried }) }, { kind, expected: judged })),
  )
  return Array.from({ length: connections }, (_, lane) => {
    // Each writing connection has its own records.
    if (kind === 'write') return shots.filter((_shot, n) => n % connections === lane)
    const from = Math.floor((lane * shots.length) / connections)
    return [...shots.slice(from), ...shots.slice(0, from)]
  })
}

/**
 * @param {Target} target
 * @param {Ask & Pick<Case, 'carried'>} ask
 * @param {{ kind: Case['kind'], expected: ReadonlyMap<string, string> }} about
 * @returns {Promise<Shot>}
 */
async function shotOf(target, ask, { kind, expected }) {
  if (kind === 'unchanged') {
    const tag = (await answerOf(target, ask)).headers.get('etag')
    return { bytes: requestBytes(target, ask, [`If-None-Match: ${tag}`]), status: 304, length: 0 }
  }
  const told = ask.body === undefined ? ask : { ...ask, body: ask.body.replace('@drive', String(drives)) }
  const bytes = requestBytes(target, { ...told, ...(await withCursor(target, told)) }, [])
  const body = kind === 'read' ? expected.get(ask.path) : undefined
  if (body === undefined) return { bytes, status: ask.status }
  const sha256 = createHash('sha256').update(body).digest('hex')
  return { bytes, status: ask.status, length: Buffer.byteLength(body), sha256 }
}
