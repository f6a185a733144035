import { beforeAll, describe, expect, it } from 'vitest'
import type { RecordTypeName } from '../../src/farm/farm.ts'
import type { Draft, Drafts, Value } from '../../src/fields/value.ts'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { resourceOf } from '../records/interface-types.ts'
import { changeByVerb, keptOf, makeByVerb, revisionOf } from '../records/newer-values.ts'

let farm: FarmUnderTest
let client: Client
const ids: Record<string, string> = {}

const ref = (id: string | undefined) => ({ ref: 'id', id: Number(id) }) as const
const part = (drafts: Drafts) => ({ part: drafts })

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  ids.field = await client.create('taxonomy_term', { name: 'Field', vocabulary: 'farm_areas' })
  ids.bed = await client.create('taxonomy_term', { name: 'Bed', vocabulary: 'farm_areas' })
  ids.barn = await client.create('farm_asset', { name: 'Barn', type: 'equipment' })
  ids.cow = await client.create('farm_asset', { name: 'Cow', type: 'animal', animal_type: { name: 'Cow' } })
})

const aLog = (drafts: Drafts, bundle = 'farm_activity') =>
  makeByVerb(farm, { type: 'log', bundle, drafts: { name: 'Log', timestamp: 1_600_000_000, ...drafts } })

const change = async (id: string, body: Json) => {
  const answer = await client.put(`/log/${id}`, body)
  expect(answer, answer.text).toMatchObject({ status: 200 })
  return answer.body
}

/** What is kept of a part, or of each part of a list, without its identity. */
async function inside(id: string, field: string): Promise<Json> {
  const { [field]: value } = await keptOf(farm, 'log', id)
  const without = ({ uuid: _, ...own }: Json) => own
  return value === undefined ? undefined : Array.isArray(value) ? value.map(without) : without(value)
}

async function expectEchoesToChangeNothing(type: RecordTypeName, id: string): Promise<void> {
  const path = `/${resourceOf[type]}/${id}`
  const before = [await keptOf(farm, type, id), await revisionOf(farm, type, id)]
  const answer = await client.put(path, await client.read(`${path}.json`))
  expect(answer, answer.text).toMatchObject({ status: 200 })
  const listed = (await client.read(`/${resourceOf[type]}.json?id=${id}`)).list[0]
  expect((await client.put(path, listed)).status).toBe(200)
  const { text } = await client.get(`${path}.xml`)
  const xml = await client.send('PUT', path, { headers: { 'content-type': 'application/xml' }, body: text })
  expect(xml, xml.text).toMatchObject({ status: 200 })
  expect([await keptOf(farm, type, id), await revisionOf(farm, type, id)]).toEqual(before)
}

