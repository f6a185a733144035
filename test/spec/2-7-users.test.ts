import { beforeAll, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let viewer: Client
let worker: Client
let own: Json
let other: Json

beforeAll(async () => {
  farm = await openFarm()
  viewer = await farm.login('viewer')
  worker = await farm.login('worker')
  own = (await viewer.read('/farm.json')).user
  other = (await worker.read('/farm.json')).user
})

it('2.7 users show their number and name, the mail address to themselves only', async () => {
  const { list } = await viewer.read('/user.json')
  const shown = (user: Json) => ({ uid: user.uid, id: user.uid, name: user.name, url: `${farm.base}/user/${user.uid}` })
  expect(list).toEqual([{ ...shown(own), mail: own.mail }, shown(other)])
})

it('2.7 one user', async () => {
  expect(await viewer.read(`/user/${other.uid}.json`)).toMatchObject({ uid: other.uid, name: other.name })
  expect(await viewer.read(`/user/${other.uid}.json`)).not.toHaveProperty('mail')
  expect(await viewer.read(`/user/${own.uid}.json`)).toMatchObject({ mail: own.mail })
  expect((await viewer.get('/user/999.json')).status).toBe(404)
})

it('2.7 users are found by number and name, and by nothing that they may not show', async () => {
  const find = async (query: string) => (await viewer.read(`/user.json?${query}`)).list.map((user: Json) => user.uid)
  expect(await find(`name=${other.name.toUpperCase()}`)).toEqual([other.uid])
  expect(await find(`uid=${own.uid}`)).toEqual([own.uid])
  expect(await find(`id[]=${own.uid}&id[]=${other.uid}`)).toEqual([own.uid, other.uid])
  for (const name of ['mail', 'pass', 'password_hash', 'role', 'token']) {
    const answer = await viewer.get(`/user.json?${name}=x`)
    expect(answer.status, name).toBe(400)
    expect(answer.text).not.toContain(other.mail)
  }
})

it('2.7 users are sorted by what they may be found by, and by nothing else', async () => {
  const sorted = async (query: string) => (await viewer.read(`/user.json?${query}`)).list.map((user: Json) => user.uid)
  const byId = [own.uid, other.uid]
  const byName = own.name < other.name ? byId : byId.toReversed()
  expect(await sorted('sort=name')).toEqual(byName)
  expect(await sorted('sort=name&direction=desc')).toEqual(byName.toReversed())
  expect(await sorted('sort=uid&direction=DESC')).toEqual(byId.toReversed())
  expect(await sorted('direction=DESC&limit=1&page=1')).toEqual([own.uid])
  for (const name of ['mail', 'pass', 'role', 'url', 'bogus', '']) {
    const answer = await viewer.get(`/user.json?sort=${name}`)
    expect(answer.status, name).toBe(400)
    expect(answer.body.errors).toMatchObject([{ field: 'sort', allowed: ['uid', 'id', 'name'] }])
  }
  expect((await viewer.get('/user.json?direction=up')).body.errors).toMatchObject([{ field: 'direction' }])
})

it('2.7 the links of the list of users can be followed', async () => {
  const { next, first } = await viewer.read('/user.json?limit=1')
  expect((await viewer.read(next.slice(farm.base.length))).list).toMatchObject([{ uid: other.uid }])
  expect((await viewer.read(first.slice(farm.base.length))).list).toMatchObject([{ uid: own.uid }])
})

it('2.7 the author of a record is whoever wrote it, whatever the record says', async () => {
  const body = { name: 'L', type: 'farm_activity', timestamp: '1', uid: { id: own.uid }, created: '5' }
  const made = (await worker.post('/log', body)).body
  expect(made.uid.id).toBe(other.uid)
  expect(made.created).not.toBe('5')
  const kept = (await worker.put(`/log/${made.id}`, { uid: { id: own.uid }, created: '5' })).body
  expect(kept.uid.id).toBe(other.uid)
  expect(kept.created).toBe(made.created)
})

it('2.7 a manager may move records in with their author and time', async () => {
  const manager = await farm.login('manager')
  const body = { name: 'L', type: 'farm_activity', timestamp: '1', uid: { id: own.uid }, created: '5' }
  const made = (await manager.post('/log', body)).body
  expect(made).toMatchObject({ uid: { id: own.uid }, created: '5' })
  expect((await manager.put(`/log/${made.id}`, { created: '6', uid: { id: other.uid } })).body).toMatchObject({
    uid: { id: own.uid },
    created: '5',
  })
  expect((await manager.post('/log', { ...body, uid: { id: '999' } })).body.errors).toMatchObject([{ field: 'uid' }])
  expect((await manager.post('/log', { ...body, created: 'yesterday' })).body.errors).toMatchObject([
    { field: 'created' },
  ])
})
