import { beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

let client: Client
let worker: Client

beforeAll(async () => {
  const farm = await openFarm()
  client = await farm.login()
  worker = await farm.login('worker')
})

const log = { name: 'L', type: 'farm_activity', timestamp: '1' }
const faultsOf = (answer: { body: Json }) => answer.body.errors.map((fault: Json) => fault.field).toSorted()

describe('4.2 what a new record needs', () => {
  it.each([
    ['/log', {}, ['name', 'timestamp', 'type']],
    ['/log', { type: 'farm_activity' }, ['name', 'timestamp']],
    ['/log', { type: 'farm_nothing' }, ['name', 'timestamp', 'type']],
    ['/log', { ...log, type: undefined }, ['type']],
    ['/log', { ...log, type: ['farm_activity'] }, ['type']],
    ['/log', { ...log, type: 'Farm_Activity' }, ['type']],
    ['/log', { ...log, timestamp: undefined }, ['timestamp']],
    ['/log', { ...log, timestamp: null }, ['timestamp']],
    ['/log', { ...log, timestamp: '' }, ['timestamp']],
    ['/log', { ...log, name: '' }, ['name']],
    ['/log', { ...log, name: null }, ['name']],
    ['/log', { ...log, name: ' \t ' }, ['name']],
    ['/farm_asset', {}, ['name', 'type']],
    ['/farm_asset', { name: 'A', type: 'planting' }, ['crop']],
    ['/farm_asset', { name: 'A', type: 'planting', crop: [] }, ['crop']],
    ['/farm_asset', { type: 'animal' }, ['animal_type', 'name']],
    ['/farm_asset', { name: 'A', type: 'animal', animal_type: { id: null } }, ['animal_type']],
    ['/farm_asset', { name: 'A', type: 'animal', animal_type: { id: 'x' } }, ['animal_type.id']],
    ['/taxonomy_term', {}, ['name', 'vocabulary']],
    ['/taxonomy_term', { name: 'T' }, ['vocabulary']],
    ['/taxonomy_term', { vocabulary: 'farm_crops' }, ['name']],
  ])('%s %j lacks %j', async (path, body, fields) => {
    const answer = await client.post(path, body)
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual(fields)
  })

  it('all faults are reported together, also those of references', async () => {
    const answer = await client.post('/log', {
      type: 'farm_harvest',
      timestamp: 'noon',
      done: 'maybe',
      asset: [{ id: '1' }, { id: '999' }, { id: 'x' }],
      quantity: [{ measure: 'beauty', value: 'much', unit: { id: '999' } }],
      geofield: ['POINT (1)'],
      images: ['data:text/plain;base64,QQ=='],
      colour: 'red',
    })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual([
      ...['asset[0]', 'asset[1]', 'asset[2].id', 'colour', 'done', 'geofield[0]', 'images[0]', 'name'],
      ...['quantity[0].measure', 'quantity[0].unit', 'quantity[0].value', 'timestamp'],
    ])
  })
})

describe('4.2 what a record does not have', () => {
  it.each([
    ['/log', { ...log, colour: 'red' }, 'colour'],
    ['/log', { ...log, lot_number: '1' }, 'lot_number'],
    ['/log', { ...log, tid: '1' }, 'tid'],
    ['/farm_asset', { name: 'A', type: 'animal', animal_type: { name: 'Goat' }, crop: [{ name: 'Leek' }] }, 'crop'],
    ['/farm_asset', { name: 'A', type: 'equipment', parent: [] }, 'parent'],
    ['/taxonomy_term', { name: 'T', vocabulary: 'farm_season', area_type: 'bed' }, 'area_type'],
  ])('%s %j is refused with what there is', async (path, body, field) => {
    const answer = await client.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field, allowed: expect.arrayContaining(['name']) }])
  })

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])(
    'a field called %s',
    async (name) => {
      const text = JSON.stringify({ ...log, placeholder: { name: 'x' } }).replace('placeholder', name)
      const headers = { 'content-type': 'application/json' }
      const answer = await client.send('POST', '/log', { headers, body: text })
      expect(answer.status).toBe(422)
      expect(faultsOf(answer)).toEqual([name])
    },
  )
})

describe('4.2 what the service notes itself', () => {
  it('is ignored in a new record', async () => {
    const forged = { changed: '5', url: 'https://evil.example/', uri: 'x', resource: 'user', parents_all: [] }
    const { body } = await worker.post('/log', { ...log, ...forged, created: '5', uid: { id: '1' } })
    expect(body).toMatchObject({ resource: 'log', url: body.uri })
    expect([body.created, body.changed]).not.toContain('5')
  })

  it.each([{ id: '77' }, { id: 77 }, { id: 'x' }])('its id is not for the writer to choose: %j', async (own) => {
    const answer = await client.post('/log', { ...log, ...own })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual(['id'])
  })

  it('an empty id is none', async () => {
    for (const id of [null, '']) expect((await client.post('/log', { ...log, id })).status).toBe(201)
    const term = { name: 'T', vocabulary: 'farm_crops', tid: '5' }
    expect(faultsOf(await client.post('/taxonomy_term', term))).toEqual(['tid'])
  })
})

describe('1 computed fields cannot be written', () => {
  it('in a new record they are empty, or it is refused with what to record instead', async () => {
    const group = { name: 'G', type: 'group' }
    expect((await client.post('/farm_asset', { ...group, location: [], geometry: '' })).status).toBe(201)
    const answer = await client.post('/farm_asset', { ...group, location: [{ id: '1' }], geometry: 'POINT (1 2)' })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual(['geometry', 'location'])
    expect(answer.body.errors[0].message).toContain('record a done log')
    const area = { name: 'A', vocabulary: 'farm_areas', assets: [{ id: '1' }] }
    expect(faultsOf(await client.post('/taxonomy_term', area))).toEqual(['assets'])
  })

  it('in an update they are what is computed, or it is refused', async () => {
    const asset = await client.create('farm_asset', { name: 'G', type: 'group' })
    const area = await client.create('taxonomy_term', { name: 'A', vocabulary: 'farm_areas' })
    const movement = { area: [{ id: area }], geometry: 'POINT (1 2)' }
    await client.create('log', { ...log, done: 1, asset: [{ id: asset }], movement })
    const same = { location: [{ id: area }], geometry: 'POINT (1 2)', name: 'Renamed' }
    expect(await client.put(`/farm_asset/${asset}`, same)).toMatchObject({ status: 200, body: { name: 'Renamed' } })
    for (const other of [{ location: [] }, { geometry: 'POINT (3 4)' }, { geometry: '' }, { location: ['999'] }]) {
      const answer = await client.put(`/farm_asset/${asset}`, other)
      expect(answer.status, JSON.stringify(other)).toBe(422)
      expect(faultsOf(answer)).toEqual(Object.keys(other))
    }
    expect((await client.put(`/taxonomy_term/${area}`, { assets: [{ id: asset }] })).status).toBe(200)
    expect((await client.put(`/taxonomy_term/${area}`, { assets: [] })).status).toBe(422)
  })

  it('in a record that was read and is written back they are ignored, even if they are stale', async () => {
    const asset = await client.create('farm_asset', { name: 'G', type: 'group' })
    const stale = await client.read(`/farm_asset/${asset}.json`)
    const movement = { geometry: 'POINT (1 2)' }
    await client.create('log', { ...log, done: 1, asset: [{ id: asset }], movement })
    expect(await client.put(`/farm_asset/${asset}`, { ...stale, name: 'New' })).toMatchObject({
      status: 200,
      body: { name: 'New', geometry: 'POINT (1 2)' },
    })
  })
})
