import { ownMebibytes } from '../ground/furrow.mjs'
import { recoveryOf, watchHealth } from './health.mjs'
import { answered, capacityOf } from './pressure.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('../ground/furrow.mjs').Server} Server
 */

const healthMilliseconds = 1_000
const recoveryMilliseconds = 5_000

/**
 * Ten times the usual connections, each sending its next request at once.
 * @param {Campaign} campaign
 * @param {{ server: Server, job: { port: number, token: string, seed: number, logs: number }, crowd: ReturnType<typeof import('./pressure.mjs').startCrowd>, milliseconds: number, connections: number, figures: Record<string, string | number> }} means
 */
export async function overload({ findings, tell, number }, { server, job, crowd, milliseconds, connections, figures }) {
  const capacity = await capacityOf(crowd, job, Math.min(5_000, milliseconds / 4))
  const tolerance = number('tolerance', 1)
  const watch = watchHealth(server.port, tolerance)
  const before = ownMebibytes(server.pid)
  const tally = await crowd.drive({ ...job, connections: connections * 10, milliseconds, perSecond: 0 })
  const after = ownMebibytes(server.pid)
  const health = await watch.stop()
  const offered = Object.values(tally.statuses).reduce((sum, count) => sum + count, 0)
  const bad = Object.keys(tally.statuses).filter((status) => !/^(2\d\d|429|503)$/.test(status))
  findings.check(bad.length === 0, `with too much load: ${JSON.stringify(tally.statuses)} ${tally.errors}`)
  findings.check(
    health.worst <= healthMilliseconds * tolerance,
    `with too much load /healthz took ${Math.round(health.worst)} ms`,
  )
  findings.check(health.failures === 0, `with too much load /healthz failed ${health.failures} times`)
  const recovery = await recoveryOf(job, tolerance)
  findings.check(
    recovery <= recoveryMilliseconds * tolerance,
    `after too much load it took ${Math.round(recovery)} ms to recover`,
  )
  tell(`overload: ${JSON.stringify(tally.statuses)}, memory ${before.toFixed(0)}→${after.toFixed(0)} MiB`)
  figures['overload requests/s'] =
    `${Math.round(offered / tally.seconds)} (answered ${Math.round(answered(tally) / tally.seconds)}, calm ${Math.round(capacity)})`
  figures['sent away'] = (tally.statuses[503] ?? 0) + (tally.statuses[429] ?? 0)
  figures['/healthz worst ms'] = Math.round(health.worst)
  figures['recovery ms'] = Math.round(recovery)
}
