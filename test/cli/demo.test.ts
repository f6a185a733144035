import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { planFarm } from '../../programs/demo/plan.ts'
import type { PlannedRecord } from '../../programs/demo/planned-record.ts'
import { readWords } from '../../programs/demo/words.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'
import { furrow, serve } from './built-furrow.ts'

const password = 'green fields 42'

async function logIn(address: string): Promise<Client> {
  const answer = await fetch(`${address}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'ada', password }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return new Client(address, { authorization: `Bearer ${access_token}` })
}

/** What a plan says, without keeping it. */
const written = (planned: readonly PlannedRecord[]) =>
  planned.map(({ type, key, at, body }) => ({ type, key, at, body: body((to) => ({ id: to.length })) }))

/** Days of every season, a Sunday, a leap day and one at the turn of the year among them. */
const dates = rounds({
  short: ['2026-01-04', '2026-06-30'],
  long: ['2026-01-04', '2026-04-20', '2026-06-30', '2026-09-01', '2026-12-28', '2028-02-29'],
})
const days = dates.map((date) => Date.parse(date) / 86_400_000)
const today = Date.parse('2026-04-20') / 86_400_000

describe('the plan of the demo farm', () => {
  it('is the same for the same seed and day, and another for others', () => {
    const plan = JSON.stringify(written(planFarm(7, today)))
    expect(JSON.stringify(written(planFarm(7, today)))).toBe(plan)
    expect(JSON.stringify(written(planFarm(8, today)))).not.toBe(plan)
    expect(JSON.stringify(written(planFarm(7, today + 1)))).not.toBe(plan)
  })

  it('is large enough with any seed, on any day', () => {
    const seeds = rounds({ short: [0, 4_294_967_295], long: [0, 1, 2, 3, 99, 4_294_967_295] })
    for (const [index, seed] of seeds.entries()) {
      const planned = written(planFarm(seed, days[index] ?? today))
      expect(planned.filter(({ type }) => type === 'log').length, `logs of ${seed}`).toBeGreaterThanOrEqual(3_000)
      expect(planned.filter(({ type }) => type === 'asset').length, `assets of ${seed}`).toBeGreaterThanOrEqual(150)
    }
  })
})

/** The same value, and the paths to all its leaves that have been asked for. */
function watched<T extends object>(value: T, path: string, asked: Set<string>): T {
  return new Proxy(value, {
    get(target, key) {
      const found = Reflect.get(target, key)
      if (typeof key === 'symbol' || !Object.hasOwn(target, key)) return found
      const own = `${path}/${key}`
      if (typeof found === 'object' && found !== null) return watched(found, own, asked)
      asked.add(own)
      return found
    },
  })
}

const leavesOf = (value: unknown, path: string): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, one]) => leavesOf(one, `${path}/${key}`))
    : [path]

describe('the words of the demo farm', () => {
  it('are all used; of the names for calves some are left', () => {
    const asked = new Set<string>(['/areas/farm'])
    written(planFarm(1, today, watched(readWords(), '', asked)))
    const unused = leavesOf(readWords(), '').filter((path) => !asked.has(path))
    expect(unused.filter((path) => !path.startsWith('/animals/calves/'))).toEqual([])
    expect(asked).toContain('/animals/calves/F/0')
  })

  it('leave no place for a name open', () => {
    const texts = JSON.stringify(written(planFarm(1, today)))
    expect(texts).not.toMatch(/\{\w+\}|undefined/)
  })

  it('make the same farm as ever', () => {
    const counts = new Map<string, number>()
    for (const { body } of written(planFarm(1, today))) {
      const { type, vocabulary = type } = body as Json
      counts.set(vocabulary, (counts.get(vocabulary) ?? 0) + 1)
    }
    expect(Object.fromEntries(counts)).toMatchInlineSnapshot(`
      {
        "animal": 126,
        "compost": 4,
        "equipment": 13,
        "farm_activity": 996,
        "farm_areas": 50,
        "farm_birth": 82,
        "farm_crop_families": 9,
        "farm_crops": 20,
        "farm_harvest": 1040,
        "farm_input": 390,
        "farm_maintenance": 198,
        "farm_medical": 71,
        "farm_observation": 612,
        "farm_season": 4,
        "farm_seeding": 81,
        "farm_soil_test": 18,
        "farm_transplanting": 35,
        "farm_water_test": 36,
        "group": 6,
        "planting": 81,
        "sensor": 4,
      }
    `)
  })
})

interface PlannedLog {
  readonly name: string
  readonly type: string
  readonly at: number
  readonly time: Date
  /** From the day on which the farm's book ends. */
  readonly days: number
  readonly done: boolean
  readonly assets: readonly string[]
  readonly amounts: readonly { readonly value: number; readonly unit: string }[]
}

/** What a farmer would read. */
function logsOn(day: number): readonly PlannedLog[] {
  const keys: string[] = []
  const lookup = (key: string) => ({ id: keys.push(key) - 1 })
  return planFarm(5, day)
    .filter(({ type }) => type === 'log')
    .map(({ at, body }) => {
      const { name, type, timestamp, done, asset = [], quantity = [] } = body(lookup) as Json
      const time = new Date(timestamp * 1000)
      const date = Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000
      const amounts = quantity.map((one: Json) => ({ value: Number(one.value), unit: one.unit?.name ?? one.label }))
      const assets = asset.map(({ id }: Json) => keys[id])
      return { name, type, at, time, days: date - day, done, assets, amounts }
    })
}

describe.each(days)('the book of the demo farm that ends on day %i', (day) => {
  const logs = logsOn(day)
  const named = (pattern: RegExp) => logs.filter(({ name }) => pattern.test(name))
  const monthsOf = (some: readonly PlannedLog[]) => new Set(some.map(({ time }) => time.getMonth() + 1))

  it('ends there, and was begun three years before', () => {
    const done = logs.filter((log) => log.done)
    expect(Math.max(...done.map((log) => log.days))).toBeLessThan(0)
    expect(Math.max(...done.map((log) => log.days))).toBeGreaterThanOrEqual(-2)
    expect(Math.min(...done.map((log) => log.days))).toBeLessThan(-1090)
    expect(Math.max(...logs.map(({ at }) => at))).toBeLessThanOrEqual(day * 86_400 + 86_400)
  })

  it('has work that is late, work for today and work for the coming weeks', () => {
    const open = logs.filter(({ done }) => !done)
    const due = (from: number, until: number) => open.filter((log) => log.days >= from && log.days <= until).length
    expect(due(-14, -1)).toBeGreaterThanOrEqual(3)
    expect(due(0, 0)).toBeGreaterThanOrEqual(2)
    expect(due(1, 14)).toBeGreaterThanOrEqual(4)
    expect(due(15, 42)).toBeGreaterThanOrEqual(8)
    expect(due(-14, 42)).toBe(open.length)
    expect(open.length).toBeLessThan(200)
    expect(open.filter(({ amounts }) => amounts.length > 0)).toEqual([])
    expect(open.filter(({ type }) => /birth|observation|test/.test(type))).toEqual([])
  })

  it('keeps the hours of a farm, and its Sundays', () => {
    const times = new Map<string, number>()
    for (const { name, type, time } of logs) {
      const hour = time.getHours() + time.getMinutes() / 60
      if (type !== 'farm_birth') expect(hour >= 6 && hour <= 20, `${name} at ${time}`).toBe(true)
      times.set(time.toTimeString(), (times.get(time.toTimeString()) ?? 0) + 1)
    }
    expect(Math.max(...times.values())).toBeLessThan(logs.length / 20)
    const cannotWait = /^(Milk collected|Eggs|Hay|Meal|Layer feed|Birth|Check )|reading$/
    const isDueOnThisSunday = (log: PlannedLog) => log.days === 0 && !log.done
    const firstDay = Math.min(...logs.map((log) => log.days))
    const onSunday = logs.filter((log) => log.time.getDay() === 0 && !isDueOnThisSunday(log) && log.days > firstDay + 3)
    expect(onSunday.filter(({ name }) => !cannotWait.test(name)).map(({ name }) => name)).toEqual([])
  })

  it('mends what a machine has', () => {
    const mended = logs.filter(({ type }) => type === 'farm_maintenance')
    expect(mended).not.toEqual([])
    for (const { name, assets } of mended) {
      if (/Sharpen/.test(name)) expect(['Mower', 'Row hoe', 'Wheel hoe'], name).toContain(assets[0])
      if (/\boil of\b|battery|filter/.test(name)) expect(assets[0], name).toMatch(/tractor/i)
      if (/front loader/.test(name)) expect(assets).toEqual(['Tractor'])
      else expect(name.toLowerCase()).toContain(assets[0]?.toLowerCase())
    }
  })

  it('has amounts that fit on the trailer', () => {
    const most: Record<string, number> = {
      ...{
        eggs: 84,
        litres: 480,
        bales: 50,
        heads: 450,
        bunches: 150,
        kg: 4_500,
        t: 40,
        g: 800,
        seeds: 5_000,
        plants: 5_000,
      },
      ...{
        hours: 4,
        days: 21,
        ml: 200,
        cm: 280,
        CHF: 250,
        mm: 70,
        '%': 45,
        '°C': 66,
        'mg/l': 50,
        'm²': 300,
        'm³': 10,
        pH: 7.5,
        Condition: 5,
      },
    }
    expect(logs.some(({ amounts }) => amounts.length > 0)).toBe(true)
    for (const { name, amounts } of logs)
      for (const { value, unit } of amounts) {
        expect(value, `${value} ${unit}: ${name}`).toBeLessThanOrEqual(most[unit] ?? Number.NaN)
        expect(value, name).toBeGreaterThanOrEqual(['mm', '°C'].includes(unit) ? -5 : 0.1)
      }
  })

  it('keeps the seasons of the north', () => {
    expect(monthsOf(named(/^Bale the hay/))).toEqual(new Set([6]))
    expect(monthsOf(named(/^Shear/))).toEqual(new Set([5]))
    const seasons: readonly (readonly [RegExp, readonly number[]])[] = [
      [/^Birth/, [2, 3, 4]],
      [/^Dairy herd to Paddock/, [4, 5, 6, 7, 8, 9, 10]],
      [/^Harvest (tomato|cucumber|courgette)/, [6, 7, 8, 9, 10]],
      [/^Harvest spring barley/, [7, 8]],
    ]
    for (const [name, season] of seasons) {
      expect(monthsOf(named(name)).size, String(name)).toBeGreaterThan(0)
      expect(season, String(name)).toEqual(expect.arrayContaining([...monthsOf(named(name))]))
    }
  })

  it('moves the dairy herd from paddock to paddock in their turn', () => {
    const moves = named(/^Dairy herd to Paddock/).map(({ name }) => Number(name.slice(-1)))
    expect(moves.length).toBeGreaterThan(80)
    expect(new Set(moves)).toEqual(new Set([1, 2, 3, 4]))
    const outOfTurn = moves.filter((to, index) => index > 0 && to !== 1 && to !== (moves[index - 1] ?? 0) + 1)
    expect(outOfTurn).toEqual([])
  })
})

type Corner = readonly [number, number]

const cornersOf = (shape: string): readonly Corner[] =>
  [...shape.matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)])

function isInside([x, y]: Corner, corners: readonly Corner[]): boolean {
  const crossings = corners.filter(([x1, y1], index) => {
    const [x2, y2] = corners[(index + 1) % corners.length] ?? [x1, y1]
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1
  })
  return crossings.length % 2 === 1
}

it('the places of the demo farm lie in the one they belong to, side by side', () => {
  const places = planFarm(1, today)
    .map(({ body }) => body((key) => key as unknown as { id: number }) as Json)
    .filter(({ vocabulary }) => vocabulary === 'farm_areas')
    .map(({ name, parent = [], geofield }) => ({ name, parent: parent[0], shape: geofield[0].geom as string }))
  const plots = places.filter(({ shape }) => shape.startsWith('POLYGON'))
  const inside = places.filter(({ parent }) => plots.some(({ name }) => name === parent))
  expect(inside.length).toBeGreaterThan(10)
  for (const { name, parent, shape } of inside) {
    const around = plots.find((one) => one.name === parent)
    if (around === undefined) throw new Error(`${parent} is no plot`)
    for (const corner of cornersOf(shape))
      expect(isInside(corner, cornersOf(around.shape)), `${name} in ${parent}`).toBe(true)
  }
  for (const one of plots)
    for (const other of plots.filter(({ name, parent }) => parent === one.parent && name !== one.name))
      for (const corner of cornersOf(other.shape))
        expect(isInside(corner, cornersOf(one.shape)), `${other.name} and ${one.name}`).toBe(false)
})

it('every animal of the demo farm has a tag and a name of its own', () => {
  const animals = planFarm(2, today)
    .map(({ body }) => body(() => ({ id: 1 })) as Json)
    .filter(({ type }) => type === 'animal')
  expect(new Set(animals.map(({ name }) => name)).size).toBe(animals.length)
  expect(new Set(animals.map(({ tag }) => tag[0].id)).size).toBe(animals.length)
  expect(animals.filter(({ tag }) => tag[0].type === 'Ear tag').length).toBeGreaterThan(60)
})

describe('furrow demo', () => {
  it('says what it needs: a manager, an account that is there, a seed that is a number', async () => {
    const env = { FURROW_DATA: await emptyDirectory() }
    const without = await furrow(['demo'], { env })
    expect(without).toMatchObject({ code: 1, stdout: '' })
    expect(without.stderr).toContain('furrow user add NAME --role manager')
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
    expect((await furrow(['demo', '--author', 'bert'], { env })).stderr).toContain('"bert"')
    expect(await furrow(['demo', '--seed', 'many'], { env })).toMatchObject({ code: 2 })
    for (const date of ['soon', '2026-02-30', '20260615', '1969-12-31']) {
      const refused = await furrow(['demo', '--today', date], { env })
      expect(refused, date).toMatchObject({ code: 2 })
      expect(refused.stderr).toContain('a date such as 2026-06-15')
    }
  })

  it('ends on the present day, and leaves a farm its name', async () => {
    const env = { FURROW_DATA: await emptyDirectory() }
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
    await furrow(['config', 'set', 'name', 'Hill Farm'], { env })
    expect(await furrow(['demo'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect((await furrow(['config', 'show'], { env })).stdout).toContain('Hill Farm')
    const { address } = await serve([], { env })
    const client = await logIn(address)
    const now = Math.floor(Date.now() / 1000)
    const newest = await client.read('/log.json?done=1&sort=timestamp&direction=DESC&limit=1')
    expect(Number(newest.list[0].timestamp)).toBeLessThanOrEqual(now)
    expect(Number(newest.list[0].timestamp)).toBeGreaterThan(now - 3 * 86_400)
    const coming = await client.read(`/log.json?done=0&timestamp[gt]=${now}&limit=1000`)
    expect(coming.list.length).toBeGreaterThan(10)
  })
})

const bundlesOfTheSpec = {
  log: 'farm_activity farm_observation farm_input farm_harvest farm_seeding farm_transplanting farm_maintenance farm_birth farm_medical farm_soil_test farm_water_test',
  farm_asset: 'planting animal equipment group compost sensor',
  taxonomy_term:
    'farm_areas farm_crops farm_crop_families farm_animal_types farm_log_categories farm_materials farm_quantity_units farm_season farm_soil_names',
}

const digests = new Map<string, string>()

describe.each(engines)('the demo farm on %s', (engine) => {
  let env: Record<string, string>
  let client: Client
  let address: string
  const countOf = async (path: string): Promise<number> => {
    const { list, last } = await client.read(`${path}${path.includes('?') ? '&' : '?'}limit=1`)
    return list.length === 0 ? 0 : Number(new URL(last).searchParams.get('page')) + 1
  }
  const only = async (path: string): Promise<Json> => {
    const { list } = await client.read(path)
    expect(list, path).toHaveLength(1)
    return list[0]
  }

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    env = { FURROW_DATA: data, FURROW_DATABASE: database ?? '' }
    await furrow(['user', 'add', 'ada', '--role', 'manager', '--password-stdin'], { env, input: password })
    const filled = await furrow(['demo', '--seed', '3', '--today', '2026-11-16'], { env })
    expect(filled, filled.stderr).toMatchObject({ code: 0, stderr: '' })
    address = (await serve([], { env })).address
    client = await logIn(address)
  }, 240_000)

  it('has records of every bundle, and every part', async () => {
    for (const [type, bundles] of Object.entries(bundlesOfTheSpec)) {
      for (const bundle of bundles.split(' ')) {
        expect(await countOf(`/${type}.json?bundle=${bundle}`), bundle).toBeGreaterThan(0)
      }
    }
    for (const part of ['quantity', 'movement', 'membership', 'inventory', 'images', 'files', 'equipment', 'flags']) {
      expect(await countOf(`/log.json?${part}[ne]=`), part).toBeGreaterThan(0)
    }
    expect(await countOf('/farm_asset.json?tag[ne]=')).toBeGreaterThan(50)
    expect(await countOf('/log.json')).toBeGreaterThanOrEqual(3_000)
    expect(await countOf('/farm_asset.json')).toBeGreaterThanOrEqual(150)
    expect(await countOf('/log.json?done=0')).toBeGreaterThan(20)
    expect(await client.read('/farm.json')).toMatchObject({ name: 'Willow Brook Farm' })
  })

  it('has a map: areas within areas, each of a type and with a shape', async () => {
    const { list } = await client.read('/taxonomy_term.json?bundle=farm_areas&limit=1000')
    expect(list.length).toBeGreaterThanOrEqual(40)
    const { features } = await client.read('/farm/areas/geojson/all')
    expect(features).toHaveLength(list.length)
    const bed = await only('/taxonomy_term.json?bundle=farm_areas&name=tunnel%20bed%201')
    expect(bed.parents_all.map((one: Json) => one.name)).toEqual(['Tunnel bed 1', 'Tall Tunnel', 'Willow Brook Farm'])
    const types = new Set(list.map((area: Json) => area.area_type))
    for (const type of ['property', 'field', 'bed', 'paddock', 'building', 'greenhouse', 'water', 'landmark']) {
      expect(types).toContain(type)
    }
  })

  it('knows where its assets are, in which group and how much there is', async () => {
    const cow = await only('/farm_asset.json?type=animal&name=bella&with=group')
    expect(cow.location.map((area: Json) => area.name)).toEqual(['Barn'])
    expect(cow.geometry).toMatch(/^POLYGON/)
    const herd = await only('/farm_asset.json?type=group&name=dairy%20herd&with=members')
    expect(cow.group.map((group: Json) => group.id)).toEqual([herd.id])
    expect(herd.members.length).toBeGreaterThanOrEqual(13)
    const barn = await only('/taxonomy_term.json?bundle=farm_areas&name=barn')
    expect(barn.assets.map((asset: Json) => asset.id)).toEqual(expect.arrayContaining([cow.id, herd.id]))
    const pile = await only('/farm_asset.json?type=compost&name=windrow%201&with=inventory')
    expect(Number(pile.inventory)).toBeGreaterThan(0)
    expect(pile.geometry).toMatch(/^POINT/)
    const calf = (await client.read(`/farm_asset.json?type=animal&parent=${cow.id}`)).list[0]
    expect(calf.date).toMatch(/^\d+$/)
  })

  it('has photos that are pictures', async () => {
    const { list } = await client.read('/log.json?images[ne]=&limit=3&files=inline')
    expect(list).toHaveLength(3)
    for (const log of list) {
      const png = Buffer.from(log.images[0].replace('data:image/png;base64,', ''), 'base64')
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([96, 64])
      const lines = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
      expect(lines).toHaveLength(64 * (1 + 96 * 3))
    }
  })

  it('is filled once only, and is the same on every engine', async () => {
    const again = await furrow(['demo'], { env })
    expect(again).toMatchObject({ code: 1, stdout: '' })
    expect(again.stderr).toMatch(
      /^furrow: This farm has records already \(\d+ logs\) and the demo needs an empty one\. Choose another place with --data, .*`furrow user add`\.\n$/,
    )
    const hash = createHash('sha256')
    for (const path of ['/taxonomy_term.json?limit=1000', '/farm_asset.json?limit=1000'])
      hash.update((await client.get(path)).text.replaceAll(address, ''))
    for (const page of [0, 1, 2, 3])
      hash.update((await client.get(`/log.json?limit=1000&page=${page}`)).text.replaceAll(address, ''))
    digests.set(engine, hash.digest('hex'))
    expect(new Set(digests.values()).size).toBe(1)
  })
})
