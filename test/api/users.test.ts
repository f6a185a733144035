import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'

const path = '/api/user/user'
let farm: FarmUnderTest
let manager: Client
let viewer: Client

beforeAll(async () => {
  farm = await openFarm()
  manager = await farm.login('manager')
  viewer = await farm.login('viewer')
})

const namedBy = async (client: Client, query: string): Promise<string[]> =>
  (await client.get(`${path}?${query}`)).body.data.map(({ attributes }: Json) => attributes.name)

const self = async (client: Client): Promise<Json> => {
  const { me } = (await client.get('/api')).body.meta.links
  return (await client.get(`${path}/${me.meta.id}`)).body.data
}

describe('users', () => {
  test('are listed, filtered by name and id, and paged', async () => {
    const { name } = manager.login
    expect(await namedBy(viewer, 'sort=drupal_internal__uid')).toEqual([name, viewer.login.name])
    expect(await namedBy(viewer, `filter[name]=${name.toUpperCase()}`)).toEqual([name])
    const { id, attributes } = await self(manager)
    expect(await namedBy(viewer, `filter[id]=${id}`)).toEqual([name])
    const oneOf = 'filter[id][condition][path]=id&filter[id][condition][operator]=IN'
    expect(await namedBy(viewer, `${oneOf}&filter[id][condition][value][]=${id}`)).toEqual([name])
    expect(await namedBy(viewer, `filter[drupal_internal__uid]=${attributes.drupal_internal__uid}`)).toEqual([name])
    const first = (await viewer.get(`${path}?page[limit]=1`)).body
    expect(first.data.map(({ attributes }: Json) => attributes.name)).toEqual([name])
    expect(await namedBy(viewer, new URL(first.links.next.href).search.slice(1))).toEqual([viewer.login.name])
  })

  test('are compared by the time they came', async () => {
    const { created } = (await self(manager)).attributes
    const since = (value: string) => namedBy(viewer, `filter[created][operator]=>=&filter[created][value]=${value}`)
    for (const time of [created.replace('+', '%2B'), String(Date.parse(created) / 1000), created.slice(0, 10)])
      expect(await since(time)).toContain(manager.login.name)
    expect(await since('2999-01-01')).toEqual([])
    expect((await viewer.get(`${path}?filter[created]=soon`)).status).toBe(400)
  })

  test('show of others what everybody may know, and of oneself the rest', async () => {
    const seen = (await viewer.get(`${path}/${(await self(manager)).id}`)).body.data
    expect(seen).toEqual({
      type: 'user--user',
      id: expect.any(String),
      links: { self: { href: `${farm.base}${path}/${seen.id}` } },
      attributes: {
        drupal_internal__uid: expect.any(Number),
        display_name: manager.login.name,
        langcode: 'en',
        name: manager.login.name,
        created: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
        changed: expect.stringMatching(/\+00:00$/),
      },
    })
    const own = await self(viewer)
    expect(own.attributes).toMatchObject({
      mail: `${viewer.login.name}@farm.example`,
      timezone: 'UTC',
      preferred_langcode: 'en',
      preferred_admin_langcode: null,
    })
    expect(own.attributes).not.toHaveProperty('pass')
    expect(own.attributes).not.toHaveProperty('status')
  })

  test('show their roles to themselves and to managers', async () => {
    const answer = await manager.get(`${path}/${(await self(viewer)).id}?include=roles`)
    expect(answer.body.data.attributes).toMatchObject({ status: true })
    expect(answer.body.data.attributes).not.toHaveProperty('mail')
    expect(answer.body.data.relationships.roles.data).toMatchObject([
      { type: 'user_role--user_role', meta: { drupal_internal__target_id: 'farm_viewer' } },
    ])
    const [role] = answer.body.data.relationships.roles.data
    expect(answer.body.included).toMatchObject([{ id: role.id, attributes: { label: 'Farm Viewer' } }])
    expect((await viewer.get(path)).body.data[0]).not.toHaveProperty('relationships')
  })

  test.each(shareOfThisEngine(['mail', 'timezone', 'pass', 'status', 'roles.id', 'preferred_langcode', '__proto__']))(
    'are not found by what is nobody’s business: %s',
    async (name) => {
      expect((await manager.get(`${path}?filter[${name}]=x`)).status).toBe(400)
      expect((await manager.get(`${path}?sort=${name}`)).status).toBe(400)
    },
  )

  test('are seen by who may read records, and oneself by everybody who may enter', async () => {
    const nobody = await farm.login(null)
    expect((await nobody.get(path)).status).toBe(403)
    expect((await nobody.get(`${path}/${(await self(manager)).id}`)).status).toBe(403)
    expect((await self(nobody)).attributes.name).toBe(nobody.login.name)
    expect((await farm.anonymous.get(path)).status).toBe(401)
    expect((await viewer.get(`${path}/7c0d3c4e-8f0f-4d6a-9f0f-2f1b1a3e0d5c`)).status).toBe(404)
  })
})

