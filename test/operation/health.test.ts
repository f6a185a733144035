import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { freePort } from '../../build/free-port.mjs'
import type { Database } from '../../src/storage/database.ts'
import { noteBackup } from '../../src/storage/settings.ts'
import { furrow, serve } from '../cli/built-furrow.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { inTurnsOn } from '../harness/share-of-engine.ts'

/** Plainly, as those who watch over a server ask. */
async function asked(address: string): Promise<{ status: number; text: string; type: string }> {
  const answer = await fetch(address)
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') ?? '' }
}

const ready = { status: 200, text: 'ready\n' }

const notReady = (...problems: readonly string[]) => ({ status: 503, text: `${problems.join('\n')}\n` })

describe.each(engines)('health on %s', (engine) => {
  const testInTurn = inTurnsOn(engine)
  testInTurn('a server that works is alive and ready, and says so to anybody', async () => {
    const farm = await openFarm({ engine })
    expect(await asked(`${farm.base}/healthz`)).toMatchObject({ status: 200, text: 'alive\n' })
    expect(await asked(`${farm.base}/readyz`)).toMatchObject(ready)
  })

  testInTurn('a server whose database fails is alive and not ready, and says which part failed', async () => {
    const farm = await openFarm({ engine })
    await farm.installation.database.close()
    expect(await asked(`${farm.base}/healthz`)).toMatchObject({ status: 200 })
    expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('database: it cannot be read'))
    await expect.poll(() => farm.lines.find((line) => line.includes('"/readyz"'))).toMatch(/"bug":"\w+/)
  })

  testInTurn('a no of /readyz is no request that was sent away', async () => {
    const metricsPort = await freePort()
    const farm = await openFarm({ engine, settings: { metricsPort } })
    await farm.installation.database.close()
    for (let n = 0; n < 3; n++) expect(await asked(`${farm.base}/readyz`)).toMatchObject({ status: 503 })
    const { text } = await asked(`http://127.0.0.1:${metricsPort}/metrics`)
    expect(text).toMatch(/^furrow_sent_away_total 0$/m)
    expect(text).toMatch(/^furrow_requests_total\{class="5xx"\} 0$/m)
  })

  testInTurn('metrics are on their own port and nowhere else', async () => {
    const metricsPort = await freePort()
    const farm = await openFarm({ engine, settings: { metricsPort } })
    for (const path of ['/farm.json', '/nothing', '/healthz']) await asked(farm.base + path)
    expect((await asked(`${farm.base}/metrics`)).status).toBe(404)
    const port = `http://127.0.0.1:${metricsPort}`
    const { status, text, type } = await asked(`${port}/metrics`)
    expect(status).toBe(200)
    expect(type).toContain('text/plain; version=0.0.4')
    expect(text).toMatch(/^furrow_requests_total\{class="4xx"\} 3$/m)
    expect(text).toMatch(/^furrow_requests_total\{class="2xx"\} 1$/m)
    expect(text).toMatch(/^furrow_request_duration_seconds_bucket\{le="\+Inf"\} 4$/m)
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
    expect(text).toMatch(/^furrow_ready 1$/m)
    expect(text).toMatch(/^furrow_trash_records 0$/m)
    expect(text).toMatch(/^furrow_trash_bytes 0$/m)
    const client = await farm.login()
    const body = { name: 'Gone', type: 'farm_activity', timestamp: '1', files: ['data:text/plain;base64,Z29uZQ=='] }
    await client.delete(`/log/${await client.create('log', body)}`)
    const { text: later } = await asked(`${port}/metrics`)
    expect(later).toMatch(/^furrow_trash_records 1$/m)
    expect(later).toMatch(/^furrow_trash_bytes 4$/m)
    expect(later).toMatch(/^furrow_database_bytes [1-9]\d{4,}$/m)
    expect(later).toMatch(/^furrow_records\{type="term"\} [1-9]\d*$/m)
    expect(later).toMatch(/^furrow_failed_logins_total\{how="failed"\} 0$/m)
    expect(later).toMatch(/^furrow_build_info\{version="[\d.]+",commit="\w+",tables="\d+"\} 1$/m)
    expect(later).not.toContain('furrow_last_backup')
    await farm.installation.database.write((tx) => noteBackup(tx, 1_700_000_000))
    await farm.anonymous.send('POST', '/user/login', { body: new URLSearchParams({ name: 'nobody', pass: 'wrong' }) })
    const { text: last } = await asked(`${port}/metrics`)
    expect(last).toMatch(/^furrow_last_backup_timestamp_seconds 1700000000$/m)
    expect(last).toMatch(/^furrow_failed_logins_total\{how="failed"\} 1$/m)
    expect(await asked(`${port}/readyz`)).toMatchObject(ready)
    expect(await asked(`${port}/farm.json`)).toMatchObject({ status: 404 })
    await farm.close()
    await expect(asked(`${port}/metrics`)).rejects.toThrow()
  })

  testInTurn('what is under way is counted until it ends, refused or broken off as well', async () => {
    const metricsPort = await freePort()
    const farm = await openFarm({ engine, settings: { metricsPort } })
    const underWay = async () => {
      const { text } = await asked(`http://127.0.0.1:${metricsPort}/metrics`)
      return Number(/^furrow_requests_in_flight (.*)$/m.exec(text)?.[1])
    }
    for (const path of ['/nothing', `/log.json?${'x'.repeat(9000)}`, '/farm.json']) await asked(farm.base + path)
    expect(await underWay()).toBe(0)
    const broken = connect(Number(new URL(farm.base).port), '127.0.0.1')
    broken.write('POST /log HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{')
    await expect.poll(underWay).toBe(1)
    broken.destroy()
    await expect.poll(underWay).toBe(0)
  })
})

