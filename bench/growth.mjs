import { statSync } from 'node:fs'
import { join } from 'node:path'
import { casesOf } from './cases.mjs'
import { startClient } from './driving.mjs'
import { planFarm } from './farm.mjs'
import { startFurrow, startOnPostgres } from './farms.mjs'
import { answersTo } from './floor-store.mjs'
import { measure, ratios, typical } from './measuring.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { microseconds, ratio, rounded, table, when, writeSection } from './report.mjs'
import { checkPlanting } from './same-rows.mjs'
import { engineNames, growthSection } from './sections.mjs'

/**
 * @typedef {import('./arguments.mjs').Wishes} Wishes
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./measuring.mjs').Measured} Measured
 * @typedef {{ target: Target, size: number, cases: import('./cases.mjs').Case[], answers: Map<string, string> }} Grown
 */

const longestStart = 2000
const mostMemory = 300
/** Factor by which a request may be slower on the largest farm than on the smallest. */
const allowance = { sqlite: 1.5, postgres: 2 }
const allowanceOfLastPage = 3

/**
 * Farms of several sizes side by side, first on SQLite, then on PostgreSQL.
 * @param {string} dist
 * @param {Wishes} wishes
 * @param {string} place
 */
export async function compareSizes(dist, wishes, place) {
  const { missed } = await checkPlanting(dist, wishes, place)
  /** @type {Map<number, string>} */
  const planted = new Map()
  for (const size of wishes.sizes) {
    const began = performance.now()
    const data = join(place, `planted-${size}`)
    await plant(dist, data, planFarm(size))
    planted.set(size, data)
    const bytes = statSync(join(data, 'farm.sqlite')).size
    console.log(
      `${size} logs planted in ${rounded((performance.now() - began) / 1000)} s, ${rounded(bytes / size)} bytes per log`,
    )
  }
  const sizes = [...planted].map(([size, data]) => ({ size, bytes: statSync(join(data, 'farm.sqlite')).size }))
  /** @type {Record<string, unknown>} */
  const figures = { bytes: sizes }
  /** @type {Map<string, import('./sections.mjs').GrowthRow>} */
  const rows = new Map()
  /** @type {string[]} */
  const states = []
  // PostgreSQL first: it is copied from what SQLite then changes.
  for (const engine of /** @type {const} */ (['postgres', 'sqlite'])) {
    if (!wishes.engines.includes(engine)) continue
    const outcome = await growOn(engine, dist, { wishes, planted })
    missed.push(...outcome.missed)
    for (const { title, ...grown } of outcome.grown)
      rows.set(title, { ...(rows.get(title) ?? { title }), [engine]: grown })
    states.push(outcome.states)
    figures[engine] = outcome.figures
  }
  if (wishes.isWhole) {
    const { size = 1, bytes = 0 } = sizes.at(-1) ?? {}
    const allowed = `${allowance.sqlite} on SQLite, ${allowance.postgres} on PostgreSQL, ${allowanceOfLastPage} for the last page`
    const about = { sizes: wishes.sizes, bytesPerLog: bytes / size, states, allowed, when: when() }
    writeSection('Growth', growthSection([...rows.values()], about))
  }
  return { missed, figures: { growth: figures } }
}

/**
 * @param {'sqlite' | 'postgres'} engine
 * @param {string} dist
 * @param {{ wishes: Wishes, planted: Map<number, string> }} farms
 */
async function growOn(engine, dist, { wishes, planted }) {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const client = startClient()
  /** @type {Grown[]} */
  const grown = []
  try {
    for (const [size, data] of planted) {
      const name = `${engine} ${size}`
      const target = postgres
        ? await startOnPostgres(dist, { name, planted: data, postgres })
        : await startFurrow(dist, { name, data })
      const cases = casesOf(planFarm(size)).filter(({ kind }) => kind === 'read' || kind === 'write')
      grown.push({ target, size, cases, answers: await answersTo(target, cases) })
    }
    const names = (grown[0]?.cases ?? []).map(({ name }) => name).filter(wishes.wants)
    /** @type {Measured[]} */
    const measured = []
    for (const name of names) {
      measured.push(await measureSizes(name, grown, { ...wishes, client }))
      console.log(`${engine} ${name}`)
    }
    return report(engine, grown, measured)
  } finally {
    client.stop()
    for (const { target } of grown) await target.running.stop()
    await postgres?.stop()
  }
}

