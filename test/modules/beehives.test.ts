import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadFarm } from '../../src/cli/modules.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { furrow, serve } from '../cli/built-furrow.ts'
import { Client } from '../harness/client.ts'
import { emptyPlace, engines } from '../harness/databases.ts'
import { root, sources } from '../house/tree.ts'

const day = 86_400
const spring = 1_780_000_000

describe.each(engines)('the beehives module in the built server on %s', (engine) => {
  let client: Client

  beforeAll(async () => {
    const { data, database } = await emptyPlace(engine)
    const env = {
      FURROW_DATA: data,
      FURROW_DATABASE: database ?? '',
      FURROW_MODULE: join(root, 'examples/beehives.mjs'),
    }
    await furrow(['user', 'add', 'melissa', '--role', 'worker', '--password-stdin'], { env, input: 'honey and wax 7' })
    const { address } = await serve([], { env })
    const answer = await fetch(`${address}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'password',
        client_id: 'farm',
        username: 'melissa',
        password: 'honey and wax 7',
      }),
    })
    const { access_token } = (await answer.json()) as { access_token: string }
    client = new Client(address, { authorization: `Bearer ${access_token}` })
  })

  it('shows its types, fields, words and information in the info record', async () => {
    const info = await client.read('/farm.json')
    const { farm_asset, log, taxonomy_term } = info.resources
    expect(farm_asset.hive).toMatchObject({ label: 'Hive', label_plural: 'Hives' })
    expect(farm_asset.hive.fields.hive_system.allowed_values).toContain('warre')
    expect(log.farm_observation.fields.brood_frames).toMatchObject({ type: 'number_integer', required: 0 })
    expect(log.farm_harvest.fields).not.toHaveProperty('brood_frames')
    expect(taxonomy_term.farm_areas.fields.area_type.allowed_values).toContain('apiary')
    expect(taxonomy_term.farm_areas.fields.flags.allowed_values).toContain('swarming')
    expect(Number(taxonomy_term.bee_breeds.vid)).toBeGreaterThan(0)
    expect(info.beekeeping).toEqual({ frames_per_box: 10 })
  })

  it('keeps hives in an apiary, and what was seen in them', async () => {
    const { list: vocabularies } = await client.read('/taxonomy_vocabulary.json?machine_name=farm_areas')
    const orchard = await client.create('taxonomy_term', {
      name: 'Orchard',
      vocabulary: vocabularies[0].vid,
      area_type: 'apiary',
      geofield: [{ geom: 'POINT (8.5 47.4)' }],
    })
    const hive = await client.create('farm_asset', {
      name: 'Hive 1',
      type: 'hive',
      bee_breed: { name: 'carniolan' },
      hive_system: 'dadant',
      queen_marked: true,
      flags: ['swarming'],
    })
    await client.create('log', {
      name: 'Opened hive 1',
      type: 'farm_observation',
      timestamp: spring,
      done: 1,
      asset: [{ id: hive }],
      movement: { area: [{ id: orchard }] },
      brood_frames: 6,
      queen_seen: true,
    })
    const read = await client.read(`/farm_asset/${hive}.json`)
    expect(read).toMatchObject({ bee_breed: { name: 'Carniolan' }, hive_system: 'dadant', queen_marked: true })
    expect(read).toMatchObject({ location: [{ id: orchard, name: 'Orchard' }], geometry: 'POINT (8.5 47.4)' })
    expect(await client.ids('/farm_asset.json?type=hive&bee_breed=Carniolan')).toEqual([hive])
    expect(await client.ids('/taxonomy_term.json?bundle=farm_areas&area_type=apiary')).toEqual([orchard])
    expect(await client.ids('/log.json?brood_frames[ge]=6&queen_seen=1')).toHaveLength(1)
    expect(await client.ids('/log.json?brood_frames[gt]=6')).toEqual([])
    const map = await client.read('/farm/areas/geojson/apiary')
    expect(map.features).toHaveLength(1)
  })

  it('refuses what is none of its words, naming those that are', async () => {
    const wrong = await client.post('/farm_asset', { name: 'Hive 2', type: 'hive', hive_system: 'skep' })
    expect(wrong.status).toBe(422)
    expect(wrong.body.errors[0]).toMatchObject({ field: 'hive_system', allowed: expect.arrayContaining(['top_bar']) })
    const foreign = await client.post('/log', {
      name: 'Honey',
      type: 'farm_harvest',
      timestamp: spring + day,
      brood_frames: 1,
    })
    expect(foreign.status).toBe(422)
  })
})

it('is one file: nothing in the source knows about bees', () => {
  // What people may keep is among the first words that a farm is offered, and no type.
  const knowing = sources().filter(
    ({ path, text }) => !path.startsWith('src/words/') && /\b(bees?|hives?|beehives?|apiary)\b/i.test(text),
  )
  expect(knowing.map(({ path }) => path)).toEqual([])
})

it('is called in the newer generation as the module says, and else as it is', async () => {
  const types = resourceTypes(await loadFarm([join(root, 'examples/beehives.mjs')]))
  expect([...types.keys()]).toEqual(expect.arrayContaining(['taxonomy_term--bee_breed', 'asset--hive']))
  const members = [...(types.get('asset--hive')?.members.keys() ?? [])]
  expect(members).toEqual(expect.arrayContaining(['queen_birthdate', 'queen_marked', 'bee_breed']))
  expect(members).not.toContain('queen_hatched')
})
