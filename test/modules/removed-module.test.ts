import { describe, expect, it } from 'vitest'
import { kit } from '../../src/farm/module.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Json } from '../harness/client.ts'
import { engines } from '../harness/databases.ts'
import { openFarm } from '../harness/farm.ts'

const boats = kit.withAssetType(stockFarm, 'boat', {
  label: 'Boat',
  plural: 'Boats',
  fields: { ...kit.standardAssetFields, draught: kit.decimal('Draught') },
})

describe.each(engines)('without the module that knew its type, on %s', (engine) => {
  it('an asset is where the logs say, in its group and with its stock', async () => {
    const before = await openFarm({ engine, farm: boats })
    const client = await before.login('manager')
    const pond = await client.create('taxonomy_term', {
      name: 'Pond',
      vocabulary: 'farm_areas',
      geofield: 'POINT (1 2)',
    })
    const fleet = await client.create('farm_asset', { name: 'Fleet', type: 'group' })
    const boat = await client.create('farm_asset', { name: 'Boat', type: 'boat', draught: '0.40' })
    const idle = await client.create('farm_asset', { name: 'Idle', type: 'boat' })
    await client.create('log', {
      name: 'Launched',
      type: 'farm_activity',
      timestamp: 1,
      done: 1,
      asset: [{ id: boat }],
      movement: { area: [{ id: pond }] },
      membership: { group: [{ id: fleet }] },
      inventory: [{ asset: { id: boat }, value: '3' }],
    })
    const { data, database } = before.installation.settings
    await before.close()

    const after = await openFarm({ place: { data, database } })
    const { token } = (await after.login('viewer')).login
    // Not through the client: /openapi.json describes installed types only.
    const read = async (path: string): Promise<Json> =>
      (await fetch(after.base + path, { headers: { authorization: `Bearer ${token}` } })).json()
    const computed = '?with=group,inventory'
    expect(await read(`/farm_asset/${boat}.json${computed}`)).toMatchObject({
      location: [{ id: pond, name: 'Pond' }],
      geometry: 'POINT (1 2)',
      group: [{ id: fleet }],
      inventory: '3',
    })
    const unmoved = { location: [], geometry: '', group: [], inventory: '0' }
    expect(await read(`/farm_asset/${idle}.json${computed}`)).toMatchObject(unmoved)
    expect((await read(`/farm_asset.json?location=${pond}`)).list).toMatchObject([{ id: boat }])
    expect((await read(`/taxonomy_term/${pond}.json`)).assets).toMatchObject([{ id: boat }])
    const { list } = await read('/farm_asset.json?bundle=boat')
    expect(list.map(({ geometry }: Json) => geometry)).toEqual(['POINT (1 2)', ''])
  })
})
