/**
 * Sends the most expensive queries, and measures their cost and the waiting of others: npm run cost -- --logs 100000
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { copyToPostgres } from '../bench/copying.mjs'
import { planFarm } from '../bench/farm.mjs'
import { accountName, accountPassword, plant } from '../bench/planting.mjs'
import { questions } from './cost/questions.mjs'
import { Client, tokenOf } from './ground/client.mjs'
import { serve } from './ground/furrow.mjs'
import { Postgres } from './ground/postgres.mjs'
import { campaign } from './ground/wishes.mjs'

/** Milliseconds of processor time per answer on SQLite. On PostgreSQL waiting counts, up to ten seconds. */
const budgets = { sqlite: 2_000, postgres: 10_000 }
/** Allowance for the answer itself, the observers, and the time between two samples. */
const besides = 600
/** Milliseconds of waiting, for others and until abandoned work ends. */
const longestWait = 100
const longestAfter = 200

const parts = ['alone', 'together', 'gone']

await campaign(
  { name: 'cost', seconds: 300, numbers: ['logs', 'tolerance'], parts, engines: ['sqlite', 'postgres'] },
  async (about) => {
    const { dist, place, findings, tell, wants, engines, number } = about
    const tolerance = number('tolerance', 1)
    const data = join(place, 'farm')
    await plant(dist, data, planFarm(number('logs', 20_000)))
    tell(`planted ${number('logs', 20_000)} logs`)
    const postgres = engines.includes('postgres') ? await Postgres.start() : undefined
    /** @type {Record<string, string | number>} */
    const figures = {}
    for (const engine of /** @type {readonly ('sqlite' | 'postgres')[]} */ (engines)) {
      const url = engine === 'postgres' ? await postgres?.database('cost') : undefined
      if (url !== undefined) await copyToPostgres(dist, data, url)
      const server = await serve(dist, ['--data', data, ...(url === undefined ? [] : ['--database', url])])
      const processor = () => processorMs([server.pid, ...(url === undefined ? [] : backends())])
      const token = await tokenOf(server.port, accountName, 'user_access', accountPassword)
      const client = new Client(server.port, token)
      /** @param {import('./cost/questions.mjs').Question} question */
      const ask = ({ method = 'GET', path, body }) =>
        client.send(method, path, body === undefined ? {} : { body, type: 'application/json' })
      await client.get('/log/1.json')
      const watch = watchOthers(server.port, token)
      let most = { name: '', cost: 0 }
      for (const question of wants('alone') ? questions() : []) {
        const before = processor()
        const { status, text } = await ask(question)
        const cost = processor() - before
        if (cost > most.cost) most = { name: question.name, cost }
        tell(`${engine}: ${question.name}: ${status}, ${cost} ms of processor time`)
        findings.check([200, 207, 400].includes(status), `${engine}: ${question.name}: ${status} ${text.slice(0, 300)}`)
        findings.check(
          status !== 400 || text.includes('processor time'),
          `${engine}: ${question.name}: ${text.slice(0, 300)}`,
        )
        findings.check(
          cost <= budgets[engine] + besides,
          `${engine}: ${question.name} took ${cost} ms of processor time`,
        )
      }
      if (wants('together'))
        for (const { status } of await Promise.all(questions().map(ask)))
          findings.check([200, 207, 400].includes(status), `${engine}: ${status} when all is asked together`)
      const waited = await watch()
      findings.check(waited.failures === 0, `${engine}: ${waited.failures} others were not answered`)
      findings.check(
        !(waited.p99 > longestWait * tolerance),
        `${engine}: 99 % of others were answered within ${waited.p99.toFixed(0)} ms only`,
      )
      if (wants('gone')) {
        const left = await costAfterLeaving(client.port, token, processor)
        findings.check(
          left <= longestAfter,
          `${engine}: ${left} ms of processor time were spent after the caller had gone`,
        )
        figures[`${engine} after leaving ms`] = left
      }
      figures[`${engine} most ms`] = `${most.cost} (${most.name})`
      figures[`${engine} others p99 ms of`] = `${waited.p99.toFixed(0)} of ${waited.count}`
      client.close()
      findings.check((await server.stopped()) === 0, `the server did not stop well: ${server.complaints()}`)
    }
    await postgres?.stop()
    return figures
  },
)

/** Requests /healthz and one log in turn. @param {number} port @param {string} token */
function watchOthers(port, token) {
  const client = new Client(port, token)
  /** @type {number[]} */
  const waits = []
  let failures = 0
  let isOver = false
  const watching = (async () => {
    for (let nth = 1; !isOver; nth++) {
      const began = performance.now()
      const { status } = await client.get(nth % 2 === 0 ? '/healthz' : `/log/${nth}.json`)
      waits.push(performance.now() - began)
      if (status !== 200) failures += 1
      await sleep(20)
    }
  })()
  return async () => {
    isOver = true
    await watching
    client.close()
    const inOrder = waits.toSorted((one, other) => one - other)
    return { count: waits.length, failures, p99: inOrder[Math.floor(inOrder.length * 0.99)] ?? Number.NaN }
  }
}

/**
 * CPU time still spent after abandoned work had time to end.
 * @param {number} port
 * @param {string} token
 * @param {() => number} processor
 */
async function costAfterLeaving(port, token, processor) {
  let most = 0
  for (const { method = 'GET', path, body } of questions()) {
    const client = new Client(port, token)
    const sent = client.send(method, path, {
      timeout: 150,
      ...(body === undefined ? {} : { body, type: 'application/json' }),
    })
    await sent.catch(() => {})
    client.close()
    await sleep(longestAfter)
    const before = processor()
    await sleep(500)
    most = Math.max(most, processor() - before)
  }
  return most
}

/** User and system time of processes, in milliseconds. @param {readonly number[]} pids */
function processorMs(pids) {
  let ticks = 0
  for (const pid of pids) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
      ticks += Number(fields[11]) + Number(fields[12])
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks * 10
}

/** PostgreSQL processes that serve Furrow, by their titles. @returns {number[]} */
function backends() {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const title = readFileSync(`/proc/${name}/cmdline`, 'utf8')
      return /^postgres: .*\bcost\b/.test(title) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
