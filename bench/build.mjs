import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { documentedPages } from '../build/documentation.mjs'
import { isRunning } from '../build/is-running.mjs'
import { makeProgram, root } from '../build/program.mjs'
import { makeApp } from '../build/web.mjs'

export { root }

/** Below node_modules, so that a build finds its dependencies. */
const builds = join(root, 'node_modules/.cache/furrow-build')

/**
 * Builds the current src, once per state, and returns the folder of `main.cjs`. The project's own `dist` may be older,
 * and may be running. Used by the bench, the campaigns and the tests.
 */
export async function build() {
  const place = join(builds, stateOfSource())
  await mkdir(builds, { recursive: true })
  while (!existsSync(place)) await inOurTurn(`${place}.turn`, () => buildAt(place))
  return join(place, 'dist')
}

/**
 * If several processes want the same build, such as the workers of a test run, one makes it and the others wait.
 * @param {string} turn
 * @param {() => Promise<void>} work
 */
async function inOurTurn(turn, work) {
  try {
    await writeFile(turn, String(process.pid), { flag: 'wx' })
  } catch {
    const pid = Number(await readFile(turn, 'utf8').catch(() => process.pid))
    await (isRunning(pid) ? pause(200) : rm(turn, { force: true }))
    return
  }
  await work().finally(() => rm(turn, { force: true }))
}

/** @param {string} place */
async function buildAt(place) {
  if (existsSync(place)) return
  await sweepBuildsOfOtherDays()
  const making = await mkdtemp(join(builds, 'making-'))
  await copyFile(join(root, 'package.json'), join(making, 'package.json'))
  await cp(join(root, 'examples/demo'), join(making, 'examples/demo'), { recursive: true })
  // Files with a hash in their names are not compressed again.
  const app = join(root, 'dist/app')
  if (existsSync(app)) await cp(app, join(making, 'dist/app'), { recursive: true })
  await makeProgram(join(making, 'dist'))
  await makeApp(join(making, 'dist'))
  await rename(making, place)
}

async function sweepBuildsOfOtherDays() {
  for (const name of await readdir(builds)) {
    const { mtimeMs } = await stat(join(builds, name))
    if (Date.now() - mtimeMs > 86_400_000) await rm(join(builds, name), { recursive: true, force: true })
  }
}

function stateOfSource() {
  // Node's code cache is part of the build.
  const hash = createHash('sha256').update(`${process.version} ${process.arch}\n`)
  const all = [
    ...filesIn('src', '.ts'),
    ...filesIn('programs', '.ts'),
    ...filesIn('web', ''),
    ...filesIn('build', '.mjs'),
    ...filesIn('examples/demo', '.json'),
    ...documentedPages(),
    'package.json',
    'tsconfig.build.json',
  ]
  for (const path of all) hash.update(`${path}\n`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 16)
}

/** @param {string} folder @param {string} ending */
const filesIn = (folder, ending) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => extname(name) !== '' && name.endsWith(ending))
    .sort()
    .map((name) => join(folder, name))

/**
 * A file of the built server.
 * @template T
 * @param {string} dist
 * @param {string} path
 * @returns {Promise<T>}
 */
export const builtFile = (dist, path) => import(pathToFileURL(join(dist, path)).href)
