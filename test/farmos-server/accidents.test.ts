import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, type Visitor, withToken } from './client.ts'
import { type Accident, withAccidents } from './farms/accidents.ts'
import { hillFarm } from './farms/hill-farm.ts'

describe('what a farmOS 1.x let in', () => {
  let visitor: Visitor
  let ids: Record<Accident, number>

  beforeAll(async () => {
    const farm = hillFarm()
    ids = withAccidents(farm)
    visitor = await withToken(await farmos(farm))
  })

  const log = async (accident: Accident): Promise<Json> => (await visitor.get(`/log/${ids[accident]}.json`)).body
  const asset = async (accident: Accident): Promise<Json> =>
    (await visitor.get(`/farm_asset/${ids[accident]}.json`)).body
  const term = async (accident: Accident): Promise<Json> =>
    (await visitor.get(`/taxonomy_term/${ids[accident]}.json`)).body

  it('assets and terms whose name is empty', async () => {
    expect((await asset('namelessAsset')).name).toBe('')
    expect((await term('namelessTerm')).name).toBe('')
  })

  it('plantings without a crop, animals without a type, seedings of nothing and of an animal', async () => {
    expect((await asset('plantingWithoutCrop')).crop).toEqual([])
    expect(await asset('animalWithoutType')).not.toHaveProperty('animal_type')
    expect((await log('seedingOfNothing')).asset).toEqual([])
    const [{ id }] = (await log('seedingOfAnimal')).asset
    expect((await visitor.get(`/farm_asset/${id}.json`)).body.type).toBe('animal')
  })

  it('references to what is gone, which look like others, but terms lack their name', async () => {
    expect((await log('danglingAsset')).asset).toEqual([
      expect.objectContaining({ id: '9001', resource: 'farm_asset' }),
    ])
    const { area, movement } = await log('danglingTerm')
    for (const [reference] of [area, movement.area]) {
      expect(reference).toMatchObject({ id: '9002' })
      expect(reference).not.toHaveProperty('name')
    }
    expect((await log('danglingUnit')).quantity[0].unit).not.toHaveProperty('name')
    expect((await log('danglingOwner')).log_owner[0].id).toBe('9005')
    expect((await asset('danglingParent')).parent[0].id).toBe('9006')
    expect((await log('danglingFile')).images[0].file.id).toBe('9007')
  })

  it('authors that are nobody any more, and people that are blocked, who are left out and can be asked for', async () => {
    expect((await log('authorGone')).uid.id).toBe('0')
    const shown = await log('blockedOwner')
    expect(shown).not.toHaveProperty('uid')
    expect(shown.log_owner).toEqual({ 1: expect.objectContaining({ id: '3' }) })
    for (const filter of [
      'uid=5',
      'uid[]=7&uid[]=5',
      'log_owner=5',
      'log_owner[target_id][]=7&log_owner[target_id][]=5',
    ]) {
      const { list } = (await visitor.get(`/log.json?${filter}&full=0`)).body
      expect(list.map(({ id }: Json) => id)).toContain(ids.blockedOwner)
    }
  })

  it('measures, flags, kinds of area and of tag that no list has', async () => {
    expect((await log('foreignMeasure')).quantity[0].measure).toBe('brix')
    expect((await log('foreignFlag')).flags).toEqual(['organic', 'monitor'])
    expect((await term('foreignAreaType')).area_type).toBe('moor')
    expect((await asset('foreignTagType')).tag[0].type).toBe('Chip')
    expect((await log('quantityOfNothing')).quantity).toEqual([{ measure: false, value: false, label: false }])
  })

  it('geometries that are none', async () => {
    expect((await log('badGeometry')).geofield[0].geom).toBe('POLYGON ((7 51, 7 52, 8 52))')
    expect((await log('noGeometry')).geofield[0]).toMatchObject({ geom: 'behind the barn', geo_type: '', lat: null })
    expect((await log('badMovement')).movement.geometry).toBe('POINT (7)')
  })

  it('terms whose name was escaped, and two of nearly the same name', async () => {
    expect((await term('escapedTerm')).name).toBe('A &amp; B')
    expect((await visitor.get('/taxonomy_term.json?name=kale')).body.list).toHaveLength(2)
  })

  it('the same asset twice, assets that are their own ancestors, and photos that are text or shared', async () => {
    expect((await log('sameTwice')).asset.map(({ id }: Json) => id)).toEqual(['1', '1'])
    const child = await asset('circle')
    const parent = (await visitor.get(`/farm_asset/${child.parent[0].id}.json`)).body
    expect(parent.parent[0].id).toBe(child.id)
    const text = (await log('textAmongImages')).images[0].file.id
    expect((await visitor.get(`/file/${text}.json`)).body.mime).toBe('text/plain')
    const shared = await log('sharedFile')
    const before = (await visitor.get(`/log/${Number(shared.id) - 1}.json`)).body
    expect(before.images).toEqual(shared.images)
  })

  it('times before 1970, files on other hosts, of another size and of nothing', async () => {
    expect(Number((await log('longAgo')).timestamp)).toBeLessThan(0)
    const elsewhere = (await log('fileElsewhere')).images[0].file.id
    expect((await visitor.get(`/file/${elsewhere}.json`)).body.url).toBe('http://elsewhere.example/elsewhere.png')
    const wrong = (await log('wrongSize')).files[0].file.id
    expect((await visitor.get(`/file/${wrong}.json`)).body.size).toBe('3')
    const empty = (await log('emptyFile')).files[0].file.id
    expect((await visitor.get(`/file/${empty}.json`)).body.size).toBe('0')
  })
})
