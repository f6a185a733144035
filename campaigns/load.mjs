/**
 * Loads a farm of 100,000 logs with 200 connections, with a slow disk, and with an overload; 400 writers at once on both
 * engines: npm run load -- --seconds 120
 */
import { join } from 'node:path'
import { planFarm } from '../bench/farm.mjs'
import { accountName, accountPassword, plant } from '../bench/planting.mjs'
import { optionOfSlowDisk } from '../bench/slow-disk.mjs'
import { tokenOf } from './ground/client.mjs'
import { furrow, ownMebibytes, serve } from './ground/furrow.mjs'
import { campaign } from './ground/wishes.mjs'
import { overload } from './load/overload.mjs'
import { answered, capacityOf, isClean, startCrowd } from './load/pressure.mjs'
import { manyWriters } from './load/writers.mjs'

/**
 * @typedef {import('./ground/furrow.mjs').Server} Server
 */

const addedMilliseconds = 10
/** Milliseconds for reads and writes within the server's capacity. */
const longest = { reads: 150, writes: 250 }

const numbers = ['connections', 'logs', 'rate', 'tolerance']
const parts = ['usual', 'slow-disk', 'overload', 'writers']

await campaign({ name: 'load', seconds: 180, numbers, parts }, async (about) => {
  const { dist, place, seed, findings, tell, wants, number, secondsLeft } = about
  const logs = number('logs', 100_000)
  const connections = number('connections', 200)
  const tolerance = number('tolerance', 1)
  const plan = planFarm(logs)
  const data = join(place, 'farm')
  await plant(dist, data, plan)
  tell(`planted ${logs} logs`)
  const asked = parts.filter(wants)
  const milliseconds = (Math.max(secondsLeft(), 6) * 1000) / (asked.length + 1)
  const crowd = startCrowd()
  /** @type {Record<string, string | number>} */
  const figures = {}

  /** @param {readonly string[]} node options of node @param {(server: Server, job: { port: number, token: string, seed: number, logs: number }) => Promise<void>} work */
  const withServer = async (node, work) => {
    const server = await serve(dist, ['--data', data], { node })
    let isOver = false
    void server.ended.then((code) => {
      if (!isOver) findings.add(`the server ended with ${code}: ${server.complaints()}`)
    })
    await work(server, {
      port: server.port,
      token: await tokenOf(server.port, accountName, 'user_access', accountPassword),
      seed,
      logs,
    })
    isOver = true
    findings.check((await server.stopped()) === 0, `the server did not stop well: ${server.complaints()}`)
  }

  for (const [name, node] of /** @type {const} */ ([
    ['usual', []],
    ['slow-disk', [optionOfSlowDisk(addedMilliseconds)]],
  ])) {
    if (!wants(name)) continue
    await withServer(node, async (server, job) => {
      const capacity = await capacityOf(crowd, job, Math.min(5_000, milliseconds / 4))
      // Half of its capacity: farms are seldom busier, and the overload part covers the rest.
      const perSecond = number('rate', Math.round(capacity / 2))
      const before = ownMebibytes(server.pid)
      const half = await crowd.drive({ ...job, connections, perSecond, milliseconds: milliseconds / 2 })
      const middle = ownMebibytes(server.pid)
      const rest = await crowd.drive({ ...job, seed: seed + 1, connections, perSecond, milliseconds: milliseconds / 2 })
      const after = ownMebibytes(server.pid)
      for (const tally of [half, rest])
        findings.check(isClean(tally), `${name}: ${JSON.stringify(tally.statuses)} ${tally.errors}`)
      for (const kind of /** @type {const} */ (['reads', 'writes'])) {
        const { p99 } = rest[kind]
        findings.check(
          p99 <= longest[kind] * tolerance,
          `${name}: 99 % of ${kind} were answered within ${p99.toFixed(0)} ms only`,
        )
        figures[`${name} ${kind} p50/p99 ms`] = `${rest[kind].p50.toFixed(0)}/${p99.toFixed(0)}`
      }
      // The first half fills caches; growth after that would continue.
      findings.check(
        !(after > middle * 1.2 + 32),
        `${name}: memory grew from ${middle.toFixed(0)} to ${after.toFixed(0)} MiB`,
      )
      if (name === 'slow-disk') {
        findings.check(
          rest.writes.least >= addedMilliseconds,
          `the disk was not slow: a write took ${rest.writes.least.toFixed(1)} ms`,
        )
      }
      figures[`${name} requests/s of`] = `${Math.round(answered(rest) / rest.seconds)} of ${Math.round(capacity)}`
      figures[`${name} MiB`] = `${before.toFixed(0)}→${middle.toFixed(0)}→${after.toFixed(0)}`
      tell(
        `${name}: ${perSecond}/s on ${connections} connections, reads ${JSON.stringify(rest.reads)}, writes ${JSON.stringify(rest.writes)}`,
      )
    })
  }
  if (wants('overload'))
    await withServer([], (server, job) => overload(about, { server, job, crowd, milliseconds, connections, figures }))
  // Three kinds of writers on two engines.
  if (wants('writers')) await manyWriters(about, { milliseconds: milliseconds / 6, figures })
  crowd.stop()
  const doctor = await furrow(dist, ['doctor', '--data', data])
  findings.check(doctor.code === 0, `in the end the doctor says ${doctor.stdout}${doctor.stderr}`)
  return figures
})
