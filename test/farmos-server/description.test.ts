import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, Visitor, withCookie, withToken } from './client.ts'
import { withBeehives } from './farms/beehives.ts'
import { hillFarm } from './farms/hill-farm.ts'
import type { FarmosServer } from './server.ts'

describe('/farm.json of a farmOS 1.x', () => {
  let server: FarmosServer
  let body: Json

  beforeAll(async () => {
    const farm = hillFarm()
    withBeehives(farm)
    server = await farmos(farm)
    body = (await (await withToken(server)).get('/farm.json')).body
  })

  it('names the farm, its address, the version, and who asks', () => {
    expect(Object.keys(body)).toEqual([
      'name',
      'url',
      'api_version',
      'user',
      'languages',
      'metrics',
      'system_of_measurement',
      'resources',
    ])
    expect(body).toMatchObject({ name: 'Hill Farm', url: server.address, api_version: '1.4' })
    expect(body.user).toEqual({ uid: '3', name: 'hanna', mail: 'hanna@hill.example', language: 'en' })
  })

  it('describes each field with label, type, whether it is required, and what to send', () => {
    expect(body.resources.farm_asset.planting.fields.crop).toEqual({
      label: 'Crop/variety',
      type: 'taxonomy_term_reference',
      required: 1,
      default_value: [],
      data_schema: [{ id: null }],
    })
    expect(body.resources.log.farm_harvest.fields.quantity.data_schema).toEqual([
      { measure: '', value: null, unit: { id: null }, label: '' },
    ])
    expect(body.resources.farm_asset.animal.fields).toHaveProperty('animal_tag')
  })

  it('gives vocabularies their number, and leaves `fields` out where there are none', () => {
    expect(body.resources.taxonomy_term.farm_areas.vid).toBe('3')
    expect(body.resources.taxonomy_term.farm_animal_types).toEqual({ label: 'Type', label_plural: 'Types', vid: '8' })
  })

  it('describes the types of an unknown module like any other, without saying what they refer to', () => {
    expect(body.resources.taxonomy_term.farm_hive_kinds.vid).toBe('13')
    expect(body.resources.log.farm_hive_inspection.fields.honey_share).toMatchObject({ type: 'fraction' })
    expect(body.resources.log.farm_hive_inspection.fields.swarm_of).toEqual({
      label: 'Swarm of',
      type: 'entityreference',
      required: 0,
      default_value: [],
      data_schema: { id: null },
    })
  })

  it('is an empty list for strangers, for a wrong token and for users without a role', async () => {
    const wrong = new Visitor(server, { authorization: 'Bearer 0123' })
    const roleless = await withCookie(server, { name: 'olga', password: 'olga secret' })
    for (const visitor of [new Visitor(server), wrong, roleless])
      expect(await visitor.get('/farm.json')).toMatchObject({ status: 200, body: [] })
  })

  it('tells a token for `farm_info` three things', async () => {
    const visitor = await withToken(server, { scope: 'farm_info' })
    expect(Object.keys((await visitor.get('/farm.json')).body)).toEqual(['name', 'url', 'api_version'])
  })
})