test('a database that takes too long makes a server not ready, and no bug', async () => {
  const never = new Promise<never>(() => {})
  let isSlow = false
  const around = (database: Database): Database => ({
    ...database,
    read: (work) => (isSlow ? never : database.read(work)),
  })
  const farm = await openFarm({ engine: 'postgres', around })
  isSlow = true
  expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('database: it cannot be read'))
  await expect.poll(() => farm.lines.find((line) => line.includes('"/readyz"'))).toMatch(/"status":503(?!.*"bug")/)
})

const log = JSON.stringify({ name: 'Hay', type: 'farm_activity', timestamp: 1 })

test('a server that a PostgreSQL refuses to write for is not ready until a write goes well', async () => {
  const farm = await openFarm({ engine: 'postgres' })
  const client = await farm.login('manager')
  const post = () =>
    fetch(`${farm.base}/log`, {
      method: 'POST',
      headers: { authorization: `Bearer ${client.login.token}`, 'content-type': 'application/json' },
      body: log,
    })
  const run = (statement: string) => farm.installation.database.write((tx) => sql.raw(statement).execute(tx))
  await run(`create function no_room() returns trigger language plpgsql
    as $$ begin raise exception 'no space left on device' using errcode = '53100'; end $$`)
  for (const table of ['log', 'migration']) {
    await run(`create trigger no_room before insert or update on ${table} execute function no_room()`)
  }
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)])
  expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('database: it cannot be written'))
  expect(await asked(`${farm.base}/healthz`)).toMatchObject({ status: 200 })
  await run('drop function no_room cascade')
  await expect.poll(() => asked(`${farm.base}/readyz`)).toMatchObject(ready)
  expect((await post()).status).toBe(201)
})

test('a server whose files cannot grow refuses writes, goes on reading, and is not ready until a write goes well', async () => {
  const env = { FURROW_DATA: await emptyDirectory() }
  const add = ['user', 'add', 'ada', '--role', 'manager', '--password-stdin']
  expect(await furrow(add, { env, input: 'green fields' })).toMatchObject({ code: 0 })
  const { address, pid } = await serve([], { env })
  const form = { grant_type: 'password', client_id: 'farm', username: 'ada', password: 'green fields' }
  const granted = await fetch(`${address}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  const { access_token } = (await granted.json()) as { access_token: string }
  const authorization = `Bearer ${access_token}`
  const post = () =>
    fetch(`${address}/log`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: log,
    })
  const logs = async () =>
    ((await (await fetch(`${address}/log.json`, { headers: { authorization } })).json()) as { list: unknown[] }).list
  expect((await post()).status).toBe(201)

  limitFiles(pid, 1)
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)])
  expect(await asked(`${address}/readyz`)).toMatchObject(notReady('database: it cannot be written'))
  expect(await asked(`${address}/healthz`)).toMatchObject({ status: 200 })
  expect(await logs()).toHaveLength(1)

  limitFiles(pid, 'unlimited')
  await expect.poll(() => asked(`${address}/readyz`)).toMatchObject(ready)
  expect((await post()).status).toBe(201)
  expect(await logs()).toHaveLength(2)
})

/** From here on the kernel lets no file of the process grow beyond so many bytes. */
function limitFiles(pid: number, bytes: number | 'unlimited'): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
  expect([status, String(stderr)]).toEqual([0, ''])
}

test('a server whose data directory is gone is not ready', async () => {
  const place = await emptyPlace('sqlite')
  const farm = await openFarm({ place })
  await rm(place.data, { recursive: true })
  const answer = notReady('disk: the data directory cannot be looked at (ENOENT)')
  expect(await asked(`${farm.base}/readyz`)).toMatchObject(answer)
  await expect.poll(() => farm.lines.find((line) => line.includes('"/readyz"'))).not.toContain('"bug"')
})

test('a metrics port that is in use is named before the server starts', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => squatter.once('listening', resolve))
  const { port } = squatter.address() as AddressInfo
  const opening = openFarm({ engine: 'sqlite', settings: { metricsPort: port } })
  await expect(opening).rejects.toThrow(`The metrics port ${port}`)
  squatter.close()
})
