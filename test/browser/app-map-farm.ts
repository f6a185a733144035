import { expect } from 'vitest'
import type { Client } from '../harness/client.ts'

export const day = 86_400

export interface MapFarm {
  readonly now: number
  readonly north1: string
  readonly north2: string
  readonly hill: string
  readonly garden: string
  readonly bed: string
  readonly milkers: string
}

/** Three paddocks in a row, a garden with a bed, a pond: a herd of two was on North 1 and on Hill, and is on North 2. */
export async function plantMapFarm(client: Client): Promise<MapFarm> {
  const now = Math.floor(Date.now() / 1000)
  const area = (name: string, type: string, more: object) =>
    client.create('taxonomy_term', { name, vocabulary: 'farm_areas', area_type: type, ...more })
  const farm = await area('Green Farm', 'property', shape([-20, -20], [720, 420]))
  const inFarm = { parent: [{ id: farm }] }
  const north1 = await area('North 1', 'paddock', { ...inFarm, ...shape([0, 200], [200, 180]) })
  const north2 = await area('North 2', 'paddock', { ...inFarm, ...shape([210, 200], [200, 180]) })
  const hill = await area('Hill', 'paddock', { ...inFarm, ...shape([420, 200], [250, 180]) })
  const garden = await area('Garden', 'field', { ...inFarm, ...shape([0, 0], [300, 180]) })
  const bed = await area('Bed 1', 'bed', { parent: [{ id: garden }], ...shape([10, 10], [280, 30]) })
  await area('Pond', 'water', { ...inFarm, ...shape([400, 40], [80, 60]) })
  const herd = { name: 'Milkers', type: 'group' }
  const milkers = await client.create('farm_asset', herd)
  const cow = (name: string) => client.create('farm_asset', { name, type: 'animal', animal_type: { name: 'Cow' } })
  const cows = [{ id: await cow('117') }, { id: await cow('118') }]
  const log = (name: string, daysAgo: number, more: object) =>
    client.create('log', { name, type: 'farm_activity', timestamp: now - daysAgo * day, done: '1', ...more })
  const move = (place: string, daysAgo: number, id: string) =>
    log(`Milkers to ${place}`, daysAgo, { asset: [...cows, { id: milkers }], movement: { area: [{ id }] } })
  await log('Form the Milkers', 60, { asset: cows, membership: { group: [{ id: milkers }] } })
  await move('North 1', 50, north1)
  await move('Hill', 40, hill)
  await move('North 2', 4, north2)
  await log('Thistles topped', 2, { area: [{ id: north2 }] })
  return { now, north1, north2, hill, garden, bed, milkers }
}

/** A farm with very many areas: fields in rows, each with 25 beds. */
export async function plantManyAreas(client: Client, count: number): Promise<void> {
  const inField = 25
  const fields = Math.floor(count / (inField + 1))
  const columns = Math.ceil(Math.sqrt(fields))
  const features = [
    feature('Great Farm', 'property', [-40, -40], [columns * 230 + 60, Math.ceil(fields / columns) * 160 + 60]),
  ]
  for (let field = 0; field < fields; field++) {
    const [east, north] = [(field % columns) * 230, Math.floor(field / columns) * 160]
    features.push(feature(`Field ${field + 1}`, 'field', [east, north], [200, 130], 'Great Farm'))
    for (let bed = 0; bed < inField; bed++)
      features.push(
        feature(
          `F${field + 1} bed ${bed + 1}`,
          'bed',
          [east + 6, north + 4 + bed * 5],
          [188, 3.2],
          `Field ${field + 1}`,
        ),
      )
  }
  await importMap(client, features)
}

async function importMap(client: Client, features: readonly object[]): Promise<void> {
  const answer = await client.send('POST', '/taxonomy_term?far=ok', {
    headers: { 'content-type': 'application/geo+json' },
    body: JSON.stringify({ type: 'FeatureCollection', features }),
  })
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
}

