import { beforeAll, expect, test } from 'vitest'
import { fileFormats, type MapFormatName } from '../../src/formats/file-formats.ts'
import type { Answer, Client, Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { archiveOf } from '../harness/workbook.ts'

let ada: Client

beforeAll(async () => {
  ada = await (await openFarm()).login('worker')
})

const send = (format: MapFormatName, body: string | Buffer, more = ''): Promise<Answer> =>
  ada.send('POST', `/taxonomy_term?far=ok${more}`, {
    headers: { 'content-type': fileFormats[format].mediaType, accept: 'application/json' },
    body,
  })

const areasOf = ({ body }: Answer): Promise<Json[]> =>
  Promise.all(body.features.map(({ id }: Json) => ada.read(`/taxonomy_term/${id}.json`)))

const point = (lon: number, lat: number, element = 'trkpt') => `<${element} lat="${lat}" lon="${lon}"/>`
const gpx = (inside: string) => `<?xml version="1.0"?><gpx version="1.1" creator="test">${inside}</gpx>`
const track = (name: string, ...points: string[]) =>
  `<trk><name>${name}</name><trkseg>${points.join('')}</trkseg></trk>`

test('a closed track of GPX is an area, a waypoint a landmark, and an open track is asked about', async () => {
  const closed = track('Walk', point(7, 51), point(7.01, 51), point(7.01, 51.01), point(7.0001, 51.0001))
  const answer = await send('gpx', gpx(`<wpt lat="51" lon="7"><name>Gate</name></wpt>${closed}`))
  expect(answer.status, answer.text).toBe(200)
  expect(await areasOf(answer)).toMatchObject([
    { name: 'Gate', area_type: 'landmark', geofield: [{ geom: expect.stringContaining('POINT') }] },
    { name: 'Walk', geofield: [{ geom: expect.stringMatching(/^POLYGON .*7 51\)\)$/) }] },
  ])
  const open = gpx(track('Road', point(7, 51), point(7.5, 51), point(7.5, 51.5)))
  const refused = await send('gpx', open)
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([{ field: 'tracks', allowed: ['tracks=area', 'tracks=line'] }])
  const [line] = await areasOf(await send('gpx', open, '&tracks=line'))
  expect(line?.geofield[0].geom).toContain('LINESTRING')
})

/** A shapefile of one polygon, with a table of one row. */
function shapefile(
  ring: readonly (readonly [number, number])[],
  prj: string | undefined,
  cells: Record<string, string>,
) {
  const content = Buffer.alloc(48 + ring.length * 16)
  content.writeInt32LE(5, 0)
  content.writeInt32LE(1, 36)
  content.writeInt32LE(ring.length, 40)
  for (const [index, [x, y]] of ring.entries()) {
    content.writeDoubleLE(x, 48 + index * 16)
    content.writeDoubleLE(y, 56 + index * 16)
  }
  const head = Buffer.alloc(108)
  head.writeInt32BE(9994, 0)
  head.writeInt32BE(1, 100)
  head.writeInt32BE(content.length / 2, 104)
  const columns = Object.entries(cells)
  const table = Buffer.alloc(33 + columns.length * 32)
  table.writeUInt32LE(1, 4)
  table.writeUInt16LE(table.length, 8)
  table.writeUInt16LE(1 + columns.length * 20, 10)
  for (const [index, [name]] of columns.entries()) {
    table.write(name, 32 + index * 32, 'latin1')
    table[32 + index * 32 + 16] = 20
  }
  table[table.length - 1] = 0x0d
  const row = Buffer.from(` ${columns.map(([, text]) => text.padEnd(20)).join('')}`, 'latin1')
  return archiveOf({
    'fields.shp': Buffer.concat([head, content]),
    'fields.dbf': Buffer.concat([table, row]),
    ...(prj === undefined ? {} : { 'fields.prj': prj }),
  })
}

const utm31 =
  'PROJCS["ETRS_1989_UTM_Zone_31N",GEOGCS["GCS_ETRS_1989",DATUM["D_ETRS_1989",SPHEROID["GRS_1980",6378137.0,298.257222101]]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",500000.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",3.0],PARAMETER["Scale_Factor",0.9996],UNIT["Meter",1.0]]'
const square = [
  [448251.8, 5411932.7],
  [448251.8, 5412032.7],
  [448351.8, 5412032.7],
  [448351.8, 5411932.7],
  [448251.8, 5411932.7],
] as const

