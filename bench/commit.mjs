import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { optionsOfStart, root } from '../build/program.mjs'

const run = promisify(execFile)
const git = async (/** @type {string[]} */ ...words) => (await run('git', words, { cwd: root })).stdout.trim()

/**
 * Builds a commit in its own folder by its own scripts and dependencies; the current dependencies are reused if the
 * lock file is the same. The git worktree is left alone.
 * @param {string} commit
 * @param {string} place
 * @returns {Promise<{ name: string, main: string, nodeOptions: string[] }>}
 */
export async function buildOf(commit, place) {
  const hash = await git('rev-parse', '--verify', '--end-of-options', `${commit}^{commit}`).catch(() => {
    throw new Error(`There is no commit ${commit} here. \`git log --oneline\` lists them.`)
  })
  await mkdir(place)
  const packed = `${place}.tar`
  await git('archive', '--output', packed, hash)
  await run('tar', ['-xf', packed, '-C', place])
  const named = async (/** @type {string} */ folder, /** @type {string} */ name) => readFile(join(folder, name), 'utf8')
  if ((await named(place, 'package-lock.json')) === (await named(root, 'package-lock.json')))
    await symlink(join(root, 'node_modules'), join(place, 'node_modules'))
  else await run('npm', ['ci'], { cwd: place })
  await run('npm', ['run', 'build'], { cwd: place })
  const { bin } = JSON.parse(await named(place, 'package.json'))
  return { name: hash.slice(0, 7), main: join(place, bin.furrow), nodeOptions: optionsOfStart(place) }
}
