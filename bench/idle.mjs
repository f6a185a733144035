import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { answerOf } from './driving.mjs'
import { startFurrow } from './farms.mjs'
import { median } from './measuring.mjs'
import { emptyFarm } from './planting.mjs'
import { rounded, when, writeSection } from './report.mjs'
import { idleSection } from './sections.mjs'

const longestStart = 500
const mostMemory = 120
const starts = 5

/**
 * Measures the start of an empty farm, and the memory after reading the whole demo farm.
 * @param {string} dist
 * @param {import('./arguments.mjs').Wishes} wishes
 * @param {string} place
 */
export async function measureIdle(dist, wishes, place) {
  const data = join(place, 'empty')
  await (await emptyFarm(dist, data)).database.close()
  /** @type {number[]} */
  const times = []
  /** @type {number[]} */
  const cpuTimes = []
  for (let n = 0; n < starts; n++) {
    const { running } = await startFurrow(dist, { name: 'empty', data })
    times.push(running.startMilliseconds)
    cpuTimes.push(running.startCpuMilliseconds ?? 0)
    await running.stop()
  }
  const [startMilliseconds, startCpuMilliseconds] = [median(times), median(cpuTimes)]
  const bareMilliseconds = median(bareStarts())
  const residentMegabytes = await memoryAfterReading(dist, join(place, 'demo'))
  const missed = [
    ...(startMilliseconds > longestStart ? [`${rounded(startMilliseconds)} ms to start, ${longestStart} allowed`] : []),
    ...(residentMegabytes > mostMemory ? [`${rounded(residentMegabytes)} MB of memory, ${mostMemory} allowed`] : []),
  ]
  const text =
    `An empty farm gives its first answer ${rounded(startMilliseconds)} ms after the start of the process ` +
    `(${longestStart} allowed; the middle of ${starts} starts; ${rounded(startCpuMilliseconds)} ms of CPU; ` +
    `Node itself takes ${rounded(bareMilliseconds)} ms to start and end). After the demo farm was loaded and ` +
    `read from end to end, as JSON and as XML, ${rounded(residentMegabytes)} MB are resident (${mostMemory} allowed).`
  console.log(text)
  if (wishes.isWhole) {
    const [start, bare, memory] = [startMilliseconds, bareMilliseconds, residentMegabytes]
    writeSection('Idle', idleSection({ start, longestStart, bare, memory, mostMemory, when: when() }))
  }
  return { missed, figures: { idle: { startMilliseconds, startCpuMilliseconds, bareMilliseconds, residentMegabytes } } }
}

/** The start time of the shortest program, as a baseline. */
function bareStarts() {
  return Array.from({ length: starts }, () => {
    const began = performance.now()
    execFileSync(process.execPath, ['-e', '0'])
    return performance.now() - began
  })
}

/** @param {string} dist @param {string} data */
async function memoryAfterReading(dist, data) {
  await (await emptyFarm(dist, data)).database.close()
  await promisify(execFile)(process.execPath, [join(dist, 'main.cjs'), 'demo', '--data', data])
  const target = await startFurrow(dist, { name: 'demo', data })
  for (const type of ['log', 'farm_asset', 'taxonomy_term']) {
    for (const form of ['json', 'xml']) {
      for (let page = 0, last = 0; page <= last; page++)
        last = await lastPageRead(target, `/${type}.${form}?page=${page}`)
    }
  }
  const megabytes = target.running.residentMegabytes() ?? 0
  await target.running.stop()
  return megabytes
}

/** @param {import('./driving.mjs').Target} target @param {string} path */
async function lastPageRead(target, path) {
  const { status, body } = await answerOf(target, { method: 'GET', path, status: 200 })
  const [, last] = /"last"(?:: ?| href=)"[^"]*\bpage=(\d+)"/.exec(body) ?? []
  if (status !== 200 || last === undefined) throw new Error(`${path} gave ${status}`)
  return Number(last)
}
