import { join } from 'node:path'
import { casesOf } from './cases.mjs'
import { startClient } from './driving.mjs'
import { planFarm } from './farm.mjs'
import { answersOnce, postgresFloor, startFloor, startOnPostgres, startOnSqlite, startPostgresFloor } from './farms.mjs'
import { changesNothing, howFor, measure, ratios, typical, warmUp } from './measuring.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { microseconds, ratio, rounded, table, when, writeSection } from './report.mjs'
import { requestsSection } from './sections.mjs'
import { optionOfSlowDisk } from './slow-disk.mjs'

/**
 * @typedef {import('./measuring.mjs').Measured} Measured
 * @typedef {import('./arguments.mjs').Wishes} Wishes
 */

const logCount = 10_000
const onSlowDisk = 'sqlite, slow disk'

/**
 * Furrow on both engines and the floor, side by side.
 * @param {string} dist
 * @param {Wishes} wishes
 * @param {string} place
 */
export async function compareWithFloor(dist, wishes, place) {
  const plan = planFarm(logCount)
  const planted = join(place, 'planted')
  await plant(dist, planted, plan)
  const all = casesOf(plan).filter(({ grown }) => !grown)
  const known = await answersOnce(dist, { planted, place, cases: all })
  const postgres = wishes.engines.includes('postgres') ? await startPostgres() : undefined
  const client = startClient()
  /** @type {import('./driving.mjs').Target[]} */
  const targets = []
  try {
    if (wishes.engines.includes('sqlite')) {
      const { profiling: nodeOptions, disk } = wishes
      targets.push(await startOnSqlite(dist, { name: 'sqlite', planted, place, nodeOptions }))
      const slow = { name: onSlowDisk, planted, place, nodeOptions: [optionOfSlowDisk(disk)] }
      // Its code is cold for these cases.
      const warmth = 2
      if (all.some(({ name, slowDisk }) => slowDisk && wishes.wants(name)))
        targets.push({ ...(await startOnSqlite(dist, slow)), warmth })
    }
    if (postgres) targets.push(await startOnPostgres(dist, { name: 'postgres', planted, postgres }))
    targets.push(await startFloor({ planted, place }, known))
    if (postgres) targets.push(await startPostgresFloor(dist, { planted, place, postgres }))
    const caseNamed = (/** @type {string} */ name) => all.find((one) => one.name === name)
    const how = {
      ...wishes,
      client,
      takesPart,
      expectedOf: () => known.answers,
      isWarm: true,
      caseNamed,
      isAside,
    }
    const wanted = all.filter(({ name }) => wishes.wants(name))
    // Reads share most of their code: all of it must be compiled before the first of them is measured.
    const reads = wanted.filter(changesNothing)
    for (const one of Array.from({ length: wishes.warmTimes }, () => reads).flat()) {
      for (const target of targets.filter((each) => takesPart(each, one)))
        await warmUp(target, one, howFor(target, one, how))
    }
    /** @type {Measured[]} */
    const measured = []
    for (const one of wanted) {
      measured.push(await measure(targets, one, how))
      console.log(lineOf(measured.at(-1)))
    }
    return report(measured, wishes)
  } finally {
    client.stop()
    for (const { running } of targets) await running.stop()
    await postgres?.stop()
  }
}

/** The floor on SQLite has no tokens and no ETags. @type {import('./measuring.mjs').Measuring['takesPart']} */
const takesPart = ({ name }, { kind, slowDisk }) => {
  if (name === 'floor') return kind === 'read' || kind === 'write'
  return name !== onSlowDisk || slowDisk === true
}

/** @type {NonNullable<import('./measuring.mjs').Measuring['isAside']>} */
const isAside = ({ name }, { target, onPostgres }) =>
  name === 'postgres' || name === postgresFloor ? onPostgres === undefined : target === undefined

/** @param {Measured | undefined} measured */
const lineOf = (measured) =>
  measured === undefined
    ? ''
    : `${measured.case.name}: ${[...measured.figures].map(([name, rounds]) => `${name} ${rounded(typical(rounds).rate)}/s`).join(', ')}`

/** @type {Readonly<Record<string, 'sqlite' | 'slowDisk' | 'postgres'>>} */
const servers = { sqlite: 'sqlite', [onSlowDisk]: 'slowDisk', postgres: 'postgres' }

/**
 * The server or the case (`of`) that one is compared with. On PostgreSQL by processor time, with the floor there.
 * @param {import('./cases.mjs').Case} one
 * @param {string} name
 * @returns {{ against?: string, of?: string, target?: number | undefined, measure: 'rate' | 'cpu' }}
 */
function goalOf(one, name) {
  if (name === 'postgres') return { against: postgresFloor, target: one.onPostgres, measure: 'cpu' }
  const target = name === (one.slowDisk ? onSlowDisk : 'sqlite') ? one.target : undefined
  const against = name === postgresFloor ? name : 'floor'
  return one.of === undefined || name === postgresFloor
    ? { against, target, measure: 'rate' }
    : { of: one.of, target, measure: 'rate' }
}

/**
 * @param {Measured[]} measured
 * @param {Wishes} wishes
 */
function report(measured, wishes) {
  const headings = ['case', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'of the floor', 'by CPU', 'target']
  /** @type {string[][]} */
  const rows = [headings]
  /** @type {string[]} */
  const missed = []
  /** @type {string[]} */
  const notes = []
  /** @type {import('./sections.mjs').RequestRow[]} */
  const short = []
  for (const { case: one, figures, others: besides } of measured) {
    /** @type {import('./sections.mjs').RequestRow} */
    const row = { title: one.title }
    short.push(row)
    for (const [name, rounds] of figures) {
      const { rate, p50, p99, cpu, sentAway, requests } = typical(rounds)
      if (sentAway > 0)
        notes.push(`${one.title}, ${name}: ${sentAway} requests beside ${requests} were sent away (503).`)
      const { against, of, target, measure: by } = goalOf(one, name)
      const others = against === undefined ? besides.get(name) : figures.get(against)
      const compared = others === undefined || others === rounds ? undefined : ratios(rounds, others)
      const isMissed = target !== undefined && compared !== undefined && (compared[by] ?? target) < target
      if (isMissed) missed.push(`${one.title}, ${name}: ${ratio(compared[by])} instead of ${target}`)
      const verdict = target === undefined || compared === undefined ? '' : `${target} ${isMissed ? 'missed' : 'met'}`
      const server = servers[name]
      if (server !== undefined) row[server] = { rate, p50, p99, cpu, compared, of, verdict }
      rows.push([
        one.title,
        name,
        rounded(rate),
        rounded(p50),
        rounded(p99),
        microseconds(cpu),
        ratio(compared?.rate) + (of && compared ? ` × ${of}` : ''),
        ratio(compared?.cpu),
        verdict,
      ])
    }
  }
  const text = [table(rows, 2), ...notes].join('\n\n')
  console.log(`\n${text}\n`)
  if (wishes.isWhole) {
    const { connections } = wishes
    writeSection('Requests', requestsSection(short, { logs: logCount, connections, when: when(), notes }))
  }
  const figures = measured.map(({ case: { name }, figures: own }) => [name, Object.fromEntries(own)])
  return { missed, figures: { requests: Object.fromEntries(figures) } }
}
