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
  const answer = await client.send('POST', '/taxonomy_term?far=ok', {
    headers: { 'content-type': 'application/geo+json' },
    body: JSON.stringify({ type: 'FeatureCollection', features }),
  })
  expect(answer.status, answer.text.slice(0, 500)).toBe(200)
}

/** Small paddocks side by side without a field around them, a cow in each, and a large one far away. */
export async function plantCrowdedPaddocks(client: Client, count: number): Promise<number> {
  const area = (name: string, more: object) => ({ name, vocabulary: 'farm_areas', area_type: 'paddock', ...more })
  const post = (path: string) => (body: object) => ({ method: 'POST', path, body })
  const numbers = Array.from({ length: count }, (_, number) => number)
  const paddocks = numbers.map((n) => area(`P${n}`, shape([(n % 8) * 5, Math.floor(n / 8) * 5], [4, 4])))
  const cows = numbers.map((n) => ({ name: `Cow ${n}`, type: 'animal', animal_type: { name: 'Cow' } }))
  await client.create('taxonomy_term', area('Far away', shape([600, 600], [200, 200])))
  const made = async (path: string, bodies: readonly object[]): Promise<string[]> => {
    const { status, body } = await client.post('/batch', { operations: bodies.map(post(path)) })
    expect(status).toBe(200)
    return body.results.map(({ id }: { id: string }) => id)
  }
  const [places, animals] = [await made('/taxonomy_term', paddocks), await made('/farm_asset', cows)]
  const at = Math.floor(Date.now() / 1000) - day
  await made(
    '/log',
    animals.map((id, n) => ({
      name: `Cow ${n} moves`,
      type: 'farm_activity',
      timestamp: at,
      done: '1',
      asset: [{ id }],
      movement: { area: [{ id: places[n] }] },
    })),
  )
  return count
}

type Metres = readonly [east: number, north: number]

const metre = { east: 1 / (111_320 * Math.cos((47.1 * Math.PI) / 180)), north: 1 / 111_320 }

function cornersOf([east, north]: Metres, [width, height]: Metres): readonly (readonly [number, number])[] {
  const corner = (x: number, y: number) => [8.2 + x * metre.east, 47.1 + y * metre.north] as const
  const first = corner(east, north)
  return [first, corner(east + width, north), corner(east + width, north + height), corner(east, north + height), first]
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
