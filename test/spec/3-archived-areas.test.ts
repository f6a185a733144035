import { beforeAll, expect, it } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

const then = '1600000000'
let client: Client
let field: string
let meadow: string

beforeAll(async () => {
  const farm = await openFarm()
  client = await farm.login()
  const area = (name: string) => client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: 'field' })
  field = await area('Field')
  meadow = await area('Meadow')
})

const archive = (archived: unknown) => client.put(`/taxonomy_term/${field}`, { archived })
const archivedOf = async (id: string) => (await client.read(`/taxonomy_term/${id}.json?with=archived`)).archived

it('3 an area is archived by a time and taken out again, which is shown to who asks for it', async () => {
  expect((await archive(then)).status).toBe(200)
  expect(await archivedOf(field)).toBe(then)
  expect(await archivedOf(meadow)).toBe('0')
  expect(await client.read(`/taxonomy_term/${field}.json`)).not.toHaveProperty('archived')
  for (const none of ['0', 0, null, false, '']) {
    await archive(then)
    expect((await archive(none)).status).toBe(200)
    expect(await archivedOf(field)).toBe('0')
  }
  expect((await archive('yesterday')).body.errors).toMatchObject([{ field: 'archived' }])
})

it('3 a crop is not archived', async () => {
  const crop = await client.create('taxonomy_term', { name: 'Leek', vocabulary: 'farm_crops' })
  expect((await client.put(`/taxonomy_term/${crop}`, { archived: then })).body.errors).toMatchObject([
    { field: 'archived' },
  ])
})

it('3 areas are filtered by whether they are archived, and by when', async () => {
  await archive(then)
  const named = async (filter: string) =>
    (await client.read(`/taxonomy_term.json?bundle=farm_areas&${filter}`)).list.map(({ name }: Json) => name)
  expect(await named('archived=1')).toEqual(['Field'])
  expect(await named('archived=0')).toEqual(['Meadow'])
  expect(await named(`archived=${then}`)).toEqual(['Field'])
  expect(await named('archived[gt]=0')).toEqual(['Field'])
})

it('3 who follows the changes is told, and the newer interface says the same', async () => {
  await archive(0)
  const { next } = await client.read('/changes')
  await archive(then)
  const { changes } = await client.read(`/changes?since=${next}`)
  expect(changes).toMatchObject([{ id: field, record: { archived: then } }])
  const { data } = await client.read('/api/asset/land?filter[name]=Field')
  expect(data[0].attributes).toMatchObject({ status: 'archived', archived: expect.stringMatching(/^2020-09-13/) })
  await archive(0)
  const after = await client.read('/api/asset/land?filter[status]=active')
  expect(after.data.map(({ attributes }: Json) => attributes.name)).toContain('Field')
})
