import { beforeAll, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

let farm: FarmUnderTest
let client: Client

beforeAll(async () => {
  farm = await openFarm()
  client = await farm.login('viewer')
})

const names = [
  ...['farm_animal_types', 'farm_areas', 'farm_crop_families', 'farm_crops', 'farm_log_categories', 'farm_materials'],
  ...['farm_quantity_units', 'farm_season', 'farm_soil_names'],
]

it.each(['/taxonomy_vocabulary', '/taxonomy_vocabulary.json', '/taxonomy_vocabulary.json/'])(
  '4 %s lists the vocabularies with their numbers',
  async (path) => {
    const { list, self, first, last } = await client.read(path)
    expect(list.map((one: { machine_name: string }) => one.machine_name).toSorted()).toEqual(names)
    for (const one of list) {
      expect(one).toEqual({
        vid: expect.stringMatching(/^\d+$/),
        id: one.vid,
        name: expect.any(String),
        machine_name: expect.any(String),
        description: expect.any(String),
        url: `${farm.base}/taxonomy_vocabulary/${one.vid}`,
      })
    }
    const link = `${farm.base}/taxonomy_vocabulary?page=0`
    expect([self, first, last]).toEqual([link, link, link])
  },
)

it('4.1 a vocabulary is found by its machine name, also by number and name', async () => {
  const find = async (query: string) =>
    (await client.read(`/taxonomy_vocabulary.json?${query}`)).list.map((one: { vid: string }) => one.vid)
  const [vid] = await find('machine_name=farm_areas')
  expect(vid).toMatch(/^\d+$/)
  expect(await find(`vid=${vid}`)).toEqual([vid])
  expect(await find(`id[]=${vid}&id[]=999`)).toEqual([vid])
  expect(await find('name=farm%20areas')).toEqual([vid])
  expect(await find('machine_name=nothing')).toEqual([])
  const refused = await client.get('/taxonomy_vocabulary.json?colour=red')
  expect(refused.status).toBe(400)
  expect(refused.body.errors[0]).toMatchObject({ field: 'colour', allowed: expect.arrayContaining(['machine_name']) })
})

it('4 one vocabulary, and none', async () => {
  const [one] = (await client.read('/taxonomy_vocabulary.json?machine_name=farm_crops')).list
  expect(await client.read(`/taxonomy_vocabulary/${one.vid}.json`)).toEqual(one)
  expect(await client.read(`/taxonomy_vocabulary/${one.vid}`)).toEqual(one)
  expect((await client.get('/taxonomy_vocabulary/999.json')).status).toBe(404)
  expect((await client.get('/taxonomy_vocabulary/x.json')).status).toBe(404)
})

it('4 vocabularies page, and full=0 gives references', async () => {
  const page = await client.read('/taxonomy_vocabulary.json?limit=4&page=2&full=0')
  expect(page.list).toHaveLength(1)
  expect(page.list[0]).toEqual({
    uri: `${farm.base}/taxonomy_vocabulary/${page.list[0].id}`,
    id: expect.stringMatching(/^\d+$/),
    resource: 'taxonomy_vocabulary',
  })
  expect((await client.get('/taxonomy_vocabulary.json?limit=4&page=3')).status).toBe(404)
})

it.each(['taxonomy_vocabulary.json?vid=x', 'taxonomy_vocabulary.json?id[]=1&id[]=1,2', 'user.json?uid=1.5'])(
  '4.1 what is no id is refused by name: %s',
  async (query) => {
    const answer = await client.get(`/${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toMatchObject([{ message: expect.stringMatching(/^".*" is not an id$/) }])
  },
)

it('4.1 no vocabulary is without an id', async () => {
  expect((await client.read('/taxonomy_vocabulary.json?vid=')).list).toEqual([])
})

it('4.1 vocabularies are sorted by their fields, and by nothing else', async () => {
  const sorted = async (query: string) =>
    (await client.read(`/taxonomy_vocabulary.json?${query}`)).list.map((one: Json) => one.machine_name)
  const names = (await sorted('')).toSorted()
  expect(await sorted('sort=machine_name')).toEqual(names)
  expect(await sorted('sort=machine_name&direction=desc&limit=2&page=1')).toEqual(names.toReversed().slice(2, 4))
  expect(await sorted('direction=DESC')).toEqual((await sorted('sort=vid')).toReversed())
  expect((await client.get('/taxonomy_vocabulary.json?sort=bogus')).body.errors).toMatchObject([
    { field: 'sort', allowed: ['vid', 'id', 'name', 'machine_name', 'description'] },
  ])
})

it('4 vocabularies come from the installed catalogue and are not written here', async () => {
  const manager = await farm.login('manager')
  const answer = await manager.post('/taxonomy_vocabulary', { name: 'x', machine_name: 'x' })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
})
