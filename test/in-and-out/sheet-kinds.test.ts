import { expect, it } from 'vitest'
import { withLogType } from '../../src/farm/additions.ts'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import { recordsOfCsv, rowsOfCsv } from '../harness/csv.ts'
import { engineUnderTest, placeWithTables } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

const { text, longText, richText, timestamp, period, yesNo, whole, decimal, choice, reference, termsOf } = kit
const { geometry, attachments, part } = kit

const everything = withLogType(stockFarm, 'farm_everything', {
  label: 'Everything',
  plural: 'Everything',
  fields: {
    word: text('Word'),
    words: text('Words', { many: true }),
    long: longText('Long'),
    rich: richText('Rich'),
    moment: timestamp('Moment'),
    span: period('Span'),
    ready: yesNo('Ready'),
    count: whole('Count'),
    amount: decimal('Amount'),
    sex: choice('Sex', 'sexes'),
    marks: choice('Marks', 'flags', { many: true, open: true }),
    tool: reference('Tool', 'asset'),
    tools: reference('Tools', 'asset', { many: true }),
    season_of: termsOf('Season of', 'farm_season'),
    crops: termsOf('Crops', 'farm_crops', { many: true }),
    helper: reference('Helper', 'user'),
    before: reference('Log before', 'log'),
    point: geometry('Point'),
    shapes: geometry('Shapes', { many: true }),
    papers: attachments('Papers', 'any'),
    check: part('Check', {
      by: text('By', { many: true }),
      value: decimal('Value'),
      unit: termsOf('Unit', 'farm_quantity_units'),
      fine: yesNo('Fine'),
      at: timestamp('At'),
      where: geometry('Where'),
    }),
    steps: part('Steps', { what: text('What'), with: reference('With', 'asset'), at: timestamp('At') }, { many: true }),
  },
})

it('every kind of field is a cell that people read, alone and in parts', async () => {
  const place = await placeWithTables(engineUnderTest())
  const farm = await openFarm({ place, farm: everything })
  const client = await farm.login('manager')
  const asset = (name: string) => client.create('farm_asset', { name, type: 'equipment' })
  const [plough, cart, other] = [await asset('Plough; old'), await asset('Cart'), await asset('CART')]
  const log = { type: 'farm_activity', timestamp: '1700000000' }
  const before = await client.create('log', { ...log, name: 'Before' })
  const me = (await client.read('/user.json')).list.find(({ name }: { name: string }) => name === client.login.name).id
  const strange = 'a\u200eb\u200fc\u{1F468}\u200d\u{1F33E} \uFEFFd'
  const id = await client.create('log', {
    ...log,
    type: 'farm_everything',
    name: strange,
    word: '-1.50',
    words: ['=a', 'b;c', '"d'],
    long: '@x\r\ny',
    rich: { value: '<p>Rich & "plain"</p>', format: 'farm_format' },
    moment: '-1',
    span: { value: '0', value2: '86400' },
    ready: true,
    count: '-7',
    amount: '+007.50',
    sex: 'M',
    marks: ['my own', 'priority'],
    tool: { id: plough },
    tools: [{ id: cart }, { id: other }, { id: plough }],
    season_of: { name: '2025' },
    crops: [{ name: 'Kale, red' }, { name: 'Chard' }],
    helper: { id: me },
    before: { id: before },
    point: 'POINT (1 2)',
    shapes: [{ geom: 'POINT (3 4)' }, { geom: 'LINESTRING (1 2, 3 4)' }],
    papers: ['data:text/plain;base64,YQ==', 'data:text/plain;base64,Yg=='],
    check: { by: ['x', 'y;z'], value: '1', unit: { name: 'kg' }, fine: true, at: '1700000000', where: 'POINT (5 6)' },
    steps: [{ what: 'one', with: { id: cart }, at: '1700000000' }, { what: 'two' }],
  })
  const answer = await client.get(`/log.csv?id=${id}&type=farm_everything`)
  const { papers } = await client.read(`/log/${id}.json?files=link`)
  expect(recordsOfCsv(answer.text)).toMatchObject([
    {
      name: strange,
      word: '-1.50',
      words: `'=a; "b;c"; """d"`,
      long: "'@x\r\ny",
      rich: '<p>Rich & "plain"</p>',
      moment: '1969-12-31T23:59:59+00:00',
      span: '1970-01-01T00:00:00+00:00/1970-01-02T00:00:00+00:00',
      ready: 'yes',
      count: '-7',
      amount: "'+007.50",
      sex: 'M',
      marks: 'my own; priority',
      tool: 'Plough; old',
      tools: `Cart #${cart}; CART #${other}; "Plough; old"`,
      season_of: '2025',
      crops: 'Kale, red; Chard',
      helper: client.login.name,
      before: 'Before',
      point: 'POINT (1 2)',
      shapes: 'POINT (3 4); LINESTRING (1 2, 3 4)',
      papers: papers.join('; '),
      'check.by': 'x; "y;z"',
      'check.value': '1',
      'check.unit': 'kg',
      'check.fine': 'yes',
      'check.at': '2023-11-14T22:13:20+00:00',
      'check.where': 'POINT (5 6)',
      steps: `[{"what":"one","with":{"id":"${cart}","name":"Cart"},"at":"1700000000"},{"what":"two"}]`,
    },
  ])
  const numbered = recordsOfCsv((await client.get(`/log.csv?id=${id}&refs=id&times=unix&rows=steps`)).text)
  expect(numbered).toMatchObject([
    { tool: plough, helper: me, before, span: '0/86400', 'steps.with': cart, 'steps.at': '1700000000' },
    { tool: plough, helper: me, before, moment: '-1', 'steps.what': 'two', 'steps.with': '' },
  ])
  await farm.close()

  // Without the module the record is still there, with what every log has.
  const without = await openFarm({ place })
  const viewer = await without.login('viewer')
  expect(recordsOfCsv((await viewer.get(`/log.csv?id=${id}`)).text)).toMatchObject([
    { id, type: 'farm_everything', name: strange },
  ])
})

