import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Builds what is in src now, once for each state of it, and answers the folder of `main.js`. */
export async function build() {
  const builds = join(root, 'node_modules/.cache/furrow-campaign-build')
  const sum = createHash('sha256')
  for (const path of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (path.endsWith('.ts')) sum.update(path).update(readFileSync(join(root, 'src', path)))
  }
  const place = join(builds, sum.digest('hex').slice(0, 16))
  if (existsSync(place)) return join(place, 'dist')
  await mkdir(builds, { recursive: true })
  const making = await mkdtemp(join(builds, 'making-'))
  await copyFile(join(root, 'package.json'), join(making, 'package.json'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = ['-p', 'tsconfig.build.json', '--outDir', join(making, 'dist')]
  await promisify(execFile)(process.execPath, [compiler, ...options], { cwd: root }).catch(({ stdout }) => {
    throw new Error(`What is in src does not compile:\n${stdout}`)
  })
  // Another campaign may have finished the same build meanwhile; either is right.
  await rename(making, place).catch(() => rm(making, { recursive: true, force: true }))
  return join(place, 'dist')
}

/**
 * A file of the built server.
 * @template T
 * @param {string} dist
 * @param {string} path
 * @returns {Promise<T>}
 */
export const builtFile = (dist, path) => import(pathToFileURL(join(dist, path)).href)
