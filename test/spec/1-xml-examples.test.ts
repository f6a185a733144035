import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { openXmlReader } from '../xml/dom-tree.ts'
import { XmlClient } from '../xml/xml-client.ts'

const photo = 'data:image/png;base64,iVBORw0KGgo='
const paper = 'data:text/plain;base64,aGF5'

let json: Client
let xml: XmlClient
let vocabularies: Record<string, string>

beforeAll(async () => {
  const farm = await openFarm()
  json = await farm.login('worker')
  xml = new XmlClient(json, await openXmlReader())
  const { list } = await json.read('/taxonomy_vocabulary.json')
  vocabularies = Object.fromEntries(list.map((one: Json) => [one.machine_name, one.vid]))
})

const area = (name: string) =>
  json.create('taxonomy_term', { name, vocabulary: vocabularies.farm_areas, geofield: [{ geom: 'POINT (1 2)' }] })

describe('terms and areas in XML (spec 2.4, 2.5)', () => {
  test.each([
    ['the number', (vid: string) => `<vocabulary>${vid}</vocabulary>`],
    ['an attribute', (vid: string) => `<vocabulary id="${vid}"/>`],
    ['an element', (vid: string) => `<vocabulary><id>${vid}</id><resource>taxonomy_vocabulary</resource></vocabulary>`],
    ['the whole reference', (vid: string) => `<vocabulary resource="taxonomy_vocabulary" id="${vid}">x</vocabulary>`],
    ['the machine name', () => '<vocabulary>farm_crops</vocabulary>'],
  ])('2.4 the vocabulary is given as %s', async (_form, vocabulary) => {
    const term = await xml.create(
      'taxonomy_term',
      `<name>Kale</name>${vocabulary(vocabularies.farm_crops ?? '')}<description>Green</description><weight>3</weight>`,
    )
    expect(term).toMatchObject({
      name: 'Kale',
      description: 'Green',
      weight: '3',
      vocabulary: { id: vocabularies.farm_crops },
    })
  })

  test('2.4 a parent by id, and by name', async () => {
    const parent = await json.create('taxonomy_term', { name: 'Brassica', vocabulary: vocabularies.farm_crops })
    const byId = await xml.create(
      'taxonomy_term',
      `<name>Cabbage</name><vocabulary>farm_crops</vocabulary><parent><item id="${parent}"/></parent>`,
    )
    const byName = await xml.create(
      'taxonomy_term',
      '<name>Turnip</name><vocabulary>farm_crops</vocabulary><parent name="Brassica"/>',
    )
    expect([byId.parent[0].id, byName.parent[0].id]).toEqual([parent, parent])
  })

  test('2.5 an area with its type, geometry, photos and files', async () => {
    const term = await xml.create(
      'taxonomy_term',
      `<name>North field</name><vocabulary id="${vocabularies.farm_areas}"/><area_type>field</area_type>
       <geofield><item><geom>POINT (7.1 50.2)</geom></item></geofield>
       <images><item>${photo}</item></images><files><item>${paper}</item></files><flags><item>monitor</item></flags>`,
    )
    expect(term).toMatchObject({
      area_type: 'field',
      geofield: [{ geom: 'POINT (7.1 50.2)' }],
      images: [photo],
      files: [paper],
      flags: ['monitor'],
      assets: [],
    })
  })
})