describe('people change', () => {
  const change = async (client: Client, attributes: Json, id?: string) => {
    const own = id ?? (await self(client)).id
    return client.sendJson('PATCH', `${path}/${own}`, { data: { type: 'user--user', id: own, attributes } })
  }

  test('their own time zone and language with no more than the right to enter, and read them back', async () => {
    const worker = await farm.login('worker', 'farm_worker')
    const answer = await change(worker, { timezone: 'Europe/Berlin', preferred_langcode: 'en' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/vnd.api+json'])
    expect(answer.body.data.attributes).toMatchObject({ timezone: 'Europe/Berlin', preferred_langcode: 'en' })
    expect((await self(worker)).attributes.timezone).toBe('Europe/Berlin')
    const refused = await change(worker, { name: 'somebody' })
    expect(refused.status).toBe(403)
  })

  test('their own name, mail and password, of which two take the present password', async () => {
    const worker = await farm.login('worker')
    const { id, attributes } = await self(worker)
    expect((await change(worker, attributes)).status).toBe(200)
    const name = `${worker.login.name}-renamed`
    expect((await change(worker, { name })).body.data.attributes).toMatchObject({ name, display_name: name })
    const mail = { mail: 'new@farm.example' }
    const missing = await change(worker, mail)
    expect([missing.status, missing.body.errors[0].source]).toEqual([
      422,
      { pointer: '/data/attributes/pass/existing' },
    ])
    const existing = worker.login.password
    expect((await change(worker, { ...mail, pass: { existing } })).body.data.attributes.mail).toBe('new@farm.example')
    const value = 'another good password'
    expect((await change(worker, { pass: { value, existing } })).status).toBe(200)
    expect(await farm.token(name, value, 'user_access')).toEqual(expect.any(String))
    expect((await worker.get(`${path}/${id}`)).status).toBe(401)
  })

  test('their name, and what is asked about it finds what it finds from then on', async () => {
    const worker = await farm.login('worker')
    await worker.post('/api/log/activity', { data: { type: 'log--activity', attributes: { name: 'Mine' } } })
    const name = `${worker.login.name}-other`
    const found = async (asked: string) =>
      (await viewer.get(`/api/log/activity?filter[uid.name]=${asked}`)).body.data.length
    expect([await found(worker.login.name), await found(name)]).toEqual([1, 0])
    await change(worker, { name })
    expect([await found(worker.login.name), await found(name)]).toEqual([0, 1])
  })

  test('nothing that is wrong, with every fault where it stands', async () => {
    const refused = await change(viewer, { timezone: 'Mars/Base', preferred_langcode: 7, colour: 'red', pass: 'x' })
    expect(refused.status).toBe(422)
    expect(refused.body.errors.map(({ source }: Json) => source.pointer).toSorted()).toEqual([
      '/data/attributes/colour',
      '/data/attributes/pass',
      '/data/attributes/preferred_langcode',
    ])
    const zone = await change(viewer, { timezone: 'Mars/Base' })
    expect([zone.status, zone.body.errors[0].source.pointer]).toEqual([422, '/data/attributes/timezone'])
    const id = (await self(viewer)).id
    const asked = await viewer.sendJson('PATCH', `${path}/${id}?nothing=1`, {
      data: { type: 'user--user', id, attributes: { timezone: 'Europe/Paris' } },
    })
    expect([asked.status, (await self(viewer)).attributes.timezone]).toEqual([400, 'UTC'])
    const mismatch = await viewer.sendJson('PATCH', `${path}/${id}`, { data: { type: 'user--user', attributes: {} } })
    expect(mismatch.status).toBe(400)
  })

  test('nobody else, and nobody who is not there', async () => {
    const other = (await self(viewer)).id
    expect((await change(manager, { timezone: 'Europe/Berlin' }, other)).status).toBe(403)
    const nobody = '3b241101-e2bb-4255-8caf-4136c566a962'
    expect((await change(manager, { timezone: 'Europe/Berlin' }, nobody)).status).toBe(404)
    expect((await manager.delete(`${path}/${other}`)).status).toBe(405)
    expect((await farm.anonymous.sendJson('PATCH', `${path}/${other}`, { data: {} })).status).toBe(401)
  })
})
