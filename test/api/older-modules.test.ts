import { describe, expect, test } from 'vitest'
import { faultsOfFarm } from '../../src/farm/farm-validation.ts'
import { withFreeNames } from '../../src/farm/free-names.ts'
import { type Farm, kit } from '../../src/farm/module.ts'
import { resourceTypes } from '../../src/farm/newer/resource-types.ts'
import { stockFarm } from '../../src/farm/stock-farm.ts'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'

/** A module that was written when there was one generation, with names that the newer one has for something else. */
function olderModule(farm: Farm): Farm {
  const named = { label: 'Thing', plural: 'Things', fields: { ...kit.standardAssetFields } }
  const steps: ((farm: Farm) => Farm)[] = [
    (so) => kit.withAssetFields(so, { notes: kit.text('Margin notes'), status: kit.text('Mood') }, ['group']),
    (so) => kit.withAssetFields(so, { owner: kit.text('Owner') }, ['group']),
    (so) => kit.withLogFields(so, { category: kit.text('Category'), location: kit.text('Where') }, ['farm_activity']),
    (so) => kit.withAssetType(so, 'plant', named),
    (so) => kit.withAssetType(so, 'land', named),
    (so) => kit.withLogType(so, 'harvest', { ...named, fields: { ...kit.standardLogFields } }),
    (so) => kit.withChoices(so, 'measures', [{ value: 'speed', label: 'Speed of the tractor' }]),
  ]
  return steps.reduce((so, step) => step(so), farm)
}

const catalogue = olderModule(stockFarm)

describe('a module with names that the newer generation has for something else', async () => {
  const farm = await openFarm({ farm: withFreeNames(catalogue) })
  const ada = await farm.login('manager')

  test('is sound', () => {
    expect(faultsOfFarm(catalogue)).toEqual([])
  })

  test('has its own names in the record interface', async () => {
    const said = { notes: 'In red', status: 'Calm', owner: 'Ada' }
    const id = await ada.create('farm_asset', { type: 'group', name: 'Herd', description: 'Twelve cows', ...said })
    expect(await ada.read(`/farm_asset/${id}.json`)).toMatchObject(said)
    expect(await ada.ids('/farm_asset.json?owner=Ada')).toEqual([id])
    const plot = await ada.create('farm_asset', { type: 'land', name: 'Plot' })
    expect(await ada.read(`/farm_asset/${plot}.json`)).toMatchObject({ type: 'land' })
    const done = { type: 'farm_activity', name: 'Mow', timestamp: 1_780_000_000, category: 'Grass', location: 'Slope' }
    expect(await ada.read(`/log/${await ada.create('log', done)}.json`)).toMatchObject({ category: 'Grass' })
  })

  test('leaves the names of the newer generation to what its clients know', async () => {
    const { body } = await ada.get('/api/asset/group?filter[name]=Herd')
    expect(body.data[0].attributes).toMatchObject({
      notes: { value: 'Twelve cows' },
      module_notes: 'In red',
      status: 'active',
      module_status: 'Calm',
      owner: 'Ada',
    })
    const log = (await ada.get('/api/log/activity?filter[name]=Mow')).body.data[0]
    expect(log.attributes).toMatchObject({ module_category: 'Grass', module_location: 'Slope' })
    expect(log.relationships).toMatchObject({ category: { data: [] }, location: { data: [] } })
    expect((await ada.get('/api/asset/module_land')).body.data).toMatchObject([{ attributes: { name: 'Plot' } }])
    expect((await ada.get('/api/asset/land')).body.data).toEqual([])
    expect((await ada.get('/api/asset/animal?include=owner')).status).toBe(200)
  })

  test('is written, filtered and described under them', async () => {
    const attributes = { name: 'Flock', notes: 'Geese', module_notes: 'In blue', module_status: 'Loud' }
    const data: Json = { type: 'asset--group', attributes }
    const made = await ada.post('/api/asset/group', { data })
    expect(made, made.text).toMatchObject({ status: 201 })
    const id = made.body.data.attributes.drupal_internal__id
    expect(await ada.read(`/farm_asset/${id}.json`)).toMatchObject({ notes: 'In blue', status: 'Loud' })
    const found = await ada.get('/api/asset/group?filter[module_notes]=in+blue&sort=module_status')
    expect(found.body.data.map((one: Json) => one.attributes.name)).toEqual(['Flock'])
    const schema = (await ada.get('/api/asset/group/resource/schema')).body.definitions.attributes.properties
    expect(schema).toMatchObject({ notes: { type: 'object' }, module_notes: { title: 'Margin notes', type: 'string' } })
    expect([...resourceTypes(farm.installation.farm).keys()]).toEqual(
      expect.arrayContaining(['asset--plant', 'asset--module_plant', 'log--harvest', 'log--module_harvest']),
    )
  })
})

describe('a client that a module declares', () => {
  test('takes the place of the one that came with the newer generation', async () => {
    const client = {
      id: 'fieldkit',
      label: 'Field Kit of the valley',
      grants: ['password', 'refresh_token'] as const,
      scopes: ['user_access'],
      defaultScopes: ['user_access'],
      redirectUris: [],
      origins: [],
      pkce: 'optional' as const,
    }
    const farm = await openFarm({ farm: kit.withClient(stockFarm, client) })
    const { name, password } = (await farm.login('manager')).login
    const form = { grant_type: 'password', client_id: 'fieldkit', username: name, password }
    const answer = await fetch(`${farm.base}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
    expect(await answer.json()).toMatchObject({ scope: 'user_access' })
    expect(() => kit.withClient(kit.withClient(stockFarm, client), client)).toThrow(/already/)
  })
})