/**
 * A case refers to other records on each farm, so each gets its own requests.
 * @param {string} name
 * @param {Grown[]} grown
 * @param {Wishes & { client: ReturnType<typeof startClient> }} how
 */
async function measureSizes(name, grown, how) {
  const own = new Map(grown.map((one) => [one.target.name, one]))
  const caseOf = (/** @type {Target} */ target) => own.get(target.name)?.cases.find((one) => one.name === name)
  const [first] = grown
  const shape = first && caseOf(first.target)
  if (shape === undefined) throw new Error(`There is no case ${name}`)
  return measure(
    grown.map(({ target }) => target),
    shape,
    {
      ...how,
      takesPart: () => true,
      expectedOf: (target) => own.get(target.name)?.answers ?? new Map(),
      asksOf: (target) => caseOf(target)?.asks ?? [],
    },
  )
}

/**
 * @param {'sqlite' | 'postgres'} engine
 * @param {Grown[]} grown
 * @param {Measured[]} measured
 */
function report(engine, grown, measured) {
  /** @type {string[][]} */
  const rows = [['case', 'logs', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'times as long', 'by CPU', 'allowed']]
  /** @type {string[]} */
  const missed = []
  const largest = grown.at(-1)
  /** @type {({ title: string } & import('./sections.mjs').GrownFigures)[]} */
  const short = []
  for (const { case: one, figures } of measured) {
    const [smallest = []] = figures.values()
    for (const [name, rounds] of figures) {
      const { rate, p50, p99, cpu } = typical(rounds)
      const compared = rounds === smallest ? undefined : ratios(smallest, rounds)
      const allowed = one.name === 'last-page' ? allowanceOfLastPage : allowance[engine]
      const isJudged = name === largest?.target.name && compared !== undefined
      const isMissed = isJudged && compared.rate > allowed
      if (isMissed) missed.push(`${name}, ${one.title}: ${ratio(compared.rate)} times as long, ${allowed} allowed`)
      if (isJudged)
        short.push({ title: one.title, smallest: typical(smallest).cpu, largest: cpu, times: compared.rate, isMissed })
      rows.push([
        one.title,
        name.split(' ')[1] ?? '',
        rounded(rate),
        rounded(p50),
        rounded(p99),
        microseconds(cpu),
        ratio(compared?.rate),
        ratio(compared?.cpu),
        isJudged ? `${allowed} ${isMissed ? 'missed' : 'met'}` : '',
      ])
    }
  }
  const states = grown.map(({ size, target: { running } }) => ({
    size,
    startMilliseconds: running.startMilliseconds,
    residentMegabytes: running.residentMegabytes(),
  }))
  for (const { size, startMilliseconds, residentMegabytes } of states) {
    if (startMilliseconds > longestStart) missed.push(`${engine} ${size}: ${rounded(startMilliseconds)} ms to start`)
    if ((residentMegabytes ?? 0) > mostMemory)
      missed.push(`${engine} ${size}: ${rounded(residentMegabytes ?? 0)} MB of memory`)
  }
  const words = states.map(
    ({ size, startMilliseconds, residentMegabytes }) =>
      `${size} logs: first answer after ${rounded(startMilliseconds)} ms, ${rounded(residentMegabytes ?? 0)} MB resident after the run`,
  )
  console.log(`\nOn ${engine}. ${words.join('; ')}.\n\n${table(rows, 1)}\n`)
  const range = (/** @type {readonly number[]} */ all) => `${rounded(Math.min(...all))} to ${rounded(Math.max(...all))}`
  const starts = range(states.map(({ startMilliseconds }) => startMilliseconds))
  const memory = range(states.map(({ residentMegabytes }) => residentMegabytes ?? 0))
  const summary = `${engineNames[engine]}: first answer after ${starts} ms, ${memory} MB resident`
  const figures = measured.map(({ case: { name }, figures: own }) => [name, Object.fromEntries(own)])
  return { missed, grown: short, states: summary, figures: { states, ...Object.fromEntries(figures) } }
}
