import { join } from 'node:path'
import { Client } from 'pg'
import { casesOf } from './cases.mjs'
import { copyToPostgres } from './copying.mjs'
import { answerOf, drive, startClient } from './driving.mjs'
import { planFarm } from './farm.mjs'
import { startFurrow } from './farms.mjs'
import { median, warmUp } from './measuring.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { microseconds, ratio, rounded, table, takenOn, writeSection } from './report.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./cases.mjs').Case} Case
 * @typedef {{ rate: number, cpu: number | null }} Round of all nodes together; CPU seconds per request
 */

const logCount = 10_000
const names = ['one-log', 'page', 'post', 'put']
/** Rounds differ by some per cent on any machine. */
const tolerance = 1.1

/**
 * One node on a PostgreSQL database, then two on the same, each with as many connections as the one: what a request costs must
 * not grow because there is another node, and what one node has acknowledged must be there for the other.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function compareNodes(dist, wishes, place) {
  const plan = planFarm(logCount)
  const data = join(place, 'planted')
  await plant(dist, data, plan)
  const postgres = await startPostgres()
  const clients = /** @type {const} */ ([startClient(), startClient()])
  /** @type {Target[]} */
  const nodes = []
  try {
    const url = await postgres.database('furrow_bench_nodes')
    await copyToPostgres(dist, data, url)
    for (const name of ['first', 'second'])
      nodes.push(await startFurrow(dist, { name, data, postgres: { url, cpuSeconds: () => 0 } }))
    const cases = casesOf(plan).filter(({ name }) => names.includes(name) && wishes.wants(name))
    const before = await countLogs(url)
    const counted = { posted: 0 }
    const measured = []
    for (const one of cases) {
      const how = { ...wishes, case: one, postgres, counted }
      for (const node of nodes) await warm(node, { ...how, client: clients[0] })
      /** @type {Round[][]} */
      const rounds = [[], []]
      for (let round = 0; round < wishes.rounds; round++) {
        // Each is alone as often as the other, so that neither is better practised.
        const turn = round % nodes.length
        rounds[0]?.push(await driveAll(clients, nodes.slice(turn, turn + 1), how))
        rounds[1]?.push(await driveAll(clients, nodes, how))
      }
      measured.push({ case: one, rounds })
      console.log(one.name)
    }
    const added = (await countLogs(url)) - before
    const wrong = [
      ...(added === counted.posted ? [] : [`${counted.posted} logs were acknowledged and ${added} are there`]),
      ...(await differences(nodes, { from: plan.logCount, count: added })),
    ]
    return report(measured, { wrong, added, wishes })
  } finally {
    for (const client of clients) client.stop()
    for (const { running } of nodes) await running.stop()
    await postgres.stop()
  }
}

/**
 * @param {Target} node
 * @param {import('./arguments.mjs').Wishes & { case: Case, counted: { posted: number }, client: ReturnType<typeof startClient> }} how
 */
async function warm(node, { case: one, counted, client, ...how }) {
  const requests = await warmUp(node, one, { ...how, client, takesPart: () => true, expectedOf: () => new Map() })
  if (one.name === 'post') counted.posted += requests
}

/**
 * Drives some nodes at the same time.
 * @param {readonly ReturnType<typeof startClient>[]} clients
 * @param {Target[]} nodes
 * @param {import('./arguments.mjs').Wishes & { case: Case, postgres: import('./postgres.mjs').Postgres, counted: { posted: number } }} how
 * @returns {Promise<Round>}
 */
