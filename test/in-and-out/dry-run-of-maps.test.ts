import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { engineUnderTest } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'
import { rounds } from '../harness/rounds.ts'
import { zipped } from '../harness/zipped.ts'
import { BothWays } from './both-ways.ts'

const formats = {
  geojson: 'application/geo+json',
  kml: 'application/vnd.google-earth.kml+xml',
  kmz: 'application/vnd.google-earth.kmz',
} as const

/** Where a shape lies; some are far from the farm, and some nowhere. */
const places = [
  ...(['POLYGON', 'POLYGON', 'POINT', 'POINT', 'LINE', 'LINE', 'HIGH', 'HIGH', 'NONE', 'NONE'] as const),
  ...(['FAR', 'OUT OF RANGE', 'OPEN RING'] as const),
]

const drawn: Readonly<Record<(typeof places)[number], Json>> = {
  POLYGON: [
    [7, 51],
    [7.001, 51],
    [7.001, 51.001],
    [7, 51],
  ],
  POINT: [[7.1, 51.1]],
  LINE: [
    [7, 51],
    [7.01, 51.01],
  ],
  HIGH: [
    [7, 51, 120.5],
    [7.01, 51.01, 130],
  ],
  NONE: null,
  FAR: [[-120.5, 40]],
  'OUT OF RANGE': [[190, 51]],
  'OPEN RING': [
    [7, 51],
    [7.001, 51],
    [7.001, 51.001],
    [7.002, 51],
  ],
}

const names = ['North', 'North', 'South', 'South', 'Pond', 'Barn', 'Hill', '']
const feature = fc.record({
  place: fc.constantFrom(...places),
  name: fc.constantFrom(...names),
  parent: fc.constantFrom('', '', 'North', 'South', 'Home farm', 'Estate', 'North; South'),
  area_type: fc.constantFrom('', 'field', 'field', 'Field', 'water', 'water', 'castle'),
  description: fc.constantFrom('', '', 'Wet', '=1+1'),
  known: fc.constantFrom('', 'its UUID', 'its UUID', 'its number', 'a new UUID', 'an unknown number', 'an old version'),
  fid: fc.nat(9),
})

const maps = fc.record({
  format: fc.constantFrom(...(Object.keys(formats) as (keyof typeof formats)[])),
  features: fc.array(feature, { minLength: 1, maxLength: 4 }),
  query: fc.record(
    {
      match: fc.constantFrom('uuid', 'uuid', 'id', 'name', 'name'),
      far: fc.constantFrom('ok', 'ok', 'no'),
      overwrite: fc.constantFrom('1', '0'),
      map: fc.constantFrom('parent=', 'name=name,type=area_type', 'description=fid'),
    },
    { requiredKeys: [] },
  ),
  hasKey: fc.boolean(),
  again: fc.boolean(),
})

interface Manner {
  readonly query?: Readonly<Record<string, string>>
  readonly key?: string
}

type Feature = Readonly<Record<string, string>> & { readonly coordinates: Json }

const geometryOf = ({ coordinates }: Feature): Json => {
  if (coordinates === null) return null
  if (coordinates.length === 1) return { type: 'Point', coordinates: coordinates[0] }
  if (coordinates.length === 2) return { type: 'LineString', coordinates }
  return { type: 'Polygon', coordinates: [coordinates] }
}

const propertiesOf = ({ coordinates: _, ...properties }: Feature) =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== ''))

const geoJsonOf = (features: readonly Feature[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: features.map((one) => ({ type: 'Feature', properties: propertiesOf(one), geometry: geometryOf(one) })),
  })

function shapeInKml({ coordinates }: Feature): string {
  if (coordinates === null) return ''
  const inside = `<coordinates>${coordinates.map((one: number[]) => one.join(',')).join(' ')}</coordinates>`
  if (coordinates.length === 1) return `<Point>${inside}</Point>`
  if (coordinates.length === 2) return `<LineString>${inside}</LineString>`
  return `<Polygon><outerBoundaryIs><LinearRing>${inside}</LinearRing></outerBoundaryIs></Polygon>`
}

function kmlOf(features: readonly Feature[]): string {
  const marks = features.map((one) => {
    const { name, ...data } = propertiesOf(one)
    const each = Object.entries(data).map(([key, value]) => `<Data name="${key}"><value>${value}</value></Data>`)
    const title = name === undefined ? '' : `<name>${name}</name>`
    return `<Placemark>${title}<ExtendedData>${each.join('')}</ExtendedData>${shapeInKml(one)}</Placemark>`
  })
  const folder = `<Folder><name>Estate</name>${marks.slice(1).join('')}</Folder>`
  return `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${marks[0]}${folder}</Document></kml>`
}

const lengths = rounds({
  short: { sqlite: { numRuns: 12, seed: 22 }, postgres: { numRuns: 6, seed: 22 } },
  long: { sqlite: { numRuns: 500 }, postgres: { numRuns: 120 } },
})[engineUnderTest()]

it('a dry run of any map, with any options, says what the map will say, and leaves everything as it was', async () => {
  const farm = await openFarm()
  farm.setClock(1_700_000_000)
  const client = await farm.login()
  const counts = { created: 0, changed: 0, unchanged: 0, refused: 0 }

  async function known(which: string, name: string): Promise<Readonly<Record<string, string>>> {
    const { list } = await client.read('/taxonomy_term.json?bundle=farm_areas&with=uuid,version')
    const area = list.find((one: Json) => one.name === name) ?? list[0]
    if (which === 'a new UUID') return { uuid: randomUUID() }
    if (which === 'an unknown number') return { id: '999999' }
    if (which === '' || area === undefined) return {}
    if (which === 'its number') return { id: area.tid }
    return which === 'its UUID' ? { uuid: area.uuid, version: area.version } : { uuid: area.uuid, version: '1.unknown' }
  }

  async function send(features: readonly Feature[], format: keyof typeof formats, { query, key }: Manner) {
    const kml = kmlOf(features)
    const body = {
      geojson: geoJsonOf(features),
      kml,
      kmz: new Uint8Array(zipped([{ name: 'doc.kml', bytes: Buffer.from(kml) }])),
    }[format]
    const headers = { 'content-type': formats[format], ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const path = `/taxonomy_term.json?${new URLSearchParams(query)}`
    const answer = await new BothWays(farm, client).write('POST', path, { headers, body })
    if (answer.status !== 200) counts.refused += 1
    else for (const name of ['created', 'changed', 'unchanged'] as const) counts[name] += answer.body.counts[name]
  }

  for (const format of Object.keys(formats) as (keyof typeof formats)[]) {
    const shapeless = { name: 'Unnamed shape', uuid: randomUUID(), coordinates: drawn.NONE }
    const sound = { name: 'North', uuid: randomUUID(), parent: `Made for ${format}`, coordinates: drawn.POLYGON }
    for (const one of [sound, sound, { ...sound, description: 'Wet' }, { ...sound, area_type: 'castle' }])
      await send([one, shapeless], format, {})
  }
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThanOrEqual(3)

  const oneMap = fc.asyncProperty(maps, async ({ format, features: wanted, query, hasKey, again }) => {
    const features: Feature[] = []
    for (const { place, known: which, fid, ...own } of wanted)
      features.push({ ...own, ...(await known(which, own.name)), fid: String(fid), coordinates: drawn[place] })
    const manner = { query, ...(hasKey ? { key: randomUUID() } : {}) }
    for (let nth = 0; nth < (again ? 2 : 1); nth += 1) await send(features, format, manner)
  })
  await fc.assert(oneMap, { ...lengths, interruptAfterTimeLimit: 240_000, endOnFailure: true })
})
