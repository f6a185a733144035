/** Sends everything that might break the server, and compares it with a model of a farm: npm run fuzz -- --seconds 600 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { builtFile } from '../bench/build.mjs'
import { layGround } from './faults/writing.mjs'
import { GeneratedRun } from './fuzz/generated-run.mjs'
import { Generation } from './fuzz/generation.mjs'
import { ModelRun } from './fuzz/model-run.mjs'
import { sendNamedInputs } from './fuzz/named-run.mjs'
import { Onlooker } from './fuzz/untouched.mjs'
import { addAccount, Client, tokenOf } from './ground/client.mjs'
import { furrow, serve } from './ground/furrow.mjs'
import { campaign } from './ground/wishes.mjs'

/** @typedef {import('./ground/wishes.mjs').Campaign} Campaign */

/** Whose requests are sent; the scope narrows what the role may. */
const roles = /** @type {const} */ ([
  { name: 'manager', role: 'manager', scope: 'user_access', mayWrite: true },
  { name: 'worker', role: 'worker', scope: 'user_access', mayWrite: true },
  { name: 'viewer', role: 'viewer', scope: 'user_access', mayWrite: false },
  { name: 'nobody', role: 'none', scope: 'user_access', mayWrite: false },
  { name: 'manager-as-viewer', role: 'manager', scope: 'farm_viewer', mayWrite: false },
  { name: 'manager-for-info', role: 'manager', scope: 'farm_info', mayWrite: false },
])

/** @param {Campaign} campaign @param {string} name */
async function openFarm(campaign, name) {
  const { dist, place, findings } = campaign
  const data = join(place, name)
  await mkdir(data, { mode: 0o700 })
  const where = ['--data', data]
  const heard = (/** @type {string} */ line) => {
    const { status, bug, path } = JSON.parse(line)
    if (status >= 500 && status !== 503) findings.add(`the log of ${path} says ${status}: ${bug}`)
  }
  const server = await serve(dist, where, { heard })
  let isOver = false
  void server.ended.then((code) => {
    if (!isOver) findings.add(`the server ended with ${code}: ${server.complaints()}`)
  })
  const close = async () => {
    isOver = true
    const code = await server.stopped()
    findings.check(code === 0, `in the end the server stopped with ${code}: ${server.complaints()}`)
    const doctor = await furrow(dist, ['doctor', ...where])
    findings.check(doctor.code === 0, `in the end the doctor says ${doctor.stdout}${doctor.stderr}`)
  }
  return { data, where, server, close }
}

const parts = ['named', 'generated', 'model']

await campaign({ name: 'fuzz', seconds: 600, numbers: ['requests'], parts }, async (about) => {
  const { dist, secondsLeft, wants, tell, findings } = about
  const inAll = secondsLeft()
  /** @type {Record<string, string | number>} */
  const figures = {}
  if (wants('model')) {
    const { server, where, close } = await openFarm(about, 'model')
    await addAccount(dist, where, { name: 'manager', role: 'manager' })
    const run = new ModelRun(about, new Client(server.port, await tokenOf(server.port, 'manager')))
    await run.begin()
    const rest = wants('generated') ? inAll * 0.75 : 0
    while (secondsLeft() > rest && findings.count === 0) await run.step()
    await run.compareAll()
    await close()
    tell(`${run.operations} operations on a farm and on its model, ${run.comparisons} comparisons`)
    Object.assign(figures, { 'model operations': run.operations, comparisons: run.comparisons })
  }
  if (!wants('named') && !wants('generated')) return figures

  const { data, server, where, close } = await openFarm(about, 'fuzzed')
  const principals = []
  for (const { name, role, scope, mayWrite } of roles) {
    await addAccount(dist, where, { name, role })
    const token = await tokenOf(server.port, name, scope)
    principals.push({ name, mayWrite, token, client: new Client(server.port, token) })
  }
  principals.push({ name: 'anonymous', mayWrite: false, token: 'x', client: new Client(server.port, null) })
  principals.push({ name: 'forger', mayWrite: false, token: 'forged', client: new Client(server.port, 'forged') })
  const [{ client: manager } = { client: new Client(0, null) }] = principals
  await layGround(manager)
  const began = performance.now()
  if (wants('named')) {
    figures.named = await sendNamedInputs(about, manager)
    tell(`${figures.named} named inputs`)
  }
  if (wants('generated')) {
    /** @type {typeof import('../src/farm/stock-farm.ts')} */
    const { stockFarm } = await builtFile(dist, 'farm/stock-farm.js')
    const { body: description } = await manager.get('/openapi.json')
    const onlooker = new Onlooker(data)
    const run = new GeneratedRun(about, {
      generation: new Generation(stockFarm, description.paths),
      principals,
      onlooker,
    })
    await run.run(() => secondsLeft() > 0, about.number('requests', 1_000_000))
    onlooker.close()
    const statuses = [...run.statuses]
      .sort(([one], [other]) => one - other)
      .map(([status, count]) => `${status}×${count}`)
    tell(`statuses ${statuses.join(' ')}`)
    const perSecond = Math.round((run.requests + run.raw) / ((performance.now() - began) / 1000))
    Object.assign(figures, {
      generated: run.requests,
      raw: run.raw,
      'per second': perSecond,
      'slow at first': run.slow,
    })
  }
  const { status } = await manager.get('/farm.json')
  findings.check(status === 200, `in the end the manager is answered ${status}`)
  await close()
  return figures
})
