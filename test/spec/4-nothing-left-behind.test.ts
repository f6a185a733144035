import { beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { rowCounts } from '../records/rows.ts'
import { png, textFile } from '../records/sample-files.ts'

let farm: FarmUnderTest
let client: Client
let id: string

/** Much that would be created on the way: terms of four vocabularies, two files, references. */
const good = {
  name: 'L',
  type: 'farm_input',
  timestamp: '1',
  done: '1',
  material: [{ name: 'Fresh material' }],
  log_category: [{ name: 'Fresh category' }],
  movement: { area: [{ name: 'Fresh area' }] },
  quantity: [{ value: '1', unit: { name: 'fresh unit' } }],
  images: [png('fresh')],
  files: [textFile('fresh')],
}

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login()
  id = await client.create('log', { name: 'Old', type: 'farm_input', timestamp: '1', files: [textFile('old')] })
})

const faults: readonly (readonly [string, Record<string, unknown>])[] = [
  ['no name', { name: '' }],
  ['a reference to nothing', { asset: [{ id: '999' }] }],
  ['a reference to nothing inside a part', { inventory: [{ asset: { id: '999' }, value: '1' }] }],
  ['a bad geometry', { geofield: 'POINT (1' }],
  ['an unknown field', { colour: 'red' }],
  ['a file that is none', { files: [textFile('fresh'), 'data:text/plain;base64,Q'] }],
  ['a file that is not there', { files: [textFile('fresh'), { id: '999' }] }],
  ['a bad number', { quantity: [{ value: 'x', unit: { name: 'fresh unit' } }] }],
]

describe('4 a refused write leaves no record, term, file or note of it', () => {
  it.each(faults)('%s, on create', async (_what, fault) => {
    const before = await rowCounts(farm)
    expect((await client.post('/log', { ...good, ...fault })).status).toBe(422)
    expect(await rowCounts(farm)).toEqual(before)
  })

  it.each(faults)('%s, on update', async (_what, fault) => {
    const before = { rows: await rowCounts(farm), record: await client.read(`/log/${id}.json`) }
    const { type: _type, ...change } = { ...good, ...fault }
    expect((await client.put(`/log/${id}`, change)).status).toBe(422)
    expect({ rows: await rowCounts(farm), record: await client.read(`/log/${id}.json`) }).toEqual(before)
  })

  it.each(['viewer', null] as const)('%s may not write, by name neither', async (role) => {
    const other = await farm.login(role)
    const before = await rowCounts(farm)
    expect((await other.post('/log', good)).status).toBe(403)
    expect((await other.put(`/log/${id}`, { files: [], material: [{ name: 'Fresh material' }] })).status).toBe(403)
    expect((await other.delete(`/log/${id}`)).status).toBe(403)
    expect((await farm.anonymous.post('/log', good)).status).toBe(403)
    expect(await rowCounts(farm)).toEqual(before)
  })

  it('a refused removal leaves everything', async () => {
    const area = await client.create('taxonomy_term', { name: 'Held', vocabulary: 'farm_areas', images: [png('held')] })
    await client.create('log', { name: 'L', type: 'farm_activity', timestamp: '1', area: [{ id: area }] })
    const before = await rowCounts(farm)
    expect((await client.delete(`/taxonomy_term/${area}`)).status).toBe(409)
    expect(await rowCounts(farm)).toEqual(before)
  })
})

it('4 and the same body without the fault leaves all of it', async () => {
  const before = await rowCounts(farm)
  await client.create('log', good)
  const after = await rowCounts(farm)
  expect({ log: after.log, term: after.term, file: after.file, blob: after.blob, journal: after.journal }).toEqual({
    log: (before.log ?? 0) + 1,
    term: (before.term ?? 0) + 4,
    file: (before.file ?? 0) + 2,
    blob: (before.blob ?? 0) + 2,
    journal: (before.journal ?? 0) + 5,
  })
})
