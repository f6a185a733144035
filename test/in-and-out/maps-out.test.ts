import { SaxesParser } from 'saxes'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'

const day = 86_400
const start = 1_700_000_000
const area = (name: string, more: object = {}) => ({ name, vocabulary: 'farm_areas', ...more })

describe('lists of records as maps', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeEach(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
    return () => farm.close()
  })

  const features = async (path: string): Promise<Json[]> => (await worker.read(path)).features
  const sendBack = (text: string, type: string) =>
    worker.send('POST', '/taxonomy_term.json', { headers: { 'content-type': type }, body: text })

  /** Two areas, a cow that moved from the one to the other, and a log of its own place. */
  async function filledFarm() {
    const north = await worker.create(
      'taxonomy_term',
      area('North', { area_type: 'field', geofield: 'POINT (7.10 51.2)', description: 'a <b> & "c"' }),
    )
    const south = await worker.create(
      'taxonomy_term',
      area('South', { geofield: 'POINT(7.2 51.3)', parent: [{ id: north }], flags: ['review', 'monitor'] }),
    )
    await worker.create('taxonomy_term', area('Nowhere'))
    await worker.create('taxonomy_term', { name: 'Kale', vocabulary: 'farm_crops' })
    const cow = await worker.create('farm_asset', { name: 'Bessie', type: 'animal', animal_type: [{ name: 'Cow' }] })
    const move = (timestamp: number, to: string) =>
      worker.create('log', {
        name: `To ${to}`,
        type: 'farm_activity',
        timestamp,
        done: 1,
        asset: [{ id: cow }],
        movement: { area: [{ id: to }] },
      })
    await move(start, north)
    await move(start + 2 * day, south)
    const log = await worker.create('log', {
      name: 'Soil',
      type: 'farm_soil_test',
      timestamp: start,
      done: 1,
      geofield: 'LINESTRING (7 51, 8 52)',
      notes: 'dry',
      log_category: [{ name: 'Soil' }],
    })
    return { north, south, cow, log }
  }

  test('areas that are drawn, with their fields as properties', async () => {
    const { north, south } = await filledFarm()
    const answer = await worker.get('/taxonomy_term.geojson')
    expect(answer.headers.get('content-type')).toBe('application/geo+json')
    expect(answer.body).toMatchObject({ type: 'FeatureCollection' })
    expect(answer.body.features).toMatchObject([
      {
        type: 'Feature',
        geometry: { type: 'Point' },
        properties: { id: north, name: 'North', area_type: 'field', description: 'a <b> & "c"' },
      },
      {
        properties: {
          id: south,
          name: 'South',
          parent: 'North',
          flags: 'review; monitor',
          assets: 'Bessie',
          uuid: expect.stringMatching(/^[\da-f-]{36}$/),
          version: expect.stringMatching(/^1\./),
        },
      },
    ])
    expect(answer.text).toContain('"coordinates":[7.10,51.2]')
  })

  test('the same filters and orders as of the list, all pages, nothing else', async () => {
    await filledFarm()
    const named = async (query: string) =>
      (await features(`/taxonomy_term.geojson${query}`)).map(({ properties }) => properties.name)
    expect(await named('?area_type=field')).toEqual(['North'])
    expect(await named('?bundle=farm_areas&sort=name&direction=DESC')).toEqual(['South', 'North'])
    expect(await named('?bundle=farm_crops')).toEqual([])
    for (const query of ['?page=1', '?limit=5', '?full=0', '?colour=red']) {
      expect((await worker.get(`/taxonomy_term.geojson${query}`)).status, query).toBe(400)
    }
    for (let made = 0; made < 130; made += 50) {
      const operations = Array.from({ length: 50 }, (_, nth) => ({
        method: 'POST',
        path: '/taxonomy_term',
        body: area(`P${made + nth}`, { geofield: `POINT (7 5${nth % 10})` }),
      }))
      expect((await worker.post('/batch', { operations })).status).toBe(200)
    }
    expect(await named('')).toHaveLength(152)
  })

  test('assets are where they are, and where they were', async () => {
    const { cow } = await filledFarm()
    const [now] = await features('/farm_asset.geojson')
    expect(now).toMatchObject({
      geometry: { coordinates: [7.2, 51.3] },
      properties: { id: cow, name: 'Bessie', type: 'animal', animal_type: 'Cow', location: 'South' },
    })
    const [then] = await features(`/farm_asset.geojson?as_of=${start + day}`)
    expect(then).toMatchObject({ geometry: { coordinates: [7.1, 51.2] }, properties: { location: 'North' } })
    expect(await features(`/farm_asset.geojson?as_of=${start - 1}`)).toEqual([])
    expect((await worker.get('/log.geojson?as_of=1')).status).toBe(400)
  })

  test('logs that have a place of their own, or moved something to one', async () => {
    const { cow, log } = await filledFarm()
    const moved = await worker.create('log', {
      name: 'Out',
      type: 'farm_activity',
      timestamp: start,
      asset: [{ id: cow }],
      movement: { geometry: 'POINT (7.5 51.5)' },
    })
    const found = await features('/log.geojson')
    expect(found).toMatchObject([
      {
        geometry: { type: 'LineString' },
        properties: {
          id: log,
          name: 'Soil',
          type: 'farm_soil_test',
          timestamp: '2023-11-14T22:13:20+00:00',
          done: 'yes',
          notes: 'dry',
          log_category: 'Soil',
        },
      },
      { geometry: { coordinates: [7.5, 51.5] }, properties: { id: moved, asset: 'Bessie' } },
    ])
    expect(found[1].properties).not.toHaveProperty('movement.geometry')
  })

  test('KML: a placemark for each, with its name, its data and the time of a log', async () => {
    await filledFarm()
    const answer = await worker.get('/log.kml')
    expect(answer.headers.get('content-type')).toBe('application/vnd.google-earth.kml+xml')
    expect(answer.text).toContain(
      '<Placemark><name>Soil</name><TimeStamp><when>2023-11-14T22:13:20.000Z</when></TimeStamp><ExtendedData>',
    )
    expect(answer.text).toContain('<Data name="notes"><value>dry</value></Data>')
    expect(answer.text).toContain('<LineString><coordinates>7,51 8,52</coordinates></LineString>')
    const areas = (await worker.get('/taxonomy_term.kml')).text
    expect(areas).toContain('<name>North</name><description>a &lt;b&gt; &amp; "c"</description><ExtendedData>')
    for (const text of [answer.text, areas, (await worker.get('/farm_asset.kml')).text])
      new SaxesParser({ xmlns: true }).write(text).close()
  })

  test('all shapes of KML are of its kinds', async () => {
    const shapes = {
      hole: 'POLYGON ((0 0, 9 0, 9 9, 0 0), (1 1, 2 1, 2 2, 1 1))',
      many: 'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((1 1, 2 1, 2 2, 1 1)))',
      mixed: 'GEOMETRYCOLLECTION (POINT Z (1 2 3), MULTILINESTRING ((0 0, 1 1)), POINT EMPTY)',
    }
    for (const [name, geofield] of Object.entries(shapes))
      await worker.create('taxonomy_term', area(name, { geofield }))
    const { text } = await worker.get('/taxonomy_term.kml')
    expect(text).toContain(
      '<Polygon><outerBoundaryIs><LinearRing><coordinates>0,0 9,0 9,9 0,0</coordinates></LinearRing></outerBoundaryIs><innerBoundaryIs><LinearRing>',
    )
    expect(text).toContain('<MultiGeometry><Polygon>')
    expect(text).toContain('<MultiGeometry><Point><coordinates>1,2,3</coordinates></Point><MultiGeometry><LineString>')
  })

  test('what is exported and sent back is unchanged, whatever it holds', async () => {
    const shapes = [
      'POINT (7.12345678901234567890 -51.20)',
      'point(+7.5 .5)',
      'POINT M (7 51 3)',
      'POLYGON Z ((0 0 5, 9 0 5, 9 9 5, 0 0 6))',
      'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((1 1, 2 1, 2 2, 1 1)))',
      'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1), GEOMETRYCOLLECTION (POINT (3 4)))',
      'LINESTRING Z (1e1 0 0, 2E0 1 0)',
      'MULTIPOINT (1 2, EMPTY, 3 4)',
    ]
    const top = await worker.create('taxonomy_term', area('Twin; "name"', { geofield: 'POINT (1 2)' }))
    await worker.create(
      'taxonomy_term',
      area('Twin; "name"', { geofield: ['POINT (1 2)', 'POLYGON ((0 0, 9 0, 9 9, 0 0))', 'LINESTRING EMPTY'] }),
    )
    for (const [nth, geofield] of shapes.entries()) {
      const more = {
        geofield,
        parent: [{ id: top }, { name: 'Block #7' }],
        flags: ['a; b', '"c"'],
        description: ' two\r\nlines \t<x> & é ',
        weight: -3,
        area_type: 'bed',
      }
      await worker.create('taxonomy_term', area(`  Area ${nth} `, more))
    }
    const { text: geojson } = await worker.get('/taxonomy_term.geojson')
    const { text: kml } = await worker.get('/taxonomy_term.kml')
    for (const [text, type] of [
      [geojson, 'application/geo+json'],
      [kml, 'application/vnd.google-earth.kml+xml'],
    ] as const) {
      const back = await sendBack(text, type)
      expect(back.body, back.text).toMatchObject({ counts: { created: 0, changed: 0, unchanged: 10 }, left_out: [] })
    }
    expect((await worker.get('/taxonomy_term.geojson')).text).toBe(geojson)
  })

  test('what one farm exports another takes in, with its uuids', async () => {
    await filledFarm()
    const exported = await worker.get('/taxonomy_term.kml')
    const other = await openFarm()
    const guest = await other.login()
    const headers = { 'content-type': 'application/vnd.google-earth.kml+xml' }
    const taken = await guest.send('POST', '/taxonomy_term.json', { headers, body: exported.text })
    expect(taken.body.counts).toEqual({ created: 2, changed: 0, unchanged: 0 })
    const properties = (all: Json[]) =>
      all.map(({ geometry, properties: { uuid, name, parent, flags } }) => ({ geometry, uuid, name, parent, flags }))
    const there = await guest.read('/taxonomy_term.geojson')
    expect(properties(there.features)).toEqual(properties(await features('/taxonomy_term.geojson')))
    await other.close()
  })

  test('who has it already is told so, and only who may read is answered', async () => {
    await filledFarm()
    const { headers } = await worker.get('/taxonomy_term.geojson')
    const again = await worker.get('/taxonomy_term.geojson', { 'if-none-match': headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    expect((await farm.anonymous.get('/taxonomy_term.geojson')).status).toBe(403)
    expect((await (await farm.login('viewer')).get('/log.kml')).status).toBe(200)
    expect((await (await farm.login('manager', 'farm_info')).get('/log.kml')).status).toBe(403)
  })

  test('a farm without places is an empty map', async () => {
    expect(await worker.read('/log.geojson')).toEqual({ type: 'FeatureCollection', features: [] })
    expect((await worker.get('/farm_asset.kml')).text).toContain('<Document><name>Assets</name>')
  })
})
