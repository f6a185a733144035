import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { untilItAnswers } from '../../bench/postgres.mjs'
import { freePort } from '../../build/free-port.mjs'
import { startServing } from '../ground/furrow.mjs'
import { Postgres } from '../ground/postgres.mjs'
import { Farm } from './farm.mjs'

/** @typedef {import('../ground/wishes.mjs').Campaign} Campaign */

/**
 * Serves a farm through PgBouncer: in session mode it works, in transaction mode the server refuses to start.
 * @param {Campaign} campaign
 */
export async function tryPoolers(campaign) {
  const { dist, place, findings, tell } = campaign
  const postgres = await Postgres.start()
  try {
    const url = await postgres.database('pooled')
    const where = (/** @type {string} */ database) => ['--data', join(place, 'pooled'), '--database', database]

    const session = await startPooler(url, 'session')
    const farm = await new Farm(campaign, 'pooled', where(session.url)).start()
    const busy = farm.writers(8, 'pooled')
    await farm.untilAcknowledged(100, 0)
    for (const { writer } of busy) writer.stop()
    await Promise.all(busy.map(({ ended }) => ended))
    await farm.examine('through a pooler in session mode')
    await farm.stop()
    await session.stop()
    tell('PgBouncer in session mode: works')

    const transaction = await startPooler(url, 'transaction')
    const server = startServing(dist, where(transaction.url))
    const code = await server.ended
    const isRefused = code !== 0 && server.complaints().includes('pool_mode = session')
    findings.check(
      isRefused,
      () => `a pooler in transaction mode ended the server with ${code}: ${server.complaints()}`,
    )
    await transaction.stop()
    tell('PgBouncer in transaction mode: refused in words')
    return farm.ledger.acknowledged
  } finally {
    await postgres.stop()
  }
}

/** @param {string} url @param {'session' | 'transaction'} mode */
async function startPooler(url, mode) {
  const { hostname, port, username, password, pathname } = new URL(url)
  const directory = await mkdtemp(join(tmpdir(), 'furrow-pooler-'))
  await chmod(directory, 0o755)
  const own = await freePort()
  const settings = join(directory, 'pgbouncer.ini')
  await writeFile(
    settings,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = 60
`,
  )
  const as = process.getuid?.() === 0 ? ['-u', 'postgres'] : []
  const pooler = spawn('pgbouncer', ['-q', ...as, settings], { stdio: 'ignore' })
  const ended = once(pooler, 'exit')
  const through = `postgres://${username}:${password}@127.0.0.1:${own}${pathname}`
  await untilItAnswers(through)
  return {
    url: through,
    async stop() {
      pooler.kill('SIGINT')
      pooler.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}
