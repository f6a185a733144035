import { expect, test } from 'vitest'
import beehives from '../../examples/beehives.mjs'
import type { CatalogueDocument } from '../../src/doors/app/documents.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { openFarm } from '../harness/farm.ts'

const farm = await openFarm()
const viewer = await farm.login('viewer')

const readCatalogue = async (): Promise<CatalogueDocument> => viewer.read('/catalogue.json')

test('the catalogue has every type and every field of the info record, under the same names', async () => {
  const { types } = await readCatalogue()
  const { resources } = await viewer.read('/farm.json')
  expect(Object.keys(types)).toEqual(Object.keys(resources))
  expect(Object.keys(types)).toHaveLength(3)
  for (const [type, bundles] of Object.entries(types)) {
    const ahead = type === 'log' ? ['farm_purchase', 'farm_sale'] : []
    expect(Object.keys(bundles).filter((name) => !ahead.includes(name))).toEqual(Object.keys(resources[type]))
    expect(Object.keys(bundles)).toEqual(expect.arrayContaining(ahead))
    for (const [name, { label, plural, fields, id }] of Object.entries(bundles)) {
      if (ahead.includes(name)) continue
      const known = resources[type][name]
      expect([label, plural, id]).toEqual([known.label, known.label_plural, known.vid])
      const shown = Object.keys(fields).filter((field) => !fields[field]?.on_request)
      expect(new Set(shown)).toEqual(new Set([...Object.keys(known.fields), ...Object.keys(known.properties)]))
    }
  }
})

test('the catalogue says what a reference points to, what a choice chooses from, what a part has', async () => {
  const { types, lists } = await readCatalogue()
  const log = types.log.farm_activity?.fields
  expect(log?.area).toEqual({
    label: 'Areas',
    kind: 'reference',
    many: true,
    to: 'taxonomy_term',
    within: ['farm_areas'],
  })
  expect(log?.movement?.fields?.area).toMatchObject({ to: 'taxonomy_term', within: ['farm_areas'] })
  expect(log?.quantity?.fields?.measure).toMatchObject({ kind: 'choice', list: 'measures' })
  expect(lists.measures).toContainEqual({ value: 'length', label: 'Length/depth' })
  expect(lists.measures?.map(({ value }) => value)).not.toContain('speed')
  expect(lists.area_types).toContainEqual({ value: 'field', label: 'Field' })
  expect(types.farm_asset.animal?.fields.location).toMatchObject({ computed: 'location' })
  expect(types.log.farm_seeding?.fields.area).toBeUndefined()
  const chosen = Object.values(types.log).flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ list }) => list ?? []),
  )
  expect(chosen).not.toEqual([])
  for (const list of chosen) expect(lists[list]?.length).toBeGreaterThan(0)
})

test('the catalogue is small, and is not sent to who has it', async () => {
  const first = await viewer.get('/catalogue.json')
  expect(first.text.length).toBeLessThan(60_000)
  const again = await viewer.get('/catalogue.json', { 'if-none-match': first.headers.get('etag') ?? '' })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('the catalogue has what modules add', async () => {
  const larger = await openFarm({ farm: await beehives(stockFarm, kit) })
  const catalogue: CatalogueDocument = await (await larger.login()).read('/catalogue.json')
  expect(Object.keys(catalogue.types.farm_asset)).toContain('hive')
  expect(catalogue.catalogue).not.toBe((await readCatalogue()).catalogue)
})
