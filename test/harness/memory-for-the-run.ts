import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from '../../build/is-running.mjs'

const memory = '/dev/shm'
const prefix = 'furrow-run-'
const ofThisRun = join(memory, `${prefix}${process.pid}`)
const leastFreeBytes = 4 * 1024 ** 3

/** Where the farms of the tests lie: in memory if there is room, because thousands of writes are synced, and no disk is tested here. */
export const placeOfFarms = (): string => (existsSync(ofThisRun) ? ofThisRun : tmpdir())

/** What a run that was killed has left in memory is removed by the next one. */
export default async function setUp(): Promise<() => Promise<void>> {
  await sweepRunsThatEnded()
  if ((await freeBytes()) >= leastFreeBytes) await mkdir(ofThisRun, { mode: 0o755, recursive: true })
  return () => rm(ofThisRun, { recursive: true, force: true })
}

async function freeBytes(): Promise<number> {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize
}

async function sweepRunsThatEnded(): Promise<void> {
  const runs = (await readdir(memory).catch(() => [])).filter((name) => name.startsWith(prefix))
  for (const name of runs.filter((one) => !isRunning(Number(one.slice(prefix.length)))))
    await rm(join(memory, name), { recursive: true, force: true })
}
