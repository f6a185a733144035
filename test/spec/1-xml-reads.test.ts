import { beforeAll, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { asXmlSays, openXmlReader } from '../xml/dom-tree.ts'
import { XmlClient } from '../xml/xml-client.ts'

let json: Client
let anonymous: XmlClient
let xml: XmlClient

beforeAll(async () => {
  const farm = await openFarm()
  json = await farm.login('worker')
  const reader = await openXmlReader()
  xml = new XmlClient(json, reader)
  anonymous = new XmlClient(farm.anonymous, reader)
  for (const name of ['One', 'Two', 'Three']) {
    const images = ['data:image/png;base64,iVBORw0KGgo=']
    await json.create('log', {
      name,
      type: 'farm_activity',
      timestamp: '1760000000',
      images,
      done: name === 'Two' ? '1' : '0',
    })
    await json.create('farm_asset', { name, type: 'equipment' })
  }
})

/** The list that JSON gives, as a list in XML has it: its links, then its items. */
function asXmlList({ list, ...links }: Json, item: string): Json {
  const relations = Object.entries(links).map(([rel, href]) => ['link', { rel, href }])
  return [...relations, ...list.map((one: Json) => [item, asXmlSays(one)])]
}

describe('reads in XML (spec 1.2, 4)', () => {
  test.each(
    shareOfThisEngine([
      ['/log', 'log', ''],
      ['/log', 'log', '?done=1'],
      ['/log', 'log', '?limit=2&page=1&sort=name&direction=DESC'],
      ['/log', 'log', '?full=0'],
      ['/log', 'log', '?field_farm_done=1&name=nothing%20%26%20%3Cnobody%3E'],
      ['/log', 'log', '?files=inline&timestamp[ge]=5'],
      ['/farm_asset', 'farm_asset', '?type=equipment'],
      ['/farm_asset', 'farm_asset', '?with=group,inventory'],
      ['/taxonomy_term', 'taxonomy_term', '?bundle=farm_log_categories'],
      ['/taxonomy_vocabulary', 'taxonomy_vocabulary', '?machine_name=farm_crops'],
      ['/taxonomy_vocabulary', 'taxonomy_vocabulary', '?full=0'],
      ['/user', 'user', ''],
    ]),
  )('4 the list %s of <%s> with "%s" is the list of the JSON', async (path, item, query) => {
    const { root, tree } = await xml.get(`${path}.xml${query}`)
    expect([root, tree]).toEqual(['list', asXmlList(await json.read(`${path}.json${query}`), item)])
  })

  test.each(
    shareOfThisEngine([
      '/farm',
      '/taxonomy_vocabulary/1',
      '/user/1',
      '/file/1',
      '/taxonomy_term/1',
      '/farm_asset/1',
      '/log/1',
    ]),
  )('4 %s says the same in both formats', async (path) => {
    await xml.read(path)
  })

  test('2.6 the info record names languages by their code and resources by their names', async () => {
    const { root, text, tree } = await xml.get('/farm.xml')
    expect(root).toBe('farm')
    expect(text).toContain('<languages><en><language>en</language>')
    expect(tree.resources.log.farm_harvest.fields.quantity.fields.measure.allowed_values).toContain('weight')
  })

  test.each(shareOfThisEngine(['/farm', '/log/1', '/log', '/taxonomy_vocabulary', '/file/1', '/user/1']))(
    '1.2 %s without an extension is XML to whoever asks for it',
    async (path) => {
      expect((await xml.get(path, 'application/xml')).status).toBe(200)
      expect((await xml.get(path, 'text/xml;q=0.9, */*;q=0.1')).status).toBe(200)
      expect((await json.get(path)).headers.get('content-type')).toMatch(/^application\/json\b/)
      const asBrowser = await json.get(path, {
        accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      })
      expect(asBrowser.headers.get('content-type')).toMatch(/^application\/json\b/)
    },
  )

  test('1.2 the extension decides, whatever is accepted', async () => {
    expect((await xml.get('/log/1.xml', 'application/json')).root).toBe('log')
    expect((await json.get('/log/1.json', { accept: 'application/xml' })).body.id).toBe('1')
  })

  test.each(shareOfThisEngine(['/farm/areas/geojson.xml', '/openapi.xml', '/api.xml']))(
    '%s is not there: it has one format',
    async (path) => {
      expect(await xml.get(path)).toMatchObject({ status: 404, root: 'problem' })
    },
  )

  test('GeoJSON stays GeoJSON for whoever asks for XML', async () => {
    const answer = await json.get('/farm/areas/geojson', { accept: 'application/xml' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toMatch(/^application\/geo\+json\b/)
  })
})

describe('refusals in XML (spec 7)', () => {
  test('7 all faults of a body, each with its place and what is allowed', async () => {
    const content =
      '<name/><type>farm_activity</type><timestamp>x</timestamp><quantity><item><measure>fun</measure></item></quantity>'
    const answer = await xml.send('POST', '/log', `<log>${content}</log>`)
    expect(answer).toMatchObject({ status: 422, root: 'problem', tree: { status: '422' } })
    expect(answer.headers.get('content-type')).toBe('application/problem+xml; charset=utf-8')
    const faults = Object.fromEntries(answer.tree.errors.map((fault: Json) => [fault.field, fault]))
    expect(Object.keys(faults).sort()).toEqual(['name', 'quantity[0].measure', 'timestamp'])
    expect(faults['quantity[0].measure'].allowed).toContain('weight')
  })

  test.each(
    shareOfThisEngine([
      ['GET', '/log/999.xml', 404],
      ['GET', '/nowhere.xml', 404],
      ['GET', '/log.xml?nonsense=1', 400],
      ['DELETE', '/log.xml', 405],
      ['PUT', '/log/1.xml', 415],
    ]),
  )('7 %s %s answers %i in XML', async (method, path, status) => {
    expect(await xml.send(method, path)).toMatchObject({ status, root: 'problem' })
  })

  test('7 a body in XML that cannot be read is refused in XML, one in JSON by Accept', async () => {
    expect(await xml.send('POST', '/log', '<log><name>')).toMatchObject({ status: 400, root: 'problem' })
    const answer = await json.send('POST', '/log', {
      headers: { 'content-type': 'application/xml', accept: 'application/json' },
      body: '<log><name>',
    })
    expect([answer.status, answer.body.type]).toEqual([400, 'urn:furrow:refusal:unreadable-body'])
  })

  test('5 who is not logged in is told so in XML', async () => {
    expect(await anonymous.get('/log.xml')).toMatchObject({ status: 403, root: 'problem' })
    expect(await anonymous.send('POST', '/log', '<log/>')).toMatchObject({ status: 403, root: 'problem' })
  })

  test.each(shareOfThisEngine(['\u0000', '\u0001', '\u001f', '\ufffe', '\uffff', '\ud800']))(
    '1.2 %j is refused in both formats',
    async (odd) => {
      const body = { name: `a${odd}`, type: 'farm_activity', timestamp: '1' }
      const inJson = await json.post('/log', body)
      const reference = `&#${odd.charCodeAt(0)};`
      const inXml = await xml.send('POST', '/log', `<log><name>a${reference}</name></log>`)
      expect([inJson.status, inXml.status]).toEqual([400, 400])
    },
  )
})