it('what only the newer generation has is there from its first record on, and what it hides stays hidden', async () => {
  const farm = await openFarm()
  const client = await farm.login('manager')
  const heads = async (path: string) => rowsOfCsv((await client.get(path)).text)[0] ?? []
  const before = await heads('/farm_asset.csv')
  const headers = { 'content-type': 'application/vnd.api+json' }
  const make = async (path: string, data: object) => {
    const made = await client.send('POST', `/api/${path}`, { headers, body: JSON.stringify({ data }) })
    expect(made.status, made.text).toBe(201)
    return made.body.data
  }
  const area = await client.create('taxonomy_term', { name: 'Bed', vocabulary: 'farm_areas' })
  const uuidOf = async (term: string) => (await client.read(`/taxonomy_term/${term}.json?with=uuid`)).uuid
  const straw = await uuidOf(await client.create('taxonomy_term', { name: 'Straw', vocabulary: 'farm_materials' }))
  await make('asset/material', {
    type: 'asset--material',
    attributes: { name: 'Straw' },
    relationships: { material_type: { data: { type: 'taxonomy_term--material_type', id: straw } } },
  })
  const rows = recordsOfCsv((await client.get('/farm_asset.csv')).text)
  expect(rows).toMatchObject([{ type: 'material', name: 'Straw' }])
  expect(await heads('/farm_asset.csv')).toEqual(expect.arrayContaining([...before]))
  expect(await heads('/farm_asset.csv')).not.toContain('is_location')

  const waiting = await make('quantity/test', { type: 'quantity--test', attributes: {} })
  await make('log/seeding', {
    type: 'log--seeding',
    attributes: { name: 'Sown', timestamp: '2024-05-01T08:00:00+00:00', status: 'abandoned' },
    relationships: {
      location: { data: [{ type: 'asset--land', id: await uuidOf(area) }] },
      quantity: { data: [{ type: waiting.type, id: waiting.id }] },
    },
  })
  const [sown] = recordsOfCsv((await client.get('/log.csv?type[]=farm_seeding&type[]=farm_activity')).text)
  // The area of a seeding is nothing that the record interface shows, nor what kind of quantity it is.
  expect(sown).toMatchObject({ name: 'Sown', done: 'no', area: '' })
  expect(JSON.parse(sown?.quantity ?? '')).toEqual([{ measure: null, value: null, label: null }])
})