describe('assets in XML (spec 2.3)', () => {
  test('2.3 a planting whose crop and season are made by name', async () => {
    const planting = await xml.create(
      'farm_asset',
      `<name>Lettuce &amp; more</name><type>planting</type><crop><item name="Lettuce"/><item><name>Chard</name></item></crop>
       <season><item name="2026"/></season><description><value>a &lt; b</value><format>farm_format</format></description>`,
    )
    expect(planting.crop.map(({ name }: Json) => name)).toEqual(['Lettuce', 'Chard'])
    expect(planting).toMatchObject({ name: 'Lettuce & more', description: { value: 'a < b', format: 'farm_format' } })
    expect(planting.season[0]).toMatchObject({ name: '2026', resource: 'taxonomy_term' })
  })

  test.each([
    ['a name as attribute', '<animal_type name="Sheep"/>'],
    ['a name as element', '<animal_type><name>Sheep</name></animal_type>'],
    ['a single item', '<animal_type><item name="Sheep"/></animal_type>'],
  ])('2.3 an animal whose species is given by %s', async (_form, type) => {
    const answer = await xml.send(
      'POST',
      '/farm_asset',
      `<farm_asset><name>Dolly</name><type>animal</type>${type}<animal_sex>F</animal_sex><animal_castrated>0</animal_castrated>
       <animal_nicknames><item>Doll</item></animal_nicknames><date>836438400</date>
       <tag><item id="UK 1"><location>left</location><type>Ear tag</type></item></tag></farm_asset>`,
    )
    const animal = await xml.read(`/farm_asset/${answer.tree.id}`)
    expect(animal).toMatchObject({
      animal_type: { name: 'Sheep' },
      animal_castrated: false,
      animal_nicknames: ['Doll'],
      tag: [{ id: 'UK 1', location: 'left', type: 'Ear tag' }],
    })
  })

  test('2.3 an animal is of one species', async () => {
    const species = '<animal_type><item name="Sheep"/><item name="Goat"/></animal_type>'
    const content = `<farm_asset><name>Dolly</name><type>animal</type>${species}</farm_asset>`
    expect((await xml.send('POST', '/farm_asset', content)).status).toBe(422)
  })

  test('2.3 an animal whose species is given by id, and equipment', async () => {
    const sheep = await json.create('taxonomy_term', { name: 'Goat', vocabulary: vocabularies.farm_animal_types })
    const goat = await xml.create('farm_asset', `<name>Billy</name><type>animal</type><animal_type id="${sheep}"/>`)
    expect(goat.animal_type).toMatchObject({ id: sheep, name: 'Goat' })
    const tractor = await xml.create(
      'farm_asset',
      '<name>Tractor</name><type>equipment</type><manufacturer>Fendt</manufacturer><model>Dieselross</model><serial_number>007</serial_number>',
    )
    expect(tractor).toMatchObject({ manufacturer: 'Fendt', model: 'Dieselross', serial_number: '007', archived: '0' })
  })
})

