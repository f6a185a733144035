import { beforeAll, describe, expect, test } from 'vitest'
import { blockAccount, setRole, unblockAccount } from '../../src/access/accounts.ts'
import { openDatabase } from '../../src/storage/open.ts'
import type { Client } from '../harness/client.ts'
import { atEndOfFile } from '../harness/end-of-file.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const now = 1_700_000_000

describe('spec 8 is silent: however often and quickly the same is asked, nobody is given an old answer or another’s', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm()
    // The time stands still, so that only what is tested can make a difference.
    farm.setClock(now)
    worker = await farm.login('worker')
  })

  /** Asks twice, so that the second answer could come from memory. */
  const prime = async (client: Client, path: string) => {
    await client.get(path)
    return client.get(path)
  }

  const log = (fields: object = {}) =>
    worker.create('log', { name: 'Mowing', type: 'farm_activity', timestamp: now - 60, ...fields })

  test('a change is seen by the next read', async () => {
    const id = await log()
    for (const name of ['Mowing again', 'Raking', 'Turning']) {
      await prime(worker, `/log/${id}.json`)
      await prime(worker, '/log.json')
      await worker.put(`/log/${id}`, { name })
      expect((await worker.get(`/log/${id}.json`)).body.name).toBe(name)
      expect((await worker.read('/log.json')).list.at(-1).name).toBe(name)
    }
  })

  test('a renamed term shows its new name', async () => {
    const id = await log({ log_category: [{ name: 'Hay' }] })
    const [{ id: category }] = (await prime(worker, `/log/${id}.json`)).body.log_category
    await worker.put(`/taxonomy_term/${category}`, { name: 'Silage' })
    expect((await worker.get(`/log/${id}.json`)).body.log_category[0].name).toBe('Silage')
  })

  test('time passes without a write', async () => {
    const area = await worker.create('taxonomy_term', { name: 'Ley', vocabulary: 'farm_areas' })
    const ewe = await worker.create('farm_asset', { name: 'Dolly', type: 'animal', animal_type: { name: 'Sheep' } })
    await log({ timestamp: now + 1, done: 1, asset: [{ id: ewe }], movement: { area: [{ id: area }] } })
    expect((await prime(worker, `/farm_asset/${ewe}.json`)).body.location).toEqual([])
    farm.setClock(now + 1)
    expect((await worker.get(`/farm_asset/${ewe}.json`)).body.location).toMatchObject([{ id: area }])
    farm.setClock(now)
  })

  test('a token that ends is refused in that second', async () => {
    const viewer = await farm.login('viewer')
    farm.setClock(now + 3599)
    expect((await prime(viewer, '/log.json')).status).toBe(200)
    farm.setClock(now + 3600)
    expect((await viewer.get('/log.json')).status).toBe(403)
    farm.setClock(now)
  })

  test('a clock that is set back takes its answers back', async () => {
    const area = await worker.create('taxonomy_term', { name: 'Fallow', vocabulary: 'farm_areas' })
    const ram = await worker.create('farm_asset', { name: 'Curly', type: 'animal', animal_type: { name: 'Sheep' } })
    await log({ timestamp: now + 10, done: 1, asset: [{ id: ram }], movement: { area: [{ id: area }] } })
    farm.setClock(now + 10)
    expect((await prime(worker, `/farm_asset/${ram}.json`)).body.location).toMatchObject([{ id: area }])
    farm.setClock(now)
    expect((await worker.get(`/farm_asset/${ram}.json`)).body.location).toEqual([])
  })

  test('what one may read, another may not', async () => {
    const id = await log()
    const nobody = await farm.login(null)
    expect((await prime(worker, `/log/${id}.json`)).status).toBe(200)
    expect((await nobody.get(`/log/${id}.json`)).status).toBe(403)
    expect((await farm.anonymous.get(`/log/${id}.json`)).status).toBe(403)
    expect((await worker.get(`/log/${id}.json`, { authorization: `Bearer ${worker.login.token}x` })).status).toBe(403)
  })

  test('a role that is taken away is gone at once, also by another process', async () => {
    const viewer = await farm.login('viewer')
    expect((await prime(viewer, '/log.json')).status).toBe(200)
    const elsewhere = await openDatabase(farm.house.settings)
    atEndOfFile(() => elsewhere.close())
    await setRole({ ...farm.house, database: elsewhere }, viewer.login.name, null)
    expect((await viewer.get('/log.json')).status).toBe(403)
    await setRole({ ...farm.house, database: elsewhere }, viewer.login.name, 'viewer')
    expect((await prime(viewer, '/log.json')).status).toBe(200)
    await blockAccount({ ...farm.house, database: elsewhere }, viewer.login.name)
    expect((await viewer.get('/log.json')).status).toBe(403)
    await unblockAccount({ ...farm.house, database: elsewhere }, viewer.login.name)
  })

  test('a revoked token opens nothing', async () => {
    const viewer = await farm.login('viewer')
    expect((await prime(viewer, '/log.json')).status).toBe(200)
    const body = new URLSearchParams({ token: viewer.login.token, client_id: 'farm' })
    await fetch(`${farm.base}/oauth/revoke`, { method: 'POST', body })
    expect((await viewer.get('/log.json')).status).toBe(403)
  })

  test('another format, host, page or tag is another question', async () => {
    await prime(worker, '/log?limit=1')
    expect((await worker.get('/log?limit=1', { accept: 'application/xml' })).text).toMatch(/^<\?xml/)
    expect((await worker.read('/log?limit=1&page=1')).self).toContain('page=1')
    expect((await worker.get('/log?limit=1', { 'if-none-match': '*' })).status).toBe(304)
    expect((await worker.get('/log?limit=1')).status).toBe(200)
  })
})