async function driveAll(clients, nodes, { case: one, connections, milliseconds, postgres, counted }) {
  const used = () => [...nodes.map(({ running }) => running.cpuSeconds()), postgres.cpuSeconds()]
  const before = used()
  const figures = await Promise.all(
    nodes.map((node, index) => {
      const client = clients[index]
      if (client === undefined) throw new Error('There are more nodes than clients')
      const load = { case: asksOf(one, index, nodes.length), expected: new Map(), milliseconds }
      return drive(client, node, { ...load, connections })
    }),
  )
  const after = used()
  const requests = figures.reduce((sum, figure) => sum + figure.requests, 0)
  if (one.name === 'post') counted.posted += requests
  const spent = after.map((seconds, index) => (seconds ?? Number.NaN) - (before[index] ?? Number.NaN))
  const cpu = spent.reduce((sum, seconds) => sum + seconds, 0) / requests
  return { rate: figures.reduce((sum, figure) => sum + figure.rate, 0), cpu: Number.isNaN(cpu) ? null : cpu }
}

/** Nodes that write keep out of each other's records. @param {Case} one @param {number} index @param {number} nodes */
const asksOf = (one, index, nodes) =>
  one.kind === 'write' ? { ...one, asks: one.asks.filter((_, n) => n % nodes === index) } : one

/** @param {string} url */
async function countLogs(url) {
  const client = new Client(url)
  await client.connect()
  try {
    return Number((await client.query('select count(*) as count from log')).rows[0].count)
  } finally {
    await client.end()
  }
}

/**
 * The last logs that were written and those that were changed, as each node shows them.
 * @param {Target[]} nodes
 * @param {{ from: number, count: number }} written
 */
async function differences(nodes, { from, count }) {
  const paths = [
    ...Array.from({ length: Math.min(count, 100) }, (_, n) => `/log/${from + count - n}.json`),
    ...Array.from({ length: 100 }, (_, n) => `/log/${1001 + n}.json`),
    '/log.json?page=0',
    '/log.json?sort=id&direction=DESC',
  ]
  /** @type {string[]} */
  const different = []
  for (const path of paths) {
    const answers = await Promise.all(nodes.map((node) => answerOf(node, { method: 'GET', path, status: 200 })))
    const [first] = answers
    if (first?.status !== 200 && first?.status !== 404) different.push(`${path} gives ${first?.status}`)
    if (answers.some(({ status, body }) => status !== first?.status || body !== first?.body))
      different.push(`${path} is not the same on both nodes`)
  }
  return different
}

/**
 * @param {{ case: Case, rounds: Round[][] }[]} measured
 * @param {{ wrong: string[], added: number, wishes: import('./arguments.mjs').Wishes }} outcome
 */
function report(measured, { wrong, added, wishes }) {
  const rows = [['case', 'nodes', 'requests/s', 'CPU µs', 'CPU of one node', 'allowed']]
  const missed = [...wrong]
  for (const { case: one, rounds } of measured) {
    const cpus = rounds.map((some) => median(some.map(({ cpu }) => cpu ?? Number.NaN)))
    const compared = (cpus[1] ?? Number.NaN) / (cpus[0] ?? Number.NaN)
    if (compared > tolerance)
      missed.push(`${one.title}: two nodes take ${ratio(compared)} times the CPU of one for a request`)
    for (const [index, some] of rounds.entries()) {
      const judged =
        index === 1 ? [ratio(compared), `${tolerance} ${compared > tolerance ? 'missed' : 'met'}`] : ['', '']
      const cpu = Number.isNaN(cpus[index]) ? null : (cpus[index] ?? null)
      rows.push([
        one.title,
        String(index + 1),
        rounded(median(some.map(({ rate }) => rate))),
        microseconds(cpu),
        ...judged,
      ])
    }
  }
  const text =
    `${added} logs were acknowledged by one node or two and every one of them is there; what was written or changed last ` +
    `reads the same on both. Each node has ${wishes.connections} connections.\n\n${table(rows, 1)}`
  console.log(`\n${text}\n`)
  if (wishes.isWhole && wrong.length === 0) writeSection('Two nodes', `${takenOn()}\n\n${text}`)
  return {
    missed,
    figures: { nodes: Object.fromEntries(measured.map(({ case: { name }, rounds }) => [name, rounds])) },
  }
}