describe('logs in XML (spec 2.2, 2.8)', () => {
  test('2.2 an input with everything that an input has', async () => {
    const bed = await area('Bed 1')
    const log = await xml.create(
      'log',
      `<name>Compost</name><type>farm_input</type><timestamp>1760000000</timestamp><done>1</done>
       <notes><value>Two\r\nlines</value><format>farm_format</format></notes><area><item id="${bed}"/></area>
       <geofield><item><geom>POINT (1 2)</geom></item></geofield><flags><item>priority</item><item>review</item></flags>
       <log_category><item name="Soil"/></log_category><material><item name="Compost"/></material>
       <input_purpose>Food</input_purpose><input_method>Fork</input_method><input_source>Heap</input_source>
       <date_purchase>1750000000</date_purchase><lot_number>7</lot_number><data><![CDATA[{"a": "<b>"}]]></data>`,
    )
    expect(log).toMatchObject({
      done: '1',
      notes: { value: 'Two\nlines' },
      area: [{ id: bed, name: 'Bed 1' }],
      flags: ['priority', 'review'],
      material: [{ name: 'Compost' }],
      data: '{"a": "<b>"}',
    })
  })

  test('2.8 quantities, inventory, membership and movement', async () => {
    const group = await json.create('farm_asset', { name: 'Herd', type: 'group' })
    const hay = await json.create('farm_asset', { name: 'Hay', type: 'compost' })
    const bed = await area('Bed 2')
    const log = await xml.create(
      'log',
      `<name>Everything</name><type>farm_activity</type><timestamp>1760000000</timestamp><asset><item id="${hay}"/></asset>
       <quantity><item><measure>weight</measure><value>12.50</value><unit name="kg"/><label>dry</label></item>
                 <item><measure>count</measure><value>3</value></item></quantity>
       <inventory><item><asset id="${hay}"/><value>-4</value></item></inventory>
       <membership><group><item id="${group}"/></group></membership>
       <movement><area><item id="${bed}"/></area><geometry>POINT (3 4)</geometry></movement>`,
    )
    expect(log).toMatchObject({
      quantity: [
        { measure: 'weight', value: '12.50', unit: { name: 'kg' }, label: 'dry' },
        { measure: 'count', value: '3', label: null },
      ],
      inventory: [{ asset: { id: hay }, value: '-4' }],
      membership: { group: [{ id: group }] },
      movement: { area: [{ id: bed }], geometry: 'POINT (3 4)' },
    })
  })

  test('2.2 a seeding, under the older internal names', async () => {
    const planting = await json.create('farm_asset', { name: 'Peas', type: 'planting', crop: [{ name: 'Pea' }] })
    const bed = await area('Bed 3')
    const log = await xml.create(
      'log',
      `<name>Peas in</name><type>farm_seeding</type><timestamp>1760000000</timestamp><done>1</done>
       <field_farm_asset><item id="${planting}" resource="farm_asset"/></field_farm_asset>
       <field_farm_movement><area id="${bed}"/></field_farm_movement><field_farm_notes>In rows</field_farm_notes>
       <field_farm_seed_source>Own</field_farm_seed_source>`,
    )
    expect(log).toMatchObject({ asset: [{ id: planting }], notes: { value: 'In rows' }, seed_source: 'Own' })
    expect(await xml.read(`/farm_asset/${planting}`)).toMatchObject({
      location: [{ id: bed }],
      geometry: 'POINT (1 2)',
    })
  })
})

describe('changes in XML (spec 4)', () => {
  test('4 an update changes what it names, empties what is nil, and keeps the rest', async () => {
    const log = await xml.create(
      'log',
      '<name>Before</name><type>farm_harvest</type><timestamp>1760000000</timestamp><lot_number>1</lot_number><data>keep</data>',
    )
    for (const [method, path] of [
      ['PUT', `/log/${log.id}`],
      ['PUT', `/log/${log.id}.xml`],
      ['POST', `/log/${log.id}`],
    ] as const) {
      const answer = await xml.send(method, path, '<log><name>After</name><lot_number nil="true"/></log>')
      expect(answer).toMatchObject({
        status: 200,
        root: 'log',
        tree: { name: 'After', lot_number: null, data: 'keep' },
      })
    }
    expect(await xml.read(`/log/${log.id}`)).toMatchObject({ name: 'After', lot_number: null, data: 'keep' })
  })

  test('4 a record that was read in XML can be sent back as it came', async () => {
    const bed = await area('Bed 4')
    const made = await xml.create(
      'log',
      `<name> Echo </name><type>farm_activity</type><timestamp>1760000000</timestamp><area id="${bed}"/><images>${photo}</images>
       <quantity><value>1.0</value></quantity>`,
    )
    const { text } = await xml.get(`/log/${made.id}.xml`)
    const answer = await xml.send('PUT', `/log/${made.id}`, text)
    expect(answer, answer.text).toMatchObject({ status: 200 })
    expect(await xml.read(`/log/${made.id}`)).toEqual(made)
  })

  test('4 a removal is answered with an empty list', async () => {
    const log = await xml.create('log', '<name>Gone</name><type>farm_activity</type><timestamp>1</timestamp>')
    const answer = await xml.send('DELETE', `/log/${log.id}.xml`)
    expect(answer).toMatchObject({ status: 200, root: 'list', tree: [] })
    expect(await xml.get(`/log/${log.id}.xml`)).toMatchObject({ status: 404, root: 'problem' })
  })
})
