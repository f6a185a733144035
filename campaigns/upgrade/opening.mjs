import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServing } from '../ground/furrow.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

/** Progress is shown on terminals only. No argument here contains a space. */
const onTerminal = ['sh', '-c', 'exec script -qefc "exec $*" /dev/null', 'terminal']

/**
 * Starts a server and kills it at random moments, up to a number of times, and then lets it open the farm.
 * @param {Campaign} campaign
 * @param {string} data
 * @param {number} most
 */
export async function openAfterKills(campaign, data, most) {
  const { dist, dice, tell } = campaign
  const before = spawnSync('script', ['--version']).status === 0 ? onTerminal : []
  const start = () => startServing(dist, ['--data', data, '--base-url', 'https://farm.example'], { before })
  let kills = 0
  // Increasing limits, so that it gets as far as it can.
  for (let limit = 1000; kills < most; limit *= 1.5) {
    const { child, ended, listens } = start()
    const moment = Math.round(dice.roll() * limit)
    const opened = await Promise.race([listens.then(() => true).catch(() => false), sleep(moment, false)])
    process.kill(serverUnder(child.pid ?? 0), 'SIGKILL')
    await ended
    kills += 1
    tell(`killed after ${opened ? 'it was open' : `${moment} ms`}`)
    await keepLastCopy(data)
    if (opened) break
  }
  return { kills, ...(await openAtLast(start, before.length > 0)) }
}

/** @param {() => ReturnType<typeof startServing>} start @param {boolean} isWatched */
async function openAtLast(start, isWatched) {
  const began = performance.now()
  const { child, ended, listens, complaints } = start()
  let said = ''
  child.stdout?.on('data', (text) => {
    said = (said + text).slice(-100_000)
  })
  const address = await listens.catch((error) => {
    throw new Error(`after the kills it does not start: ${error.message} ${said}${complaints()}`)
  })
  const stopped = () => {
    process.kill(serverUnder(child.pid ?? 0), 'SIGTERM')
    return ended
  }
  const server = { port: Number(new URL(address).port), stopped }
  return { server, said: isWatched ? said : null, seconds: (performance.now() - began) / 1000 }
}

/**
 * The server's pid below the wrapper that gives it a terminal; the server has no children.
 * @param {number} pid
 * @returns {number}
 */
function serverUnder(pid) {
  try {
    const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return child === '' ? pid : serverUnder(Number(child))
  } catch {
    return pid
  }
}

/** Every start makes a copy first: all of them would fill the disk. @param {string} data */
async function keepLastCopy(data) {
  const names = (await readdir(data)).filter((name) => name.startsWith('farm-version-')).sort()
  const whole = copiesIn(names)
  for (const name of names) if (name !== whole.at(-1)) await rm(join(data, name))
}

/** Complete copies. @param {readonly string[]} names */
export const copiesIn = (names) => names.filter((name) => /^farm-version-.*\.sqlite$/.test(name))
