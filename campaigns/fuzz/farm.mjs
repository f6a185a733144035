import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { cpuOfFamily } from '../../bench/processes.mjs'
import { addAccount, Client, tokenOf } from '../ground/client.mjs'
import { furrow, serve } from '../ground/furrow.mjs'
import { besideFile, besideServer } from './beside.mjs'

/**
 * @typedef {import('../ground/wishes.mjs').Campaign} Campaign
 * @typedef {import('./generated-run.mjs').Principal} Principal
 *
 * @typedef {object} Farm a served farm on one engine
 * @property {string} engine
 * @property {(who: { name: string, role: string, scope?: string }) => Promise<{ client: Client, token: string }>} caller a new account of its own
 * @property {import('../ground/furrow.mjs').Server} server
 * @property {import('./beside.mjs').Beside} beside
 * @property {() => Promise<number | null>} cpuSeconds of the server and its database
 * @property {() => Promise<void>} close
 *
 * @typedef {Farm & { principals: readonly Principal[] }} PeopledFarm
 */

/** The callers; the scope narrows the role. */
const roles = /** @type {const} */ ([
  { name: 'manager', role: 'manager', scope: 'user_access', mayWrite: true },
  { name: 'worker', role: 'worker', scope: 'user_access', mayWrite: true },
  { name: 'viewer', role: 'viewer', scope: 'user_access', mayWrite: false },
  { name: 'nobody', role: 'none', scope: 'user_access', mayWrite: false },
  { name: 'manager-as-viewer', role: 'manager', scope: 'farm_viewer', mayWrite: false },
  { name: 'manager-for-info', role: 'manager', scope: 'farm_info', mayWrite: false },
])

/**
 * @param {Campaign} campaign
 * @param {{ name: string, engine: string, postgres: import('../ground/postgres.mjs').Postgres | null }} about
 * @returns {Promise<Farm>}
 */
export async function openFarm({ dist, place, findings }, { name, engine, postgres }) {
  const data = join(place, `${name}-${engine}`)
  await mkdir(data, { mode: 0o700 })
  const database = engine === 'postgres' ? await postgres?.database(name) : undefined
  const where = ['--data', data, ...(database === undefined ? [] : ['--database', database])]
  const heard = (/** @type {string} */ line) => {
    const { status, bug, path } = JSON.parse(line)
    if (status >= 500 && status !== 503) findings.add(`the log of ${path} on ${engine} says ${status}: ${bug}`)
  }
  // Every name sent by Basic must be looked up.
  const server = await serve(dist, [...where, '--basic-auth=.'], { heard })
  let isOver = false
  void server.ended.then((code) => {
    if (!isOver) findings.add(`the server on ${engine} ended with ${code}: ${server.complaints()}`)
  })
  const beside = database === undefined ? besideFile(join(data, 'farm.sqlite')) : await besideServer(database)
  return {
    engine,
    server,
    async caller({ name, role, scope }) {
      await addAccount(dist, where, { name, role })
      const token = await tokenOf(server.port, name, scope)
      return { token, client: new Client(server.port, token) }
    },
    beside,
    async cpuSeconds() {
      const [own, ofDatabase] = [cpuOfFamily(server.pid), database === undefined ? 0 : await postgres?.cpuSeconds()]
      return own === null || ofDatabase == null ? null : own + ofDatabase
    },
    async close() {
      isOver = true
      await beside.close()
      const code = await server.stopped()
      findings.check(code === 0, `in the end the server on ${engine} stopped with ${code}: ${server.complaints()}`)
      const doctor = await furrow(dist, ['doctor', ...where])
      findings.check(doctor.code === 0, `in the end the doctor says of ${engine} ${doctor.stdout}${doctor.stderr}`)
    },
  }
}

/** Every caller, the manager first. @param {Farm} farm @returns {Promise<Principal[]>} */
export async function principalsOf({ caller, server }) {
  /** @type {Principal[]} */
  const principals = []
  for (const { mayWrite, ...who } of roles) principals.push({ name: who.name, mayWrite, ...(await caller(who)) })
  principals.push({ name: 'anonymous', mayWrite: false, token: 'x', client: new Client(server.port, null) })
  principals.push({ name: 'forger', mayWrite: false, token: 'forged', client: new Client(server.port, 'forged') })
  return principals
}