describe('4 a change through the record interface keeps what it does not show', () => {
  it('keeps hidden fields of the record itself', async () => {
    const drafts = { quick: ['birth'], place: [ref(ids.barn)], area: [ref(ids.field)], aside: [ref(ids.field)] }
    const id = await aLog(drafts)
    const read = await client.read(`/log/${id}.json`)
    for (const name of Object.keys(drafts)) if (name !== 'area') expect(read).not.toHaveProperty(name)
    await change(id, { name: 'Renamed' })
    expect(await keptOf(farm, 'log', id)).toMatchObject({
      name: 'Renamed',
      quick: ['birth'],
      place: [Number(ids.barn)],
      aside: [Number(ids.field)],
    })
    await expectEchoesToChangeNothing('log', id)
  })

  it('keeps hidden fields of a single part', async () => {
    const id = await aLog({ movement: part({ area: [ref(ids.field)], place: [ref(ids.barn)] }) })
    expect((await client.read(`/log/${id}.json`)).movement).not.toHaveProperty('place')
    const uuid = ((await keptOf(farm, 'log', id)).movement as { uuid: string }).uuid
    await change(id, { movement: { area: [{ id: ids.bed }] } })
    expect(await keptOf(farm, 'log', id)).toMatchObject({
      movement: { uuid, area: [Number(ids.bed)], place: [Number(ids.barn)] },
    })
    await change(id, { movement: { area: [], geometry: '' } })
    expect(await inside(id, 'movement')).toEqual({ place: [Number(ids.barn)] })
    await expectEchoesToChangeNothing('log', id)
    await change(id, { movement: null })
    expect(await inside(id, 'movement')).toEqual({ place: [Number(ids.barn)] })
  })

  it.each(shareOfThisEngine(['movement', 'membership']))('of a %s that only says that all is left', async (name) => {
    const id = await aLog({ [name]: part({ leaves: true }) })
    const revision = await revisionOf(farm, 'log', id)
    for (const nothing of [null, '', [], {}, { [name === 'movement' ? 'area' : 'group']: [] }])
      await change(id, { [name]: nothing })
    expect(await inside(id, name)).toEqual({ leaves: true })
    expect(await revisionOf(farm, 'log', id)).toBe(revision)
    await expectEchoesToChangeNothing('log', id)
  })

  it('drops a yes that counts only alone, once the part says more', async () => {
    const id = await aLog({ movement: part({ leaves: true }) })
    await change(id, { movement: { area: [{ id: ids.field }] } })
    expect(await inside(id, 'movement')).toEqual({ area: [Number(ids.field)] })
  })

  it('keeps hidden fields of each part of a list, wherever it is now', async () => {
    const id = await aLog({
      quantity: [
        part({ measure: 'weight', value: '1', type: 'material', material_type: [{ ref: 'name', name: 'Straw' }] }),
        part({ measure: 'count', value: '2', adjustment: 'reset', inventory_asset: ref(ids.cow) }),
        part({ label: 'third' }),
      ],
    })
    const [first, second, third] = (await client.read(`/log/${id}.json`)).quantity
    expect(Object.keys(first).toSorted()).toEqual(['label', 'measure', 'value'])
    const before = (await keptOf(farm, 'log', id)).quantity as readonly Json[]
    await change(id, { quantity: [third, second, { ...first, value: '7' }] })
    expect((await keptOf(farm, 'log', id)).quantity).toEqual([before[2], before[1], { ...before[0], value: '7' }])
    await expectEchoesToChangeNothing('log', id)
    await change(id, { quantity: [second] })
    expect((await keptOf(farm, 'log', id)).quantity).toEqual([before[1]])
    await change(id, { quantity: [] })
    expect((await keptOf(farm, 'log', id)).quantity).toBeUndefined()
  })

  it('also of a part of which it shows nothing', async () => {
    const hidden = part({ type: 'material', material_type: [{ ref: 'name', name: 'Hay' }] })
    const id = await aLog({ quantity: [part({ label: 'a' }), hidden, part({ label: 'b' })] })
    await expectEchoesToChangeNothing('log', id)
    const { quantity } = await client.read(`/log/${id}.json`)
    const before = (await keptOf(farm, 'log', id)).quantity as readonly Json[]
    await change(id, { quantity: [quantity[1], quantity[0], { measure: null, value: '' }] })
    expect((await keptOf(farm, 'log', id)).quantity).toEqual([before[1], before[0]])
  })

  it('drops details of a value that has changed', async () => {
    const id = await aLog({ quantity: [part({ value: '0.333333', fraction: '1/3', type: 'test' })] })
    await change(id, { quantity: [{ value: '0.333333', label: 'third' }] })
    expect(await inside(id, 'quantity')).toEqual([{ value: '0.333333', label: 'third', fraction: '1/3', type: 'test' }])
    await change(id, { quantity: [{ value: '0.5', label: 'third' }] })
    expect(await inside(id, 'quantity')).toEqual([{ value: '0.5', label: 'third', type: 'test' }])
  })
})

