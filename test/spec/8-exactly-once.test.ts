import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

describe('spec 8 is silent: a request with an Idempotency-Key is carried out once, however often it is sent', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeAll(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
  })

  const send = (client: Client, key: string, body: unknown, method = 'POST', path = '/log') =>
    client.send(method, path, {
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })

  const log = (name: string) => ({ name, type: 'farm_activity', timestamp: 1_600_000_000 })
  const count = async (name: string) => (await worker.ids(`/log.json?name=${name}`)).length

  test('the same request again is given the same answer, and nothing more is kept', async () => {
    const key = randomUUID()
    const first = await send(worker, key, log('Once'))
    await worker.put(`/log/${first.body.id}`, { notes: 'changed since' })
    const second = await send(worker, key, log('Once'))
    expect(first.status).toBe(201)
    expect([second.status, second.text]).toEqual([first.status, first.text])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await count('Once')).toBe(1)
  })

  test('the answer that is kept names photos by their addresses, and does not hold them', async () => {
    const body = { ...log('Photographed'), files: [`data:text/plain;base64,${'QUJD'.repeat(1000)}`] }
    const first = await send(worker, randomUUID(), body)
    expect(first.body.files).toEqual([expect.stringMatching(/^http.*\/file\/\d+\//)])
  })

  test('sixteen at the same time keep one record and get one answer', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 16 }, () => send(worker, key, log('Sixteen'))))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await count('Sixteen')).toBe(1)
  })

  test('another request with the same key is refused and changes nothing', async () => {
    const key = randomUUID()
    await send(worker, key, log('Mine'))
    const other = await send(worker, key, log('Another'))
    expect(other.status).toBe(422)
    expect(other.body.errors[0].field).toBe('Idempotency-Key')
    expect(await count('Another')).toBe(0)
  })

  test('a key belongs to its user', async () => {
    const key = randomUUID()
    await send(worker, key, log('Theirs'))
    expect((await send(await farm.login('worker'), key, log('Ours'))).status).toBe(201)
  })

  test('an update is carried out once, too', async () => {
    const id = await worker.create('log', log('Counted'))
    const key = randomUUID()
    const first = await send(worker, key, { name: 'Recounted' }, 'PUT', `/log/${id}`)
    await worker.put(`/log/${id}`, { name: 'Later' })
    expect((await send(worker, key, { name: 'Recounted' }, 'PUT', `/log/${id}`)).text).toBe(first.text)
    expect((await worker.read(`/log/${id}.json`)).name).toBe('Later')
  })

  test('a removal that is sent again is given the answer of the first, and without its key finds nothing', async () => {
    const id = await worker.create('log', log('Removed'))
    const remove = (key: string) =>
      worker.send('DELETE', `/log/${id}`, { headers: { 'idempotency-key': key }, body: null })
    const key = randomUUID()
    const [first, second] = [await remove(key), await remove(key)]
    expect([first.status, first.text]).toEqual([200, '[]'])
    expect([second.status, second.text]).toEqual([200, '[]'])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect((await remove(randomUUID())).status).toBe(404)
  })

  test('a refused request does not use the key up', async () => {
    const key = randomUUID()
    expect((await send(worker, key, { name: 'Unfit' })).status).toBe(422)
    expect((await send(worker, key, log('Fit'))).status).toBe(201)
  })

  test('after a day the key is free again', async () => {
    const key = randomUUID()
    farm.setClock(1_700_000_000)
    await send(worker, key, log('Daily'))
    farm.setClock(1_700_000_000 + 86_400)
    await send(worker, key, log('Daily'))
    expect(await count('Daily')).toBe(1)
    farm.setClock(1_700_000_000 + 86_401)
    await send(worker, key, log('Daily'))
    farm.setClock(null)
    expect(await count('Daily')).toBe(2)
  })

  test('an empty or endless key is refused', async () => {
    expect((await send(worker, 'k'.repeat(256), log('Endless'))).status).toBe(400)
    expect((await send(worker, 'k'.repeat(255), log('Long'))).status).toBe(201)
  })
})
