import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { planFarm } from './farm.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { cpuOfEndedChildren } from './processes.mjs'
import { rounded, when, writeSection } from './report.mjs'
import { movingSection } from './sections.mjs'

const slowestImport = 5000
const logCount = 50_000

/**
 * Logs per second of `furrow export` and `furrow import`, from start to end of the command.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function measureMoving(dist, wishes, place) {
  const planted = join(place, 'planted')
  await plant(dist, planted, planFarm(logCount))
  const furrow = command(dist, wishes.profiling)
  const exported = join(place, 'exported')
  const exports = await furrow(['export', exported, '--data', planted])
  /** @type {Record<string, Moved>} */
  const imports = {}
  for (const engine of wishes.engines) {
    const data = join(place, `moved-to-${engine}`)
    await mkdir(data)
    imports[engine] = await (engine === 'postgres'
      ? onPostgres((url) => furrow(['import', exported, '--database', url]))
      : furrow(['import', exported, '--data', data]))
  }
  const missed = Object.entries(imports).flatMap(([engine, { rate }]) =>
    rate < slowestImport ? [`${rounded(rate)} logs a second into ${engine}, ${slowestImport} asked for`] : [],
  )
  const words = Object.entries(imports).map(([engine, moved]) => `${spelled(moved)} into ${engine}`)
  const text =
    `A farm of ${logCount} logs leaves by \`furrow export\` at ${spelled(exports)} logs a second and arrives by ` +
    `\`furrow import\` at ${words.join(' and ')} (${slowestImport} asked for), everything that belongs to a log ` +
    'included: its journal, its index and what it implies.'
  console.log(text)
  if (wishes.isWhole) {
    const imported = Object.entries(imports).map(([engine, { rate }]) => /** @type {const} */ ([engine, rate]))
    const moved = { logs: logCount, exported: exports.rate, imported, asked: slowestImport, when: when() }
    writeSection('Moving', movingSection(moved))
  }
  return { missed, figures: { moving: { exports, imports } } }
}

/** @typedef {{ rate: number, cpuSeconds: number | null }} Moved */

/**
 * @param {string} dist
 * @param {readonly string[]} nodeOptions
 * @returns {(words: readonly string[]) => Promise<Moved>}
 */
const command = (dist, nodeOptions) => async (words) => {
  const [began, before] = [performance.now(), cpuOfEndedChildren()]
  await promisify(execFile)(process.execPath, [...nodeOptions, join(dist, 'main.cjs'), ...words])
  const [seconds, after] = [(performance.now() - began) / 1000, cpuOfEndedChildren()]
  return { rate: logCount / seconds, cpuSeconds: before === null || after === null ? null : after - before }
}

const spelled = (/** @type {Moved} */ { rate, cpuSeconds }) =>
  cpuSeconds === null ? rounded(rate) : `${rounded(rate)} (${rounded(cpuSeconds)} s of CPU)`

/** @param {(url: string) => Promise<Moved>} work */
async function onPostgres(work) {
  const postgres = await startPostgres()
  try {
    return await work(await postgres.database('furrow_bench_moving'))
  } finally {
    await postgres.stop()
  }
}
