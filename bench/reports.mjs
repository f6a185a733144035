import { join } from 'node:path'
import { Client } from '../campaigns/ground/client.mjs'
import { planFarm } from './farm.mjs'
import { startOnPostgres, startOnSqlite } from './farms.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { rounded, table, when, writeSection } from './report.mjs'
import { reportsSection } from './sections.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./farm.mjs').Plan} Plan
 * @typedef {import('./sections.mjs').ReportTime} ReportTime
 */

const longest = 1
const rounds = 5
const always = 'from=2017-01-01&to=2090-01-01'
/** Both farms have the same logs in these days. */
const twentyDays = 'from=2017-07-14&to=2017-08-02'
/** All logs of these farms. */
const aYear = 'from=2017-07-14&to=2018-07-13'

const registers = [
  'input-register',
  'medicine-book',
  'animals',
  'comings-and-goings',
  'field-register',
  'seed-register',
]

/** Every log as a harvest. @param {Plan} plan @returns {Plan} */
const allHarvests = (plan) => ({
  ...plan,
  *logs() {
    for (const log of plan.logs()) yield { ...log, bundle: 'farm_harvest' }
  },
})

/** The farms, and the reports of each. @type {Record<string, { plan: () => Plan, reports: Record<string, string> }>} */
const farms = {
  '10,000 logs': {
    plan: () => planFarm(10_000),
    reports: { 'harvest of 20 days': `/reports/harvest.json?${twentyDays}` },
  },
  '100,000 logs': {
    plan: () => planFarm(100_000),
    reports: {
      'harvest of 20 days': `/reports/harvest.json?${twentyDays}`,
      'harvest, everything': `/reports/harvest.json?${always}`,
      'inputs, everything': `/reports/inputs.json?${always}`,
      ...Object.fromEntries(registers.map((name) => [`${name}, a year`, `/reports/${name}.json?${aYear}`])),
    },
  },
  '100,000 harvests': {
    plan: () => allHarvests(planFarm(100_000)),
    reports: { 'harvest, everything': `/reports/harvest.json?${always}` },
  },
}

/**
 * Measures reports that are not cached.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function measureReports(dist, wishes, place) {
  /** @type {ReportTime[]} */
  const all = []
  for (const [farm, { plan, reports }] of Object.entries(farms)) {
    const planted = join(place, farm.replaceAll(/\W/g, '-'))
    await plant(dist, planted, plan())
    for (const engine of wishes.engines) {
      const postgres = engine === 'postgres' ? await startPostgres() : undefined
      const target =
        postgres === undefined
          ? await startOnSqlite(dist, { name: `${farm} ${engine}`, planted, place, nodeOptions: wishes.profiling })
          : await startOnPostgres(dist, { name: engine, planted, postgres })
      try {
        for (const [report, address] of Object.entries(reports))
          all.push({ engine, farm, report, ...(await timeOf(target, address)) })
      } finally {
        await target.running.stop()
        await postgres?.stop()
      }
    }
  }
  const text = table([['Report', 'Farm', 'Database', 'Logs counted', 'Seconds', 'CPU s'], ...all.map(spelled)], 3)
  console.log(text)
  if (wishes.isWhole) writeSection('Reports', reportsSection(all, { longest, when: when() }))
  const missed = all.filter(({ seconds }) => seconds > longest).map((told) => spelled(told).join(', '))
  return { missed, figures: { reports: all } }
}

/** Uses a new address each time, so that nothing is cached. @param {Target} target @param {string} address */
async function timeOf(target, address) {
  const client = new Client(target.running.port, target.token)
  const times = []
  const processor = []
  let logs = 0
  for (let round = 0; round < rounds; round++) {
    const before = target.running.cpuSeconds()
    const began = performance.now()
    const { status, text, body } = await client.send('GET', `${address}&name[ne]=${round}`, { timeout: 60_000 })
    if (status !== 200) throw new Error(`${address}: ${status} ${text.slice(0, 2000)}`)
    times.push((performance.now() - began) / 1000)
    processor.push((target.running.cpuSeconds() ?? 0) - (before ?? 0))
    logs = body.logs.count
  }
  client.close()
  return { logs, seconds: medianOf(times), cpu: medianOf(processor) }
}

const medianOf = (/** @type {readonly number[]} */ figures) =>
  figures.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0

/** @param {ReportTime} told */
const spelled = ({ report, farm, engine, logs, seconds, cpu }) => [
  ...[report, farm, engine, String(logs), rounded(seconds), rounded(cpu)],
]