test('a zipped shapefile in UTM has names and types of its table, in words of the office', async () => {
  const answer = await send('shapefile', shapefile(square, utm31, { SCHLAG: 'Große Wiese', NUTZUNG: 'Grünland' }))
  expect(answer.status, answer.text).toBe(200)
  const [area] = await areasOf(answer)
  expect(area).toMatchObject({ name: 'Große Wiese', area_type: 'field' })
  const [, lon = '', lat = ''] = /\(\((\S+) (\S+?),/.exec(area?.geofield[0].geom) ?? []
  expect([Number(lon), Number(lat)]).toEqual([expect.closeTo(2.2945, 4), expect.closeTo(48.8582, 4)])
})

test('without .prj, or in another system, a shapefile is refused by name', async () => {
  expect((await send('shapefile', shapefile(square, undefined, {}))).body.detail).toContain('has no .prj beside it')
  const gauss = 'PROJCS["DHDN / 3-degree Gauss-Kruger zone 3",GEOGCS["DHDN"],PROJECTION["Transverse_Mercator"]]'
  const refused = await send('shapefile', shapefile(square, gauss, {}))
  expect(refused.status).toBe(422)
  expect(refused.body.detail).toContain('DHDN / 3-degree Gauss-Kruger zone 3')
  expect(refused.body.detail).toContain('export the layer as WGS 84')
})

const geojson = (coordinates: unknown, crs?: string) =>
  JSON.stringify({
    type: 'FeatureCollection',
    ...(crs === undefined ? {} : { crs: { type: 'name', properties: { name: crs } } }),
    features: [{ type: 'Feature', properties: { name: 'Plot' }, geometry: { type: 'Polygon', coordinates } }],
  })

test('GeoJSON in UTM and Web Mercator is projected, and lists wind their rings as RFC 7946 asks', async () => {
  const [plot] = await areasOf(await send('geojson', geojson([square], 'urn:ogc:def:crs:EPSG::25831')))
  const list = await ada.stream(`/taxonomy_term.geojson?id=${plot?.tid}`, {})
  const [ring] = JSON.parse(await list.text()).features[0].geometry.coordinates as [number[][]]
  const turn = ring.reduce((sum, [x = 0, y = 0], at) => {
    const [nextX = 0, nextY = 0] = ring[(at + 1) % ring.length] ?? []
    return sum + (x * nextY - nextX * y)
  }, 0)
  expect(turn).toBeGreaterThan(0)
  const mercator = [
    [
      [779236, 6621293],
      [779336, 6621293],
      [779336, 6621393],
      [779236, 6621293],
    ],
  ]
  const [other] = await areasOf(await send('geojson', geojson(mercator, 'EPSG:3857'), '&match=id'))
  expect(Number(/\(\((\S+) /.exec(other?.geofield[0].geom)?.[1])).toBeCloseTo(7, 3)
})

test('a ring that crosses itself is a fault that shows where, and other features come in', async () => {
  const bow = [
    [
      [7, 51],
      [7.01, 51.01],
      [7.01, 51],
      [7, 51.01],
      [7, 51],
    ],
  ]
  const { body } = await send('geojson', geojson(bow), '&on_fault=skip')
  expect(body.features).toMatchObject([
    {
      result: 'fault',
      faults: [{ message: expect.stringContaining('crosses itself at longitude and latitude 7.005000 51.005000') }],
    },
  ])
})

const features = (...all: readonly (readonly [name: string, corners: Json])[]) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: all.map(([name, corners]) => ({
      type: 'Feature',
      properties: { name },
      geometry: { type: 'Polygon', coordinates: [corners] },
    })),
  })
const corners = (east: number) => [
  [east, 51],
  [east + 0.001, 51],
  [east + 0.001, 51.001],
  [east, 51],
]
const bow = [
  [7, 51],
  [7.002, 51.002],
  [7.002, 51],
  [7, 51.002],
  [7, 51],
]

test('shapes=1 answers with the shape of each feature, also of those that are refused, and without it with none', async () => {
  const body = features(['Shown', corners(7)], ['Bow', bow])
  const plain = await send('geojson', body, '&dry_run=1&on_fault=skip')
  expect(plain.text).not.toContain('shape')
  const { body: answer } = await send('geojson', body, '&dry_run=1&on_fault=skip&shapes=1')
  expect(answer).toMatchObject({
    shapes: { shown: 2, not_shown: 0 },
    features: [
      { feature: 0, result: 'created', shape: 'POLYGON ((7 51, 7.001 51, 7.001 51.001, 7 51))' },
      { feature: 1, result: 'fault', shape: expect.stringMatching(/^POLYGON /) },
    ],
  })
  const refused = await send('geojson', body, '&shapes=yes')
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'shapes', allowed: ['0', '1'] }] } })
})

test('of many shapes the first 2,000 are shown, those that are refused among them, and the others are counted', async () => {
  const many = Array.from({ length: 2_000 }, (_, at) => [`Many ${at}`, corners(7 + at / 10_000)] as const)
  const answer = await send('geojson', features(...many, ['Bow', bow]), '&dry_run=1&on_fault=skip&shapes=1')
  expect(answer.body.shapes).toEqual({ shown: 2_000, not_shown: 1 })
  expect(answer.body.features.at(-1)).toMatchObject({ result: 'fault', shape: expect.any(String) })
  expect(answer.body.features[1_999]).not.toHaveProperty('shape')
})

test('a new feature that has the name of one area says so, and match=name updates that area instead', async () => {
  const first = await send('geojson', features(['Twin', corners(7)], ['Double', corners(7)], ['double', corners(7)]))
  const [twin] = first.body.features
  const again = features([' twin ', corners(7.1)], ['Double', corners(7.1)], ['Single', corners(7.1)])
  const { body } = await send('geojson', again, '&dry_run=1')
  expect(body.features[0]).toMatchObject({ result: 'created', namesake: twin.id })
  expect(body.features[1]).not.toHaveProperty('namesake')
  expect(body.features[2]).not.toHaveProperty('namesake')
  const updated = await send('geojson', features(['Twin', corners(7.1)]), '&match=name')
  expect(updated.body).toMatchObject({ counts: { created: 0, changed: 1 }, features: [{ id: twin.id }] })
  const geofield = [{ geom: 'POLYGON ((7.1 51, 7.101 51, 7.101 51.001, 7.1 51))' }]
  expect(await areasOf(updated)).toMatchObject([{ name: 'Twin', geofield }])
})
