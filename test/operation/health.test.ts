import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { emptyPlace, engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Plainly, as those who watch over a server ask. */
async function asked(address: string): Promise<{ status: number; text: string; type: string }> {
  const answer = await fetch(address)
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') ?? '' }
}

const ready = { status: 200, text: 'ready\n' }

const notReady = (...problems: readonly string[]) => ({ status: 503, text: `${problems.join('\n')}\n` })

describe.each(engines)('health on %s', (engine) => {
  test('a server that works is alive and ready, and says so to anybody', async () => {
    const farm = await openFarm({ engine })
    expect(await asked(`${farm.base}/healthz`)).toMatchObject({ status: 200, text: 'alive\n' })
    expect(await asked(`${farm.base}/readyz`)).toMatchObject(ready)
  })

  test('a server whose database fails is alive and not ready, and says which part failed', async () => {
    const farm = await openFarm({ engine })
    await farm.house.database.close()
    expect(await asked(`${farm.base}/healthz`)).toMatchObject({ status: 200 })
    expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('database: it cannot be read'))
  })

  test('a server that failed to write is not ready until a write goes well', async () => {
    const place = await emptyPlace(engine)
    const farm = await openFarm({ place })
    const client = await farm.login('manager')
    const { database } = farm.house
    const log = { name: 'Hay', type: 'farm_activity', timestamp: 1 }
    const write = database.write
    const failing = Object.assign(database, { write: async () => Promise.reject(new Error('disk I/O error')) })
    const body = JSON.stringify(log)
    const headers = { authorization: `Bearer ${client.login.token}`, 'content-type': 'application/json' }
    const refused = await fetch(`${farm.base}/log`, { method: 'POST', headers, body })
    expect(refused.status).toBeGreaterThanOrEqual(500)
    expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('database: it cannot be written'))
    Object.assign(failing, { write })
    await expect.poll(() => asked(`${farm.base}/readyz`), { timeout: 5000 }).toMatchObject(ready)
    expect((await client.post('/log', log)).status).toBe(201)
  })

  test('metrics are on their own port and nowhere else', async () => {
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
    expect(await asked(`${port}/readyz`)).toMatchObject(ready)
    expect(await asked(`${port}/farm.json`)).toMatchObject({ status: 404 })
    await farm.close()
    await expect(asked(`${port}/metrics`)).rejects.toThrow()
  })
})

test('a server whose data directory is gone is not ready', async () => {
  const place = await emptyPlace('sqlite')
  const farm = await openFarm({ place })
  await rm(place.data, { recursive: true })
  expect(await asked(`${farm.base}/readyz`)).toMatchObject(notReady('disk: the data directory cannot be looked at'))
})

test('a metrics port that is in use is named before the server starts', async () => {
  const squatter = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => squatter.once('listening', resolve))
  const { port } = squatter.address() as AddressInfo
  const opening = openFarm({ engine: 'sqlite', settings: { metricsPort: port } })
  await expect(opening).rejects.toThrow(`The metrics port ${port}`)
  squatter.close()
})