/** 300 areas with as many corners as a survey has: fields with beds, paddocks with a cow each, ponds, sheds, posts. */
export async function plantSurveyedFarm(client: Client): Promise<void> {
  const many = (count: number, make: (n: number) => object) => Array.from({ length: count }, (_, n) => make(n))
  const blockAt = (n: number): Metres => [(n % 8) * 220, Math.floor(n / 8) * 170]
  const inFarm = { parent: 'Home Farm', corners: 40 }
  const bedAt = (n: number): Metres => [blockAt(n % 15)[0] + 20, blockAt(n % 15)[1] + 15 + Math.floor(n / 15) * 11]
  const features = [
    surveyed('Home Farm', 'property', { at: [-60, -60], size: [1_880, 1_480], corners: 120 }),
    ...many(24, (n) => surveyed(`Field ${n}`, 'field', { ...inFarm, at: blockAt(n), size: [200, 150] })),
    ...many(40, (n) => surveyed(`Paddock ${n}`, 'paddock', { ...inFarm, at: blockAt(n + 24), size: [200, 150] })),
    ...many(150, (n) =>
      surveyed(`Bed ${n}`, 'bed', { parent: `Field ${n % 15}`, corners: 8, at: bedAt(n), size: [150, 6] }),
    ),
    ...many(20, (n) => surveyed(`Pond ${n}`, 'water', { ...inFarm, at: blockAt(n * 3), size: [30, 20] })),
    ...many(35, (n) =>
      surveyed(`Shed ${n}`, 'building', { ...inFarm, corners: 8, at: blockAt(n + 20), size: [18, 12] }),
    ),
    ...many(30, (n) => surveyed(`Post ${n}`, 'landmark', { ...inFarm, corners: 1, at: blockAt(n * 2), size: [0, 0] })),
  ]
  expect(features).toHaveLength(300)
  await importMap(client, features)
  const { list } = (await client.get('/taxonomy_term.json?area_type=paddock')).body as { list: { id: string }[] }
  const cows = list.map((_, n) => ({ name: `Cow ${n}`, type: 'animal', animal_type: { name: 'Cow' } }))
  await moveInto(
    client,
    list.map(({ id }) => id),
    await created(client, '/farm_asset', cows),
  )
}

/** Small paddocks side by side without a field around them, a cow in each, and a large one far away. */
export async function plantCrowdedPaddocks(client: Client, count: number): Promise<number> {
  const area = (name: string, more: object) => ({ name, vocabulary: 'farm_areas', area_type: 'paddock', ...more })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const paddocks = numbers.map((n) => area(`P${n}`, shape([(n % 8) * 5, Math.floor(n / 8) * 5], [4, 4])))
  const cows = numbers.map((n) => ({ name: `Cow ${n}`, type: 'animal', animal_type: { name: 'Cow' } }))
  await client.create('taxonomy_term', area('Far away', shape([600, 600], [200, 200])))
  const places = await created(client, '/taxonomy_term', paddocks)
  await moveInto(client, places, await created(client, '/farm_asset', cows))
  return count
}

async function created(client: Client, path: string, bodies: readonly object[]): Promise<string[]> {
  const operations = bodies.map((body) => ({ method: 'POST', path, body }))
  const { status, body } = await client.post('/batch', { operations })
  expect(status).toBe(200)
  return body.results.map(({ id }: { id: string }) => id)
}

/** One animal into each place, since yesterday. */
async function moveInto(client: Client, places: readonly string[], animals: readonly string[]): Promise<void> {
  const at = Math.floor(Date.now() / 1000) - day
  const moves = animals.map((id, n) => ({
    name: `Cow ${n} moves`,
    type: 'farm_activity',
    timestamp: at,
    done: '1',
    asset: [{ id }],
    movement: { area: [{ id: places[n] }] },
  }))
  await created(client, '/log', moves)
}

type Metres = readonly [east: number, north: number]

const metre = { east: 1 / (111_320 * Math.cos((47.1 * Math.PI) / 180)), north: 1 / 111_320 }

const placeAt = (x: number, y: number) => [8.2 + x * metre.east, 47.1 + y * metre.north] as const

function cornersOf([east, north]: Metres, [width, height]: Metres): readonly (readonly [number, number])[] {
  const first = placeAt(east, north)
  const [right, top] = [east + width, north + height]
  return [first, placeAt(right, north), placeAt(right, top), placeAt(east, top), first]
}

const shape = (at: Metres, size: Metres) => ({
  geofield: `POLYGON ((${cornersOf(at, size)
    .map((corner) => corner.join(' '))
    .join(', ')}))`,
})

function feature(name: string, type: string, ...[at, size, parent]: [Metres, Metres, string?]): object {
  return {
    type: 'Feature',
    properties: { name, area_type: type, ...(parent === undefined ? {} : { parent }) },
    geometry: { type: 'Polygon', coordinates: [cornersOf(at, size)] },
  }
}

interface Survey {
  readonly at: Metres
  readonly size: Metres
  /** One corner is a point. */
  readonly corners: number
  readonly parent?: string
}

/** A rounded shape whose edge is nowhere quite straight. */
function surveyed(name: string, type: string, { at: [east, north], size, corners, parent }: Survey): object {
  const corner = (n: number) => {
    const angle = ((n % corners) / corners) * 2 * Math.PI
    const reach = 1 + 0.03 * Math.sin(7 * angle)
    const along = (side: number, share: number) =>
      (side / 2) * (1 + reach * Math.sign(share) * Math.sqrt(Math.abs(share)))
    return placeAt(east + along(size[0], Math.cos(angle)), north + along(size[1], Math.sin(angle)))
  }
  const geometry =
    corners === 1
      ? { type: 'Point', coordinates: placeAt(east, north) }
      : { type: 'Polygon', coordinates: [Array.from({ length: corners + 1 }, (_, n) => corner(n))] }
  return {
    type: 'Feature',
    properties: { name, area_type: type, ...(parent === undefined ? {} : { parent }) },
    geometry,
  }
}
