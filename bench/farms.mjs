import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { optionsOfStart } from '../build/program.mjs'
import { copyToPostgres } from './copying.mjs'
import { tokensOf } from './driving.mjs'
import { answersTo, fillFloor, fillPostgresFloor, writeRecipes } from './floor-store.mjs'
import { startServer } from './processes.mjs'

/**
 * @typedef {import('./driving.mjs').Target} Target
 * @typedef {import('./cases.mjs').Case} Case
 *
 * @typedef {{ main: string, nodeOptions: string[] }} Program
 * @typedef {{ name: string, data: string, postgres?: { url: string, cpuSeconds: () => number | null } }} Farm
 */

export const baseUrl = 'http://farm.example'

const usualOptions = optionsOfStart()

/**
 * Starts the built program on a data directory, or on a PostgreSQL database.
 * @param {string} dist
 * @param {Farm & { nodeOptions?: string[] }} farm
 */
export const startFurrow = (dist, { nodeOptions = usualOptions, ...farm }) =>
  startProgram({ main: join(dist, 'main.cjs'), nodeOptions }, farm)

/**
 * @param {Program} program
 * @param {Farm} farm
 * @returns {Promise<Target>}
 */
export async function startProgram({ main, nodeOptions }, { name, data, postgres }) {
  const options = ['--data', data, '--port', 'PORT', '--base-url', baseUrl]
  const database = postgres ? ['--database', postgres.url] : []
  const running = await startServer([...nodeOptions, main, 'serve', ...options, ...database], {
    probe: '/session/token',
    ...(postgres && { databaseCpu: postgres.cpuSeconds }),
  })
  return { name, running, token: (await tokensOf(running.port)).access_token }
}

/** Skips the write-ahead log, which is empty and disappears at any time. @param {string} from @param {string} to */
const copyFarm = (from, to) => cp(from, to, { recursive: true, filter: (path) => !/\.sqlite-(?:wal|shm)$/.test(path) })

/**
 * Lets Furrow answer everything once on a copy of the farm: every server of the run must give these answers.
 * @param {string} dist
 * @param {{ planted: string, place: string, cases: readonly Case[] }} farm
 */
export async function answersOnce(dist, { planted, place, cases }) {
  const data = join(place, 'asked')
  await copyFarm(planted, data)
  const target = await startFurrow(dist, { name: 'furrow', data })
  try {
    const answers = await answersTo(target, cases)
    return { answers, recipes: await writeRecipes(target, { data, cases }) }
  } finally {
    await target.running.stop()
  }
}

/**
 * @param {{ planted: string, place: string }} farm
 * @param {Awaited<ReturnType<typeof answersOnce>>} known
 * @returns {Promise<Target>}
 */
export async function startFloor({ planted, place }, known) {
  const data = join(place, 'floor')
  await copyFarm(planted, data)
  fillFloor(data, known)
  const floor = fileURLToPath(new URL('floor.mjs', import.meta.url))
  const running = await startServer([floor, join(data, 'farm.sqlite'), 'PORT'], { probe: '/farm.json' })
  return { name: 'floor', running, token: 'none', warmth: 0.3 }
}

export const postgresFloor = 'floor, postgres'

/**
 * @param {string} dist
 * @param {{ planted: string, place: string, postgres: import('./postgres.mjs').Postgres }} farm the floor on SQLite is filled
 * @returns {Promise<Target>}
 */
export async function startPostgresFloor(dist, { planted, place, postgres }) {
  const url = await postgres.database('furrow_bench_floor')
  await copyToPostgres(dist, planted, url)
  await fillPostgresFloor(join(place, 'floor'), url)
  const floor = fileURLToPath(new URL('floor-postgres.mjs', import.meta.url))
  const running = await startServer([floor, url, 'PORT'], { probe: '/farm.json', databaseCpu: postgres.cpuSeconds })
  return { name: postgresFloor, running, token: 'none', warmth: 0.3 }
}

/**
 * @param {string} dist
 * @param {{ name: string, planted: string, place: string, nodeOptions?: string[] }} farm
 */
export async function startOnSqlite(dist, { name, planted, place, nodeOptions = [] }) {
  const data = join(place, name)
  await copyFarm(planted, data)
  return startFurrow(dist, { name, data, nodeOptions: [...usualOptions, ...nodeOptions] })
}

/**
 * @param {string} dist
 * @param {{ name: string, planted: string, postgres: import('./postgres.mjs').Postgres }} farm
 */
export async function startOnPostgres(dist, { name, planted, postgres }) {
  const url = await postgres.database(`furrow_bench_${name.replaceAll(/\W/g, '_')}`)
  await copyToPostgres(dist, planted, url)
  const target = await startFurrow(dist, { name, data: planted, postgres: { url, cpuSeconds: postgres.cpuSeconds } })
  // Most of its cost is the database's, which has nothing to compile.
  return { ...target, warmth: 0.3 }
}
