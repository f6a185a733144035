import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import { planFarm } from '../../src/cli/demo/plan.ts'
import type { Planned } from '../../src/cli/demo/planned.ts'
import { Client, type Json } from '../harness/client.ts'
import { emptyDirectory, emptyPlace, engines } from '../harness/databases.ts'
import { furrow, serve } from './built-furrow.ts'

const password = 'green fields 42'

/** What a plan says, without keeping it. */
const written = (planned: readonly Planned[]) =>
  planned.map(({ type, key, at, body }) => ({ type, key, at, body: body((to) => ({ id: to.length })) }))

describe('the plan of the demo farm', () => {
  it('is the same for the same seed and another for another', () => {
    const plan = JSON.stringify(written(planFarm(7)))
    expect(JSON.stringify(written(planFarm(7)))).toBe(plan)
    expect(JSON.stringify(written(planFarm(8)))).not.toBe(plan)
  })

  it('is large enough with any seed', () => {
    for (const seed of [0, 1, 2, 3, 99, 4_294_967_295]) {
      const planned = written(planFarm(seed))
      expect(planned.filter(({ type }) => type === 'log').length, `logs of ${seed}`).toBeGreaterThanOrEqual(3_000)
      expect(planned.filter(({ type }) => type === 'farm_asset').length, `assets of ${seed}`).toBeGreaterThanOrEqual(
        150,
      )
    }
  })
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
    const filled = await furrow(['demo', '--seed', '3'], { env })
    expect(filled, filled.stderr).toMatchObject({ code: 0, stderr: '' })
    address = (await serve([], { env })).address
    const answer = await fetch(`${address}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'password', client_id: 'farm', username: 'ada', password }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    client = new Client(address, { authorization: `Bearer ${access_token}` })
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