describe('4 what the record interface shows, sent back to it, changes nothing', () => {
  it('words that it does not know are shown, and taken back in the same record only', async () => {
    const id = await aLog({ quantity: [part({ measure: 'speed', value: '3' })] })
    expect((await client.read(`/log/${id}.json`)).quantity[0].measure).toBe('speed')
    await expectEchoesToChangeNothing('log', id)
    const other = await client.create('log', { name: 'Other', type: 'farm_activity', timestamp: 1 })
    const refused = await client.put(`/log/${other}`, { quantity: [{ measure: 'speed', value: '3' }] })
    expect(refused.status).toBe(422)
    expect(refused.body.errors[0].allowed).not.toContain('speed')
    const anew = { name: 'New', type: 'farm_activity', timestamp: 1, quantity: [{ measure: 'speed' }] }
    expect((await client.post('/log', anew)).status).toBe(422)
  })

  it('what it asks for and another door does not', async () => {
    const seeding = (asset: Drafts) => aLog({ ...asset }, 'farm_seeding')
    for (const id of [await seeding({}), await seeding({ asset: [ref(ids.cow)] })]) {
      await expectEchoesToChangeNothing('log', id)
      await change(id, { name: 'Renamed' })
    }
    const body = { name: 'Seeding', type: 'farm_seeding', timestamp: 1 }
    expect((await client.post('/log', { ...body, asset: [] })).status).toBe(422)
    expect((await client.post('/log', { ...body, asset: [{ id: ids.cow }] })).status).toBe(422)
  })

  it('the status of a log that was abandoned', async () => {
    const id = await aLog({ status: 'abandoned' })
    expect((await client.read(`/log/${id}.json`)).done).toBe('0')
    await expectEchoesToChangeNothing('log', id)
    for (const no of [0, '0', false, null, '']) await change(id, { done: no, name: `Log ${no}` })
    expect((await keptOf(farm, 'log', id)).status).toBe('abandoned')
    expect((await change(id, { done: 1 })).done).toBe('1')
    expect((await change(id, { done: 0 })).done).toBe('0')
    expect((await keptOf(farm, 'log', id)).status).toBe('pending')
  })

  it.each(shareOfThisEngine(['plain_text', '']))('a text in the format "%s"', async (format) => {
    const id = await aLog({ notes: { value: 'Wet', format } })
    const { notes } = await client.read(`/log/${id}.json`)
    expect(notes).toEqual({ value: 'Wet', format: 'farm_format' })
    await expectEchoesToChangeNothing('log', id)
    await change(id, { notes: 'Wet', name: 'Renamed' })
    expect((await keptOf(farm, 'log', id)).notes).toEqual({ value: 'Wet', format })
    await change(id, { notes: 'Dry' })
    expect((await keptOf(farm, 'log', id)).notes).toEqual({ value: 'Dry', format: 'farm_format' })
    expect((await client.put(`/log/${id}`, { notes: { value: 'Dry', format } })).status).toBe(format === '' ? 200 : 422)
  })

  it('the description of a term, whatever its format', async () => {
    const drafts = { name: 'Kale', description: 'Green', description_format: 'plain_text' }
    const id = await makeByVerb(farm, { type: 'term', bundle: 'farm_crops', drafts })
    await expectEchoesToChangeNothing('term', id)
    expect(await client.read(`/taxonomy_term/${id}.json`)).not.toHaveProperty('description_format')
    await client.put(`/taxonomy_term/${id}`, { description: 'Curly' })
    expect(await keptOf(farm, 'term', id)).toMatchObject({ description: 'Curly' })
    expect(await keptOf(farm, 'term', id)).not.toHaveProperty('description_format')
  })
})

describe('4 what depends on other fields of a record', () => {
  it('is cut to what the other holds, by every change', async () => {
    const areas = [ref(ids.field), ref(ids.bed)]
    const id = await aLog({ area: [ref(ids.field)], asset_area: areas, aside: [ref(ids.bed)] })
    const kept = await keptOf(farm, 'log', id)
    expect(kept.asset_area).toEqual([Number(ids.field)])
    expect(kept).not.toHaveProperty('aside')
    await changeByVerb(farm, { type: 'log', id, drafts: { area: areas, asset_area: areas } })
    await change(id, { area: [{ id: ids.bed }] })
    expect((await keptOf(farm, 'log', id)).asset_area).toEqual([Number(ids.bed)])
    await change(id, { area: [] })
    expect(await keptOf(farm, 'log', id)).not.toHaveProperty('asset_area')
  })

  it('belongs to one revision, and goes with the next', async () => {
    const id = await aLog({ revision_log_message: 'First' })
    const message = async () => (await keptOf(farm, 'log', id)).revision_log_message
    await change(id, { name: 'Log' })
    expect([await message(), await revisionOf(farm, 'log', id)]).toEqual(['First', 1])
    await changeByVerb(farm, { type: 'log', id, drafts: { name: 'Second', revision_log_message: 'First' } })
    expect([await message(), await revisionOf(farm, 'log', id)]).toEqual(['First', 2])
    await change(id, { name: 'Third' })
    expect([await message(), await revisionOf(farm, 'log', id)]).toEqual([undefined, 3])
  })

  it('goes when what it is about changes', async () => {
    const drafts = { name: 'Shed', area_type: 'other', kind: 'structure' }
    const id = await makeByVerb(farm, { type: 'term', bundle: 'farm_areas', drafts })
    const kind = async (): Promise<Value | undefined> => (await keptOf(farm, 'term', id)).kind
    await client.put(`/taxonomy_term/${id}`, { name: 'Old shed', area_type: 'other' })
    expect(await kind()).toBe('structure')
    await client.put(`/taxonomy_term/${id}`, { area_type: 'field' })
    expect(await kind()).toBeUndefined()
  })
})

