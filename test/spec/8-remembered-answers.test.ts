import { get } from 'node:http'
import { json } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { blockAccount, setRole, unblockAccount } from '../../src/access/accounts.ts'
import { openDatabase } from '../../src/storage/open.ts'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import { Client } from '../harness/client.ts'
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
    const elsewhere = await openDatabase(farm.installation.settings)
    atEndOfFile(() => elsewhere.close())
    await setRole({ ...farm.installation, database: elsewhere }, viewer.login.name, null)
    expect((await viewer.get('/log.json')).status).toBe(403)
    await setRole({ ...farm.installation, database: elsewhere }, viewer.login.name, 'viewer')
    expect((await prime(viewer, '/log.json')).status).toBe(200)
    await blockAccount({ ...farm.installation, database: elsewhere }, viewer.login.name)
    expect((await viewer.get('/log.json')).status).toBe(403)
    await unblockAccount({ ...farm.installation, database: elsewhere }, viewer.login.name)
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

  test('a page follows every change of what it shows, in both formats', async () => {
    const area = await worker.create('taxonomy_term', { name: 'Meadow', vocabulary: 'farm_areas' })
    const goat = await worker.create('farm_asset', { name: 'Billy', type: 'animal', animal_type: { name: 'Goat' } })
    const moved = await log({ timestamp: now - 30, done: 1, asset: [{ id: goat }], movement: { area: [{ id: area }] } })
    const goats = `/farm_asset.json?name=Billy`
    const areas = `/taxonomy_term.json?tid=${area}`
    const [there] = (await prime(worker, goats)).body.list
    expect(there.location).toMatchObject([{ id: area, name: 'Meadow' }])
    expect((await prime(worker, areas)).body.list[0].assets).toMatchObject([{ id: goat }])
    await prime(worker, '/farm_asset.xml?name=Billy')

    await worker.put(`/taxonomy_term/${area}`, { name: 'Orchard' })
    expect((await worker.read(goats)).list[0].location).toMatchObject([{ name: 'Orchard' }])
    expect((await worker.get('/farm_asset.xml?name=Billy')).text).toContain('Orchard')

    await prime(worker, areas)
    await worker.delete(`/log/${moved}`)
    expect((await worker.read(areas)).list[0].assets).toEqual([])
    expect((await worker.read(goats)).list[0].location).toEqual([])
  })

  test('a page follows the time', async () => {
    const area = await worker.create('taxonomy_term', { name: 'Pond', vocabulary: 'farm_areas' })
    const duck = await worker.create('farm_asset', { name: 'Quack', type: 'animal', animal_type: { name: 'Duck' } })
    await log({ timestamp: now + 20, done: 1, asset: [{ id: duck }], movement: { area: [{ id: area }] } })
    const placesAt = async (second: number) => {
      farm.setClock(second)
      return (await prime(worker, '/farm_asset.json?name=Quack')).body.list[0].location.length
    }
    expect([await placesAt(now), await placesAt(now + 20), await placesAt(now + 19)]).toEqual([0, 1, 0])
    farm.setClock(now)
  })

  test('a page names its records by the host it was asked for', async () => {
    await log()
    const addressAt = async (host: string) => {
      const answer = await fetchAs(farm.base, host, `Bearer ${worker.login.token}`)
      return new URL(answer.list[0]?.url ?? '').host
    }
    for (const host of ['one.example', 'two.example', 'one.example']) expect(await addressAt(host)).toBe(host)
  })

  test('what another node has written is on the next page of this one', async () => {
    const elsewhere = await openFarm({ place: farm.installation.settings })
    elsewhere.setClock(now)
    const there = new Client(elsewhere.base, { authorization: `Bearer ${worker.login.token}` })
    const id = await log({ name: 'Ploughing' })
    for (const name of ['Harrowing', 'Sowing', 'Rolling']) {
      for (const client of [worker, there]) {
        await prime(client, `/log/${id}.json`)
        await prime(client, '/log.json?sort=id&direction=DESC')
      }
      await there.put(`/log/${id}`, { name })
      for (const client of [there, worker]) {
        expect((await client.get(`/log/${id}.json`)).body.name).toBe(name)
        expect((await client.read('/log.json?sort=id&direction=DESC')).list[0].name).toBe(name)
      }
    }
    await elsewhere.close()
  })

  test('what the farm says of itself changes with its name, its records and who asks', async () => {
    const animalsIn = (body: { metrics?: { animal?: { value: string } } }) => Number(body.metrics?.animal?.value ?? 0)
    const before = animalsIn((await prime(worker, '/farm.json')).body)
    await worker.create('farm_asset', { name: 'Gus', type: 'animal', animal_type: { name: 'Goose' } })
    expect(animalsIn(await worker.read('/farm.json'))).toBe(before + 1)
    const viewer = await farm.login('viewer')
    await prime(worker, '/farm.json')
    expect((await viewer.read('/farm.json')).user.name).toBe(viewer.login.name)
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'name', 'Long Furrow'))
    expect((await worker.read('/farm.json')).name).toBe('Long Furrow')
  })

  test('packed answers are those of the same question', async () => {
    const id = await log({ name: 'Long', notes: { value: 'hay '.repeat(600), format: 'farm_format' } })
    for (const coding of ['gzip', 'br', 'identity', 'gzip']) {
      const answer = await worker.get(`/log/${id}.json`, { 'accept-encoding': coding })
      expect([answer.headers.get('content-encoding') ?? 'identity', answer.body.name]).toEqual([coding, 'Long'])
    }
    await worker.put(`/log/${id}`, { name: 'Longer' })
    expect((await worker.get(`/log/${id}.json`, { 'accept-encoding': 'gzip' })).body.name).toBe('Longer')
  })
})

/** `fetch` writes the host itself. */
function fetchAs(base: string, host: string, authorization: string): Promise<{ list: { url: string }[] }> {
  return new Promise((resolve, reject) => {
    get(`${base}/log.json`, { headers: { host, authorization } }, (answer) => {
      json(answer).then((body) => resolve(body as { list: { url: string }[] }), reject)
    }).on('error', reject)
  })
}
