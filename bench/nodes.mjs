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
import { microseconds, ratio, rounded, table, when, writeSection } from './report.mjs'
import { nodesSection } from './sections.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./cases.mjs').Case} Case
 * @typedef {Target & { database: Database }} Node
 * @typedef {{ url: string, acknowledged: number }} Database and how many logs its nodes have accepted
 * @typedef {{ rate: number, cpu: number | null }} Round of all nodes together; CPU seconds per request
 */

const logCount = 10_000
const names = ['one-log', 'page', 'post', 'put']
const pairings = ['a database each', 'one database']
/** Nodes at the same time. */
const counts = [2, 3]
/** Rounds differ by some per cent on any machine. */
const tolerance = 1.1

/**
 * Two and three nodes on one PostgreSQL database against as many with one each: the load is the same, so the difference
 * is what nodes of one farm cost each other. A write acknowledged by one node must be visible to the others.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function compareNodes(dist, wishes, place) {
  const plan = planFarm(logCount)
  const data = join(place, 'planted')
  await plant(dist, data, plan)
  const postgres = await startPostgres()
  const clients = [startClient(), startClient(), startClient()]
  /** @type {Node[]} */
  const nodes = []
  try {
    const [shared, ...others] = [await planted('shared'), await planted('other'), await planted('another')]
    const together = [await started(shared), await started(shared), await started(shared)]
    const apart = [await started(others[0]), await started(others[1])]
    const cases = casesOf(plan).filter(({ name }) => names.includes(name) && wishes.wants(name))
    const measured = []
    for (const one of cases) {
      const how = { ...wishes, case: one, postgres }
      for (const node of nodes) await warm(node, { ...how, client: startedClient(clients, 0) })
      for (const count of counts) {
        /** @type {Round[][]} */
        const rounds = [[], []]
        for (let round = 0; round < wishes.rounds; round++) {
          // Each of those that share runs alone equally often, so that none is warmer.
          const alone = together.slice(round % count, (round % count) + 1)
          rounds[0]?.push(await driveAll(clients, [...alone, ...apart.slice(0, count - 1)], how))
          rounds[1]?.push(await driveAll(clients, together.slice(0, count), how))
        }
        measured.push({ case: { ...one, title: `${one.title}, ${count} nodes` }, rounds })
      }
      console.log(one.name)
    }
    /** @type {string[]} */
    const wrong = []
    for (const { url, acknowledged } of [shared, ...others]) {
      const added = (await countLogs(url)) - plan.logCount
      if (added !== acknowledged) wrong.push(`${acknowledged} logs were acknowledged and ${added} are there`)
    }
    wrong.push(...(await differences(together, { from: plan.logCount, count: shared.acknowledged })))
    return report(measured, { wrong, added: shared.acknowledged, wishes })
  } finally {
    for (const client of clients) client.stop()
    for (const { running } of nodes) await running.stop()
    await postgres.stop()
  }

  /** @param {string} name @returns {Promise<Database>} */
  async function planted(name) {
    const url = await postgres.database(`furrow_bench_${name}`)
    await copyToPostgres(dist, data, url)
    return { url, acknowledged: 0 }
  }

  /** @param {Database | undefined} database */
  async function started(database) {
    if (database === undefined) throw new Error('There are more nodes than databases')
    const { url } = database
    const target = await startFurrow(dist, { name: 'node', data, postgres: { url, cpuSeconds: () => 0 } })
    const node = { ...target, database }
    nodes.push(node)
    return node
  }
}

/** @param {readonly ReturnType<typeof startClient>[]} clients @param {number} index */
function startedClient(clients, index) {
  const client = clients[index]
  if (client === undefined) throw new Error('There are more nodes than clients')
  return client
}

/**
 * @param {Node} node
 * @param {import('./arguments.mjs').Wishes & { case: Case, client: ReturnType<typeof startClient> }} how
 */
