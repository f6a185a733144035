import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Below node_modules, so that a build finds its dependencies. */
const builds = join(root, 'node_modules/.cache/furrow-bench-build')

/** Builds what is in src now, unless that was built before, and answers where it is. No other run is disturbed. */
export async function build() {
  const place = join(builds, sourceHash())
  if (existsSync(place)) return join(place, 'dist')
  await mkdir(builds, { recursive: true })
  const making = await mkdtemp(join(builds, 'making-'))
  await copyFile(join(root, 'package.json'), join(making, 'package.json'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', join(making, 'dist')]
  // What does not type-check may still run; `npm run check` is where it is refused.
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch((error) => {
    if (!existsSync(join(making, 'dist/main.js'))) throw error
    console.error(`The source does not type-check:\n${error.stdout}`)
  })
  // Another run may have finished the same build meanwhile; either is right.
  await rename(making, place).catch(() => rm(making, { recursive: true, force: true }))
  return join(place, 'dist')
}

function sourceHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package.json')))
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  for (const name of names.filter((one) => one.endsWith('.ts')).sort()) {
    hash.update(`${name}\n`).update(readFileSync(join(root, 'src', name)))
  }
  return hash.digest('hex').slice(0, 16)
}

/**
 * A file of the built server.
 * @template T
 * @param {string} dist
 * @param {string} path
 * @returns {Promise<T>}
 */
export const builtFile = (dist, path) => import(pathToFileURL(join(dist, path)).href)
