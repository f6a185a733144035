import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { planFarm } from './farm.mjs'
import { plant } from './planting.mjs'
import { startPostgres } from './postgres.mjs'
import { rounded, takenOn, writeSection } from './report.mjs'

const slowestImport = 5000
const logCount = 50_000

/**
 * How many logs per second `furrow export` writes and `furrow import` takes in, from the start of the command to its end.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function measureMoving(dist, wishes, place) {
  const planted = join(place, 'planted')
  await plant(dist, planted, planFarm(logCount))
  const furrow = command(dist, wishes.nodeOptions)
  const exported = join(place, 'exported')
  const exports = await furrow(['export', exported, '--data', planted])
  /** @type {Record<string, number>} */
  const imports = {}
  for (const engine of wishes.engines) {
    const data = join(place, `moved-to-${engine}`)
    await mkdir(data)
    imports[engine] = await (engine === 'postgres'
      ? onPostgres((url) => furrow(['import', exported, '--database', url]))
      : furrow(['import', exported, '--data', data]))
  }
  const missed = Object.entries(imports).flatMap(([engine, rate]) =>
    rate < slowestImport ? [`${rounded(rate)} logs a second into ${engine}, ${slowestImport} asked for`] : [],
  )
  const words = Object.entries(imports).map(([engine, rate]) => `${rounded(rate)} into ${engine}`)
  const text =
    `A farm of ${logCount} logs leaves by \`furrow export\` at ${rounded(exports)} logs a second and arrives by ` +
    `\`furrow import\` at ${words.join(' and ')} (${slowestImport} asked for), everything that belongs to a log ` +
    'included: its journal, its index and what it implies.'
  console.log(text)
  if (wishes.isWhole) writeSection('Moving', `${takenOn()}\n\n${text}`)
  return { missed, figures: { moving: { exports, imports } } }
}

/** @param {string} dist @param {readonly string[]} nodeOptions */
const command = (dist, nodeOptions) => async (/** @type {readonly string[]} */ words) => {
  const began = performance.now()
  await promisify(execFile)(process.execPath, [...nodeOptions, join(dist, 'main.js'), ...words])
  return logCount / ((performance.now() - began) / 1000)
}

/** @param {(url: string) => Promise<number>} work */
async function onPostgres(work) {
  const postgres = await startPostgres()
  try {
    return await work(await postgres.database('furrow_bench_moving'))
  } finally {
    await postgres.stop()
  }
}