describe('4 a log that is not done may be pending or abandoned', () => {
  const named = (status: string, nth: number): Record<string, Draft> => ({ name: `Chore ${nth}`, status })

  beforeAll(async () => {
    const statuses = ['pending', 'abandoned', 'done', 'pending', 'done', 'abandoned']
    for (const [nth, status] of statuses.entries()) await aLog(named(status, nth), 'farm_maintenance')
  })

  const names = async (query: string): Promise<string> =>
    (await client.read(`/log.json?type=farm_maintenance&${query}`)).list
      .map((one: Json) => one.name.split(' ')[1])
      .join('')

  it.each(
    shareOfThisEngine([
      ['done=0', '0135'],
      ['done=', '0135'],
      ['done=1', '24'],
      ['done[ne]=1', '0135'],
      ['done[ne]=0', '24'],
      ['done[ne]=', '24'],
      ['done[]=0&done[]=1', '012345'],
      ['done=0&direction=DESC', '5310'],
      ['done=0&limit=2', '01'],
      ['done=0&limit=2&page=1', '35'],
      ['done=0&sort=name&direction=DESC', '5310'],
      ['sort=done', '013524'],
      ['sort=done&direction=DESC', '240135'],
      ['sort=done&limit=2&page=2', '24'],
    ]),
  )('is found by %s', async (query, expected) => {
    expect(await names(query)).toBe(expected)
  })

  it('is counted, too', async () => {
    const { last } = await client.read('/log.json?type=farm_maintenance&done=0&limit=1')
    expect(last).toContain('page=3')
  })
})

describe('4 what the record interface has of some types only', () => {
  const logs: Record<string, string> = {}

  beforeAll(async () => {
    const hidden = await client.create('taxonomy_term', { name: 'Hidden place', vocabulary: 'farm_areas' })
    logs.hidden = await aLog({ area: [ref(hidden)], date_purchase: 500 }, 'farm_seeding')
    logs.shown = await aLog({ area: [ref(hidden)], date_purchase: 900 }, 'farm_input')
    logs.earlier = await aLog({ date_purchase: 100 }, 'farm_input')
  })

  const found = async (query: string): Promise<string[]> => {
    const all = await client.ids(`/log.json?type[]=farm_seeding&type[]=farm_input&limit=1000&${query}`)
    return all.flatMap((id) => Object.keys(logs).filter((name) => logs[name] === id))
  }

  it.each(
    shareOfThisEngine([
      ['area=Hidden%20place', ['shown']],
      ['area[ne]=Hidden%20place', ['hidden', 'earlier']],
      ['area=', ['earlier']],
      ['area[ne]=', ['shown']],
      ['date_purchase[gt]=1', ['shown', 'earlier']],
      ['date_purchase=500', []],
      ['date_purchase[ne]=900', ['hidden', 'earlier']],
      ['sort=date_purchase', ['hidden', 'earlier', 'shown']],
      ['sort=date_purchase&direction=DESC', ['shown', 'earlier', 'hidden']],
    ]),
  )('is found and sorted by %s as it is shown', async (query, expected) => {
    expect(await found(query)).toEqual(expected)
  })

  it('also where nothing else is asked', async () => {
    expect(await client.ids('/log.json?area=Hidden%20place')).toEqual([logs.shown])
  })
})
