import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtFile } from '../../bench/build.mjs'
import { newFarm } from './farm.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

const canTrace = () => spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

/**
 * Checks on the third start of the same folder that each write is synced before it is acknowledged: the kernel saw a
 * sync of the write-ahead log between each request and its answer.
 * @param {Campaign} campaign
 * @param {number} writes
 */
export async function countSyncs(campaign, writes) {
  const { place, findings, tell, dist } = campaign
  const farm = await (await newFarm(campaign, 'syncs')).start()
  await farm.stop()
  await farm.start()
  await farm.stop()
  const data = farm.where[1] ?? ''
  if (!canTrace()) {
    // Without strace, the settings of every connection are checked instead.
    /** @type {typeof import('../../src/storage/sqlite/open-file.ts')} */
    const { openFile } = await builtFile(dist, 'storage/sqlite/open-file.js')
    const file = openFile(join(data, 'farm.sqlite'))
    const { synchronous } = file.prepare('pragma synchronous').get()
    file.close()
    findings.check(synchronous === 2, `on the third start synchronous is ${synchronous}`)
    tell('strace is not here: asked the connection instead of counting syncs')
    return 'not counted'
  }
  const trace = join(place, 'syncs.txt')
  const before = ['strace', '-f', '-ttt', '-y', '--seccomp-bpf', '-e', 'trace=fsync,fdatasync', '-o', trace]
  await farm.start({ before })
  const times = []
  for (let n = 0; n < writes; n++) {
    const sent = performance.timeOrigin + performance.now()
    const body = { type: 'farm_activity', name: `Synced ${n}`, timestamp: 1_600_000_000 + n }
    const { status } = await farm.client.write('POST', '/log', body)
    times.push({ sent, answered: performance.timeOrigin + performance.now() })
    findings.check(status === 201, `a traced write was answered ${status}`)
  }
  process.kill(farm.server.pid, 'SIGTERM')
  await farm.server.ended
  const syncs = existsSync(trace) ? syncsIn(readFileSync(trace, 'utf8')) : []
  const unsynced = times.filter(({ sent, answered }) => !syncs.some((at) => at >= sent && at <= answered)).length
  findings.check(
    unsynced === 0,
    `${unsynced} of ${writes} acknowledged writes were not synced first (${syncs.length} syncs in all)`,
  )
  tell(`${writes} writes, ${syncs.length} syncs of the write-ahead log`)
  return `${syncs.length}/${writes}`
}

/** Times of syncs of the write-ahead log, in milliseconds. @param {string} trace */
const syncsIn = (trace) =>
  trace
    .split('\n')
    .filter((line) => /f(data)?sync\(\d+<[^>]*farm\.sqlite-wal>/.test(line) && !line.includes('= -1'))
    .map((line) => Number(/^\d+\s+([\d.]+)/.exec(line)?.[1]) * 1000)