async function warm(node, { case: one, ...how }) {
  const requests = await warmUp(node, one, { ...how, takesPart: () => true, expectedOf: () => new Map() })
  if (one.name === 'post') node.database.acknowledged += requests
}

/**
 * Drives several nodes at the same time.
 * @param {readonly ReturnType<typeof startClient>[]} clients
 * @param {Node[]} nodes
 * @param {import('./arguments.mjs').Wishes & { case: Case, postgres: import('./postgres.mjs').Postgres }} how
 * @returns {Promise<Round>}
 */
async function driveAll(clients, nodes, { case: one, connections, milliseconds, postgres }) {
  const used = () => [...nodes.map(({ running }) => running.cpuSeconds()), postgres.cpuSeconds()]
  const before = used()
  const figures = await Promise.all(
    nodes.map((node, index) => {
      const load = { case: asksOf(one, index, nodes.length), expected: new Map(), milliseconds }
      return drive(startedClient(clients, index), node, { ...load, connections })
    }),
  )
  const after = used()
  if (one.name === 'post')
    for (const [index, { database }] of nodes.entries()) database.acknowledged += figures[index]?.requests ?? 0
  const requests = figures.reduce((sum, figure) => sum + figure.requests, 0)
  const spent = after.map((seconds, index) => (seconds ?? Number.NaN) - (before[index] ?? Number.NaN))
  const cpu = spent.reduce((sum, seconds) => sum + seconds, 0) / requests
  return { rate: figures.reduce((sum, figure) => sum + figure.rate, 0), cpu: Number.isNaN(cpu) ? null : cpu }
}

/** Each writing node has its own records. @param {Case} one @param {number} index @param {number} nodes */
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
 * The last written and changed logs, as each node shows them.
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
      different.push(`${path} is not the same on all nodes`)
  }
  return different
}

/**
 * @param {{ case: Case, rounds: Round[][] }[]} measured
 * @param {{ wrong: string[], added: number, wishes: import('./arguments.mjs').Wishes }} outcome
 */
function report(measured, { wrong, added, wishes }) {
  const rows = [['case', 'nodes on', 'requests/s', 'CPU µs', 'of the CPU apart', 'allowed']]
  const missed = [...wrong]
  /** @type {import('./sections.mjs').NodesRow[]} */
  const short = []
  for (const { case: one, rounds } of measured) {
    const cpus = rounds.map((some) => median(some.map(({ cpu }) => cpu ?? Number.NaN)))
    const compared = (cpus[1] ?? Number.NaN) / (cpus[0] ?? Number.NaN)
    if (compared > tolerance)
      missed.push(`${one.title}: on one database they take ${ratio(compared)} times the CPU for a request`)
    const [apart = Number.NaN, shared = Number.NaN] = cpus
    short.push({ title: one.title, apart, shared, ratio: compared, isMissed: compared > tolerance })
    for (const [index, some] of rounds.entries()) {
      const judged =
        index === 1 ? [ratio(compared), `${tolerance} ${compared > tolerance ? 'missed' : 'met'}`] : ['', '']
      const cpu = Number.isNaN(cpus[index]) ? null : (cpus[index] ?? null)
      rows.push([
        one.title,
        pairings[index] ?? '',
        rounded(median(some.map(({ rate }) => rate))),
        microseconds(cpu),
        ...judged,
      ])
    }
  }
  const text =
    `Nodes on one database against as many that have one each, at the same time, with ${wishes.connections} connections to each ` +
    `node. The nodes of one database acknowledged ${added} logs and every one of them is there; what was written or changed ` +
    `last reads the same on all.\n\n${table(rows, 2)}`
  console.log(`\n${text}\n`)
  if (wishes.isWhole && wrong.length === 0)
    writeSection('Several nodes', nodesSection(short, { acknowledged: added, allowed: tolerance, when: when() }))
  return {
    missed,
    figures: { nodes: Object.fromEntries(measured.map(({ case: { title }, rounds }) => [title, rounds])) },
  }
}
