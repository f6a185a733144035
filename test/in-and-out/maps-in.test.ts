import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { writeFarmSetting } from '../../src/storage/settings.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { type FarmUnderTest, openFarm } from '../harness/farm.ts'
import { processorTime } from '../harness/processor-time.ts'
import { rounds } from '../harness/rounds.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { zipped } from '../harness/zipped.ts'

const types = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
}

const square = [
  [7, 51],
  [7.001, 51],
  [7.001, 51.001],
  [7, 51],
]
const polygon = { type: 'Polygon', coordinates: [square] }
const feature = (properties: Json, geometry: Json = polygon) => ({ type: 'Feature', properties, geometry })
const collection = (...features: Json[]) => JSON.stringify({ type: 'FeatureCollection', features })
const kml = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>${inside}</Document></kml>`
const placemark = (name: string, inside: string) => `<Placemark><name>${name}</name>${inside}</Placemark>`
const point = '<Point><coordinates>7,51,0</coordinates></Point>'

describe('a map becomes areas', () => {
  let farm: FarmUnderTest
  let worker: Client

  beforeEach(async () => {
    farm = await openFarm()
    worker = await farm.login('worker')
    return () => farm.close()
  })

  const send = (
    body: string | Buffer,
    format: keyof typeof types = 'geojson',
    query = '',
    who = worker,
  ): Promise<Answer> =>
    who.send('POST', `/taxonomy_term.json${query}`, {
      headers: { 'content-type': types[format] },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    })
  const areas = async (): Promise<Json[]> => (await worker.read('/taxonomy_term.json?bundle=farm_areas&with=uuid')).list
  const areaNamed = async (name: string): Promise<Json> => (await areas()).find((area) => area.name === name)
  const shapeOf = async (name: string): Promise<string> => (await areaNamed(name)).geofield[0].geom

  test('GeoJSON of QGIS: its crs is known, each feature is an area, and what is no field is counted', async () => {
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } }
    const features = [
      feature({ fid: 1, name: 'North field', area_type: 'Field', hectares: 1.5, parent: null }),
      feature({ fid: 2, name: 'Pond', area_type: 'water', hectares: null, parent: 'North field' }),
    ]
    const answer = await send(JSON.stringify({ type: 'FeatureCollection', name: 'fields', crs, features }))
    expect(answer, answer.text).toMatchObject({ status: 200 })
    expect(answer.body).toMatchObject({
      counts: { created: 2, changed: 0, unchanged: 0 },
      where: { west: 7, south: 51, east: 7.001, north: 51.001 },
      left_out: [
        { what: 'member name', count: 1 },
        { what: 'property fid', count: 2 },
        { what: 'property hectares', count: 2 },
      ],
      features: [
        { feature: 0, result: 'created', name: 'North field', resource: 'taxonomy_term' },
        { feature: 1, result: 'created', name: 'Pond' },
      ],
    })
    expect(await areaNamed('North field')).toMatchObject({ area_type: 'field', parent: [] })
    expect(await areaNamed('Pond')).toMatchObject({ area_type: 'water', parent: [{ name: 'North field' }] })
    expect(await shapeOf('Pond')).toBe('POLYGON ((7 51, 7.001 51, 7.001 51.001, 7 51))')
    expect((await worker.read('/farm/areas/geojson/all')).features).toHaveLength(2)
  })

  test('every digit is kept, an altitude of 0 is dropped, another one stays', async () => {
    const answer = await send(
      `{"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"name":"Exact"},"geometry":{"type":"Point","coordinates":[7.12345678901234567890, -0.10]}},
        {"type":"Feature","properties":{"name":"Flat"},"geometry":{"type":"LineString","coordinates":[[7,51,0],[7.5,51,0.00]]}},
        {"type":"Feature","properties":{"name":"Hill"},"geometry":{"type":"LineString","coordinates":[[7,51,120.50],[7.5,51]]}}]}`,
      'geojson',
      '?far=ok',
    )
    expect(answer.status, answer.text).toBe(200)
    expect(await shapeOf('Exact')).toBe('POINT (7.12345678901234567890 -0.10)')
    expect(await shapeOf('Flat')).toBe('LINESTRING (7 51, 7.5 51)')
    expect(await shapeOf('Hill')).toBe('LINESTRING Z (7 51 120.50, 7.5 51 0)')
  })

  test('Multi… and collections are one area each', async () => {
    const multi = { type: 'MultiPolygon', coordinates: [[square], [square]] }
    const mixed = { type: 'GeometryCollection', geometries: [polygon, { type: 'Point', coordinates: [7, 51] }] }
    expect((await send(collection(feature({ name: 'Two' }, multi), feature({ name: 'Mixed' }, mixed)))).status).toBe(
      200,
    )
    expect(await shapeOf('Two')).toMatch(/^MULTIPOLYGON \(\(\(/)
    expect(await shapeOf('Mixed')).toMatch(/^GEOMETRYCOLLECTION \(POLYGON .*POINT \(7 51\)\)$/)
  })

  test('a single feature and a bare geometry are maps, too', async () => {
    expect((await send(JSON.stringify(feature({ name: 'Alone' })))).body.counts.created).toBe(1)
    const bare = await send(JSON.stringify(polygon))
    expect(bare.body, bare.text).toMatchObject({ features: [{ name: 'Area 1', named: true }] })
  })

  test('KML of Google Earth: folders are parents, data are fields, tracks and styles are counted', async () => {
    const ring = '<LinearRing><coordinates>\n 7,51,0 7.01,51,0\t7.01,51.01,0\n7,51,0 </coordinates></LinearRing>'
    const hole = ring.replace('7.01,51,0', '7.005,51,0')
    const answer = await send(
      kml(`<name>farm.kml</name><Style id="s"><LineStyle/></Style>
        <Schema name="S" id="S"><SimpleField type="string" name="area_type"/></Schema>
        <Folder><name>Home farm</name><open>1</open><Folder><name>Beds</name>
          ${placemark('Bed 1', `<styleUrl>#s</styleUrl><description><![CDATA[<b>loam</b>]]></description><ExtendedData><Data name="area_type"><displayName>Type</displayName><value>bed</value></Data><Data name="soil"><value>x</value></Data></ExtendedData><Polygon><tessellate>1</tessellate><innerBoundaryIs>${hole}</innerBoundaryIs><outerBoundaryIs>${ring}</outerBoundaryIs></Polygon>`)}
        </Folder>
        ${placemark('Wood', `<ExtendedData><SchemaData schemaUrl="#S"><SimpleData name="area_type">other</SimpleData></SchemaData></ExtendedData><MultiGeometry>${point}<MultiGeometry>${point}</MultiGeometry></MultiGeometry>`)}
        ${placemark('Walk', '<gx:Track><when>2024</when><gx:coord>7 51 0</gx:coord></gx:Track>')}
        </Folder><NetworkLink><Link><href>http://127.0.0.1:1/x.kml</href></Link></NetworkLink><GroundOverlay/>`),
      'kml',
    )
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.counts).toEqual({ created: 4, changed: 0, unchanged: 0 })
    expect(answer.body.features.slice(2)).toMatchObject([
      { parent: 'Home farm', result: 'created' },
      { parent: 'Beds', result: 'created' },
    ])
    const left = Object.fromEntries(answer.body.left_out.map(({ what, count }: Json) => [what, count]))
    expect(left).toMatchObject({
      Style: 1,
      styleUrl: 1,
      Track: 1,
      NetworkLink: 1,
      GroundOverlay: 1,
      'property soil': 1,
    })
    expect(await areaNamed('Bed 1')).toMatchObject({
      area_type: 'bed',
      description: '<b>loam</b>',
      parent: [{ name: 'Beds' }],
      geofield: [{ geom: 'POLYGON ((7 51, 7.01 51, 7.01 51.01, 7 51), (7 51, 7.005 51, 7.01 51.01, 7 51))' }],
    })
    expect(await areaNamed('Beds')).toMatchObject({ parent: [{ name: 'Home farm' }], geofield: [] })
    expect(await areaNamed('Wood')).toMatchObject({ area_type: 'other', parent: [{ name: 'Home farm' }] })
    expect(await areaNamed('Walk')).toBeUndefined()
  })

  test('folders find the areas that are there, and can be left out', async () => {
    const home = await worker.create('taxonomy_term', { name: 'home farm', vocabulary: 'farm_areas' })
    const folder = `<Folder><name>Home Farm</name>${placemark('A', point)}${placemark('Home Farm yard', point)}</Folder>`
    expect((await send(kml(folder), 'kml')).body.counts.created).toBe(2)
    expect((await areaNamed('A')).parent).toMatchObject([{ id: home }])
    await send(kml(`<Folder><name>Elsewhere</name>${placemark('B', point)}</Folder>`), 'kml', '?map=parent=')
    expect((await areaNamed('B')).parent).toEqual([])
    expect(await areaNamed('Elsewhere')).toBeUndefined()
  })

  test('KML of a drone app: spaces behind commas, altitudes, prefixes, and no name for the folder', async () => {
    const flight = `<?xml version="1.0"?><kml:kml xmlns:kml="http://www.opengis.net/kml/2.2"><kml:Document><kml:Folder>
      <kml:Placemark><kml:name> Flight 7 </kml:name><kml:Polygon><kml:altitudeMode>absolute</kml:altitudeMode><kml:outerBoundaryIs><kml:LinearRing>
      <kml:coordinates>7.5, 51.5, 101.25
        7.6, 51.5, 102 7.6,51.6,103
        7.5, 51.5, 101.25</kml:coordinates></kml:LinearRing></kml:outerBoundaryIs></kml:Polygon></kml:Placemark></kml:Folder></kml:Document></kml:kml>`
    const answer = await send(flight, 'kml')
    expect(answer.status, answer.text).toBe(200)
    expect(await areaNamed('Flight 7')).toMatchObject({ parent: [] })
    expect(await shapeOf('Flight 7')).toBe('POLYGON Z ((7.5 51.5 101.25, 7.6 51.5 102, 7.6 51.6 103, 7.5 51.5 101.25))')
  })

  test('KMZ: doc.kml is read, other files are counted', async () => {
    const archive = zipped([
      { name: 'files/photo.jpg', bytes: Buffer.from('not looked at'), method: 0 },
      { name: 'other.kml', bytes: Buffer.from(kml(placemark('Other', point))) },
      { name: 'doc.kml', bytes: Buffer.from(kml(placemark('Main', point))) },
    ])
    const answer = await send(archive, 'kmz')
    expect(answer.body).toMatchObject({
      counts: { created: 1 },
      left_out: [{ what: 'other files of the KMZ', count: 2 }],
    })
    expect(await areaNamed('Main')).toBeDefined()
    const only = zipped([{ name: 'a/flight.KML', bytes: Buffer.from(kml(placemark('Only', point))), method: 0 }])
    expect((await send(only, 'kmz')).body.counts.created).toBe(1)
  })

  test('KMZ of GDAL: what doc.kml links to in the same archive is read once, and nothing else is', async () => {
    const link = (href: string) => `<NetworkLink><name>l</name><Link><href>${href}</href></Link></NetworkLink>`
    const schema = '<Schema name="fields" id="fields.schema"><SimpleField name="area_type" type="string"/></Schema>'
    const row = (name: string) =>
      placemark(
        name,
        `<ExtendedData><SchemaData schemaUrl="#fields.schema"><SimpleData name="area_type">field</SimpleData></SchemaData></ExtendedData>${point}`,
      )
    const outside = ['https://example.org/x.kml', '../doc2.kml', 'style/style.kml?x', 'missing.kml', '']
    const archive = zipped([
      { name: 'doc.kml', bytes: Buffer.from(kml(link('layers/fields.kml') + outside.map(link).join(''))) },
      { name: 'layers/fields.kml', bytes: Buffer.from(kml(schema + row('North') + link('more%20beds.kml'))) },
      { name: 'layers/more beds.kml', bytes: Buffer.from(kml(row('South') + link('fields.kml') + link('../doc.kml'))) },
      { name: 'style/style.txt', bytes: Buffer.from('not looked at') },
    ])
    const answer = await send(archive, 'kmz')
    expect(answer.body, answer.text).toMatchObject({
      counts: { created: 2 },
      left_out: [
        { what: 'NetworkLink', count: 5 },
        { what: 'other files of the KMZ', count: 1 },
      ],
    })
    expect(await areaNamed('South')).toMatchObject({ area_type: 'field' })
  })

  test('a feature without a name gets one in the language of the farm, and the answer says so', async () => {
    await farm.installation.database.write((tx) => writeFarmSetting(tx, 'language', 'de'))
    const answer = await send(kml(placemark('Yard', point) + placemark('', point) + placemark(' ', point)), 'kml')
    expect(answer.body, answer.text).toMatchObject({
      counts: { created: 3 },
      features: [{ name: 'Yard' }, { name: 'Fläche 2', named: true }, { name: 'Fläche 3', named: true }],
    })
    expect(answer.body.features[0]).not.toHaveProperty('named')
    expect((await send(collection(feature({ area_type: 'bed' })))).body).toMatchObject({
      features: [{ name: 'Fläche 1', named: true }],
    })
  })

  test('where no feature has a name and a property may have it, the property is asked for', async () => {
    const map = collection(feature({ FLIK: 'DE 7' }), feature({ FLIK: 'DE 8' }))
    const refused = await send(map)
    expect(refused.body.errors, refused.text).toMatchObject([
      { field: 'features[0].name', message: expect.stringContaining('map=name=PROPERTY') },
      { field: 'features[1].name' },
    ])
    expect((await send(map, 'geojson', '?map=name=')).body.features).toMatchObject([{ named: true }, { named: true }])
    expect((await send(map, 'geojson', '?map=name=FLIK')).body.features).toMatchObject([{ name: 'DE 7' }, {}])
  })

  test('with on_fault=skip all but the wrong features are kept, and each of those says why', async () => {
    const beyond = { type: 'Point', coordinates: [190, 51] }
    const map = collection(
      feature({ name: 'Good', parent: 'Block' }),
      feature({ name: 'Beyond' }, beyond),
      feature({ name: 'Odd', type: 'moon' }),
      feature({ name: 'Also good', parent: 'Good' }),
      feature({ name: 'No UUID', uuid: 'x' }),
    )
    const answer = await send(map, 'geojson', '?on_fault=skip')
    expect(answer.body, answer.text).toMatchObject({
      counts: { created: 3, changed: 0, unchanged: 0, fault: 3 },
      where: { east: 7.001 },
      features: [
        { feature: 0, name: 'Good' },
        { feature: 3, name: 'Also good' },
        { parent: 'Block' },
        { feature: 1, result: 'fault', name: 'Beyond', faults: [{ field: 'geometry' }] },
        { feature: 2, result: 'fault', name: 'Odd', faults: [{ field: 'area_type', allowed: expect.any(Array) }] },
        { feature: 4, result: 'fault', name: 'No UUID', faults: [{ field: 'uuid' }] },
      ],
    })
    expect((await areas()).map(({ name }) => name).toSorted()).toEqual(['Also good', 'Block', 'Good'])
    const [set] = (await worker.read('/sets.json')).sets
    expect(set.counts, JSON.stringify(set)).toMatchObject({ taxonomy_term: { create: 3 } })
  })

  test('a property map says which property is which field', async () => {
    const map = collection(feature({ NAME_1: 'Lot', KIND: 'Paddock', BLOCK: 'South', remark: 'wet' }))
    const answer = await send(map, 'geojson', '?map=name=NAME_1,type=KIND,parent=BLOCK,description=remark')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.body.left_out).toEqual([])
    expect(await areaNamed('Lot')).toMatchObject({
      area_type: 'paddock',
      description: 'wet',
      parent: [{ name: 'South' }],
    })
    const wrong = await send(map, 'geojson', '?map=colour=NAME_1')
    expect(wrong.status).toBe(400)
    expect(wrong.body.errors[0].allowed).toContain('name')
  })

  test('parents are found in the map, whatever the order, and on the farm', async () => {
    const map = collection(
      feature({ name: 'Bed', parent: 'Field' }),
      feature({ name: 'Field', parent: ['Block', 'Farm'] }),
      feature({ name: 'Block' }),
    )
    const answer = await send(map)
    expect(answer.body.features.map(({ name }: Json) => name)).toEqual(['Bed', 'Field', 'Block', 'Farm'])
    expect((await areaNamed('Bed')).parents_all.map(({ name }: Json) => name)).toEqual([
      'Bed',
      'Field',
      'Block',
      'Farm',
    ])
    const circle = await send(collection(feature({ name: 'X', parent: 'Y' }), feature({ name: 'Y', parent: 'X' })))
    expect(circle.status).toBe(422)
    expect(circle.body.errors[0]).toMatchObject({ field: 'features[0].parent' })
    const twins = await send(
      collection(feature({ name: 'T' }), feature({ name: 'T' }), feature({ name: 'U', parent: 'T' })),
    )
    expect(twins.body.errors).toMatchObject([{ field: 'features[2].parent', allowed: ['features[0]', 'features[1]'] }])
  })

  test('the name of a parent can be of any length, and takes no time', async () => {
    const answer = await send(collection(feature({ name: 'A', parent: [`x${' '.repeat(1_000_000)}#y`] })))
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0]).toMatchObject({ field: 'parent.name', message: expect.stringContaining('255') })
  })

  test('an area is changed by its uuid, its id or its name', async () => {
    const moved = { type: 'Point', coordinates: [7.2, 51.2] }
    await send(collection(feature({ name: 'A', area_type: 'field' })))
    const { id, uuid } = await areaNamed('A')
    const byUuid = await send(collection(feature({ uuid, name: 'A1' }, moved)))
    expect(byUuid.body).toMatchObject({ counts: { changed: 1 }, features: [{ id, result: 'changed', name: 'A1' }] })
    expect(await areaNamed('A1')).toMatchObject({ id, area_type: 'field', geofield: [{ geom: 'POINT (7.2 51.2)' }] })
    const byId = await send(collection(feature({ id: Number(id), name: 'A2' }, null)), 'geojson', '?match=id')
    expect(byId.body.counts).toEqual({ created: 0, changed: 1, unchanged: 0 })
    expect((await areaNamed('A2')).geofield).toHaveLength(1)
    const byName = await send(collection(feature({ name: 'a2 ', area_type: 'bed' }, null)), 'geojson', '?match=name')
    expect(byName.body.counts).toEqual({ created: 0, changed: 1, unchanged: 0 })
    expect((await areas()).filter((area) => area.id === id)).toMatchObject([{ name: 'a2', area_type: 'bed' }])
    const inside = await send(collection(feature({ uuid, parent: 'New block' }, null)))
    expect(inside.body.counts.changed).toBe(1)
    expect((await areaNamed('a2')).parent).toMatchObject([{ name: 'New block' }])
    const fresh = randomUUID()
    expect((await send(collection(feature({ uuid: fresh, name: 'New' })))).body.features[0].uuid).toBe(fresh)
  })

  test('what matches nothing, or two, is a fault', async () => {
    await send(collection(feature({ name: 'Twin' }), feature({ name: 'Twin' })))
    const byName = await send(collection(feature({ name: 'Twin' })), 'geojson', '?match=name')
    expect(byName.body.errors).toMatchObject([
      { field: 'features[0].name', allowed: [/id \d+/, /id \d+/].map((form) => expect.stringMatching(form)) },
    ])
    const byId = await send(collection(feature({ name: 'X', id: '999' })), 'geojson', '?match=id')
    expect(byId.body.errors).toMatchObject([{ field: 'features[0].id' }])
    const asset = await worker.create('farm_asset', { name: 'Tractor', type: 'equipment' })
    const { uuid } = await worker.read(`/farm_asset/${asset}.json?with=uuid`)
    const foreign = await send(collection(feature({ name: 'X', uuid }), feature({ name: 'Y', uuid: 'none' })))
    expect(foreign.body.errors.map(({ field }: Json) => field)).toEqual(['features[0].uuid', 'features[1].uuid'])
    const own = randomUUID()
    const twice = await send(collection(feature({ name: 'X', uuid: own }), feature({ name: 'Y', uuid: own })))
    expect(twice.body.errors).toMatchObject([{ field: 'features[1].uuid' }])
  })

  test('an area that changed since the export is not overwritten unawares', async () => {
    await send(collection(feature({ name: 'A' })))
    const exported = (await worker.get('/taxonomy_term.geojson')).text
    const { id } = await areaNamed('A')
    await worker.put(`/taxonomy_term/${id}`, { description: 'changed meanwhile' })
    expect((await send(exported)).body.counts.unchanged).toBe(1)
    const edited = exported.replace('"name":"A"', '"name":"B"')
    const answer = await send(edited)
    expect(answer.body.errors).toMatchObject([{ field: 'features[0].version' }])
    expect(await areaNamed('B')).toBeUndefined()
    expect((await send(edited, 'geojson', '?overwrite=1')).body.counts.changed).toBe(1)
    expect(await areaNamed('B')).toMatchObject({ id, description: 'changed meanwhile' })
  })

  test('a map is one set that undo takes back', async () => {
    await send(collection(feature({ name: 'Kept' })))
    const { uuid } = await areaNamed('Kept')
    const answer = await send(
      collection(feature({ uuid, name: 'Renamed' }), feature({ name: 'Made', parent: 'Block' })),
    )
    const set = answer.headers.get('change-set')
    expect((await areas()).map(({ name }) => name).toSorted()).toEqual(['Block', 'Made', 'Renamed'])
    expect((await worker.post(`/changes/${set}/undo`, {})).status).toBe(200)
    expect((await areas()).map(({ name }) => name)).toEqual(['Kept'])
  })

  test('a dry run says the same and keeps nothing', async () => {
    const map = collection(feature({ name: 'A', parent: 'Block' }), feature({ name: 'B' }))
    const dry = await send(map, 'geojson', '?dry_run=1')
    expect(dry.headers.get('dry-run')).toBe('1')
    expect(dry.body).toMatchObject({ counts: { created: 3 } })
    expect(dry.body.features[0]).toEqual({ feature: 0, result: 'created', name: 'A', resource: 'taxonomy_term' })
    expect(await areas()).toEqual([])
    expect((await send(map)).body.counts).toEqual(dry.body.counts)
    const wrong = collection(feature({ name: '' }))
    expect((await send(wrong, 'geojson', '?dry_run=1')).body.errors).toEqual((await send(wrong)).body.errors)
  })

  test('a map that is sent again under its Idempotency-Key is taken once', async () => {
    const again = () =>
      worker.send('POST', '/taxonomy_term', {
        headers: { 'content-type': types.geojson, 'idempotency-key': 'map-1' },
        body: collection(feature({ name: 'Once' })),
      })
    const [first, second] = [await again(), await again()]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await areas()).toHaveLength(1)
  })

  test('nothing is kept if anything is wrong, and every fault says where it stands and what to do', async () => {
    const open = {
      type: 'Polygon',
      coordinates: [
        [
          [7, 51],
          [7.1, 51],
          [7.1, 51.1],
          [7, 51.1],
        ],
      ],
    }
    const answer = await send(
      collection(
        feature({ name: 'Good' }),
        feature({ name: 'Open' }, open),
        feature({ name: 'Beyond' }, { type: 'Point', coordinates: [190, 51] }),
        feature({ name: 'Meters' }, { type: 'Point', coordinates: [779236.4, 6621293.7] }),
        feature({ name: 'Odd', type: 'moon' }),
        feature({}),
      ),
    )
    expect(answer.status, 'the one without a name is no fault').toBe(422)
    expect(answer.body.detail).toContain('Nothing of the map was kept')
    expect(answer.body.errors).toMatchObject([
      { field: 'features[1].geometry', message: expect.stringContaining('repeat its first position at its end') },
      { field: 'features[2].geometry', message: expect.stringContaining('beyond ±180') },
      { field: 'features[3].geometry', message: expect.stringContaining('in degrees (WGS 84)') },
      {
        field: 'features[4].area_type',
        message: expect.stringContaining('map=type='),
        allowed: expect.arrayContaining(['field']),
      },
    ])
    expect(await areas()).toEqual([])
  })

  test('far from all areas of the farm is asked for once', async () => {
    const home = collection(feature({ name: 'Home' }))
    expect((await send(home)).status, 'an empty farm has no place yet').toBe(200)
    const swapped = collection(feature({ name: 'Swapped' }, { type: 'Point', coordinates: [51, 7] }))
    const refused = await send(swapped)
    expect(refused.status).toBe(422)
    expect(refused.body.detail).toMatch(/features\[0\] lies at longitude 51, latitude 7, .*far=ok/)
    expect((await send(swapped, 'geojson', '?far=ok')).status).toBe(200)
    const near = collection(feature({ name: 'Near' }, { type: 'Point', coordinates: [8.3, 51] }))
    expect((await send(near)).status, '90 km away').toBe(200)
    const beyond = collection(feature({ name: 'Further' }, { type: 'Point', coordinates: [5.5, 51] }))
    expect((await send(beyond)).status, '105 km away').toBe(422)
  })

  test('many polygons are taken with little work, and readers need not wait for them', async () => {
    const count = rounds({ short: 1_000, long: 30_000 })
    const cornersAt = (nth: number) => {
      const [x, y] = [7 + (nth % 200) / 1000, 51 + Math.floor(nth / 200) / 1000]
      const ring = Array.from({ length: 20 }, (_, corner) => [
        x + Math.cos(corner / 3.2) / 2500,
        y + Math.sin(corner / 3.2) / 2500,
      ])
      return [...ring, ring[0]]
    }
    const parcels = Array.from({ length: count }, (_, nth) =>
      feature(
        { name: `Parcel ${nth}`, area_type: 'field', parent: `Block ${nth % 50}` },
        { type: 'Polygon', coordinates: [cornersAt(nth)] },
      ),
    )
    const map = collection(...parcels)
    let [isUnderWay, answered] = [true, 0]
    const readers = (async () => {
      for (; isUnderWay; answered++) expect((await worker.get('/log.json')).status).toBe(200)
    })()
    const before = processorTime()
    const answer = await send(map)
    const seconds = (processorTime() - before) / 1000
    isUnderWay = false
    await readers
    expect(answer.body.counts).toEqual({ created: count + 50, changed: 0, unchanged: 0 })
    expect(seconds).toBeLessThan(60)
    expect(answered).toBeGreaterThan(5)
  })

  test('a viewer may not, nor may nobody', async () => {
    const map = collection(feature({ name: 'A' }))
    expect((await send(map, 'geojson', '', await farm.login('viewer'))).status).toBe(403)
    expect((await send(map, 'geojson', '', farm.anonymous)).status).toBe(403)
    expect(await areas()).toEqual([])
  })

  test('a parameter that does not go with a map is refused', async () => {
    const map = collection(feature({ name: 'A' }))
    for (const query of [
      '?matc=uuid',
      '?match=tag',
      '?far=yes',
      '?map=name',
      '?map=name=a,name=b',
      '?match=id&match=id',
    ]) {
      expect((await send(map, 'geojson', query)).status, query).toBe(400)
    }
    expect(await areas()).toEqual([])
  })

  test('only areas come as maps', async () => {
    const headers = { 'content-type': types.geojson }
    const body = collection(feature({ name: 'A' }))
    expect((await worker.send('POST', '/log', { headers, body })).status).toBe(415)
    expect((await worker.send('POST', '/farm_asset', { headers, body })).status).toBe(415)
  })

  test('a map without features says what was left out', async () => {
    const answer = await send(kml('<NetworkLink><Link><href>https://example.org</href></Link></NetworkLink>'), 'kml')
    expect(answer.body).toEqual({
      counts: { created: 0, changed: 0, unchanged: 0 },
      where: null,
      left_out: [{ what: 'NetworkLink', count: 1 }],
      features: [],
    })
  })

  test('KML is answered in XML unless JSON is asked for', async () => {
    const answer = await worker.send('POST', '/taxonomy_term', {
      headers: { 'content-type': types.kml },
      body: kml(placemark('A', point)),
    })
    expect(answer.headers.get('content-type')).toContain('application/xml')
    expect(answer.text).toContain('<created>1</created>')
  })

  describe('is refused with a sentence, and never breaks anything', () => {
    const foreign = (name: string) =>
      JSON.stringify({ type: 'FeatureCollection', crs: { type: 'name', properties: { name } }, features: [] })
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
    const long = `[${'[7,51],'.repeat(100_001)}[7,51]]`
    const bomb = () => zipped([{ name: 'doc.kml', bytes: Buffer.alloc(40 * 1024 * 1024, ' ') }])

    const refusals: [string, keyof typeof types, () => string | Buffer, number, RegExp][] = [
      [
        'a foreign crs',
        'geojson',
        () => foreign('urn:ogc:def:crs:EPSG::31467'),
        422,
        /EPSG::31467.*export the layer as WGS 84/,
      ],
      ['TopoJSON', 'geojson', () => '{"type":"Topology","objects":{}}', 400, /TopoJSON is another format/],
      ['no GeoJSON', 'geojson', () => '{"list":[]}', 400, /not GeoJSON/],
      ['half of a file', 'geojson', () => collection(feature({ name: 'A' })).slice(0, -20), 400, /broken at byte/],
      ['two files', 'geojson', () => `${collection()}\n${collection()}`, 400, /was not expected/],
      [
        'broken UTF-8',
        'geojson',
        () => Buffer.from(collection(feature({ name: '\u00e9' })), 'latin1'),
        400,
        /not UTF-8/,
      ],
      ['a control character', 'geojson', () => collection(feature({ name: 'a\u0000b' })), 400, /U\+0000/],
      [
        'deep JSON',
        'geojson',
        () => `{"type":"Feature","geometry":{"type":"Point","coordinates":${deep(5000)}}}`,
        413,
        /32 levels/,
      ],
      [
        'deep JSON elsewhere',
        'geojson',
        () => `{"type":"FeatureCollection","x":${deep(100_000)},"features":[]}`,
        413,
        /32 levels/,
      ],
      [
        'a shape with too many positions',
        'geojson',
        () => `{"type":"Feature","properties":{"name":"A"},"geometry":{"type":"LineString","coordinates":${long}}}`,
        413,
        /100000 positions/,
      ],
      [
        'coordinates of another type',
        'geojson',
        () => collection(feature({ name: 'A' }, { type: 'Polygon', coordinates: [7, 51] })),
        400,
        /not those of a Polygon/,
      ],
      ['an empty body', 'geojson', () => '', 400, /empty/],
      ['a DOCTYPE', 'kml', () => `<!DOCTYPE kml [<!ENTITY a "b">]><kml>&a;</kml>`, 400, /DOCTYPE/],
      ['entities', 'kml', () => kml(placemark('&lol;', point)), 400, /broken/],
      ['deep XML', 'kml', () => kml('<Folder>'.repeat(40) + '</Folder>'.repeat(40)), 413, /32 levels/],
      ['no KML', 'kml', () => '<log/>', 400, /no element <kml>/],
      ['broken XML', 'kml', () => kml('<Placemark>'), 400, /broken/],
      ['another encoding', 'kml', () => '<?xml version="1.0" encoding="ISO-8859-1"?><kml/>', 400, /save it as UTF-8/],
      ['broken UTF-8 in KML', 'kml', () => Buffer.from(kml(placemark('\u00e9', point)), 'latin1'), 400, /not UTF-8/],
      ['a zip bomb', 'kmz', bomb, 413, /more than 32 MiB when it is unpacked/],
      ['no zip', 'kmz', () => 'PK or not', 400, /zip archive/],
      ['an empty KMZ', 'kmz', () => zipped([{ name: 'a.txt', bytes: Buffer.from('x') }]), 400, /no .kml/],
      [
        'half of a KMZ',
        'kmz',
        () => zipped([{ name: 'doc.kml', bytes: Buffer.from(kml('')) }]).subarray(20),
        400,
        /zip archive/,
      ],
      [
        'a damaged KMZ',
        'kmz',
        () => zipped([{ name: 'doc.kml', bytes: Buffer.from(kml('')), crc: 1 }]),
        400,
        /checksum/,
      ],
      [
        'a KMZ with a password',
        'kmz',
        () => zipped([{ name: 'doc.kml', bytes: Buffer.from(kml('')), flags: 1 }]),
        400,
        /password/,
      ],
    ]

    test.each(shareOfThisEngine(refusals))(
      'refuses %s and makes no area',
      async (_what, format, body, status, sentence) => {
        const answer = await send(body(), format)
        expect(answer, answer.text).toMatchObject({ status })
        expect(answer.body.detail).toMatch(sentence)
        expect(await areas()).toEqual([])
      },
    )

    test('more features than a map may have', async () => {
      const one = '{"type":"Feature","properties":{"name":"A"},"geometry":null}'
      const many = (count: number) => `{"type":"FeatureCollection","features":[${Array(count).fill(one).join()}]}`
      const answer = await send(many(50_001))
      expect(answer.status).toBe(413)
      expect(answer.body.detail).toContain('50000 features')
      const marks = placemark('A', '').repeat(50_001)
      expect((await send(kml(marks), 'kml')).status).toBe(413)
    })

    test('as many faults as there are features are counted', async () => {
      const answer = await send(collection(...Array.from({ length: 150 }, () => feature({ area_type: 'moon' }))))
      expect(answer.body.errors).toHaveLength(100)
      expect(answer.body.detail).toContain('(and 149 more)')
    })
  })
})
