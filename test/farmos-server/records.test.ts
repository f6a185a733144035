import { beforeAll, describe, expect, it } from 'vitest'
import type { Json } from '../harness/client.ts'
import { farmos, type Visitor, withToken } from './client.ts'
import { withAccidents } from './farms/accidents.ts'
import { withBeehives } from './farms/beehives.ts'
import { hillFarm } from './farms/hill-farm.ts'
import { withLedger } from './farms/ledger.ts'
import type { FarmosServer } from './server.ts'

describe('records of a farmOS 1.x', () => {
  let server: FarmosServer
  let visitor: Visitor

  beforeAll(async () => {
    const farm = hillFarm()
    withBeehives(farm)
    withLedger(farm)
    withAccidents(farm, ['movementWithoutArea'])
    server = await farmos(farm)
    visitor = await withToken(server)
  })

  const named = async (resource: string, name: string): Promise<Json> =>
    (await visitor.get(`/${resource}.json?name=${encodeURIComponent(name)}`)).body.list[0]
  const log = (name: string) => named('log', name)
  const asset = (name: string) => named('farm_asset', name)
  const term = (name: string) => named('taxonomy_term', name)

  it('have numbers as text, and an author by reference', async () => {
    const { id, timestamp, done, uid } = await log('Harvest lettuce')
    expect([id, timestamp, done]).toEqual(['3', expect.stringMatching(/^\d+$/), '1'])
    expect(uid).toEqual({ uri: `${server.address}/user/4`, id: '4', resource: 'user' })
  })

  it('have an empty list for what was never set, null for text, and no key for a single reference', async () => {
    expect(await log('Feed')).toMatchObject({
      notes: [],
      data: null,
      area: [],
      membership: { group: [] },
      quantity: [],
    })
    expect(await log('Feed')).toMatchObject({ movement: { area: [], geometry: null } })
    expect(await term('Onion')).not.toHaveProperty('crop_family')
    expect((await asset('Lettuce 2019')).geometry).toBe('POINT (7.25 51.75)')
    expect((await asset('Tractor')).geometry).toBe('')
  })

  it('have false for what an item of a collection lacks, and no key for a missing unit', async () => {
    const { quantity } = await log('Harvest lettuce')
    const kg = { uri: expect.any(String), id: expect.any(String), resource: 'taxonomy_term', name: 'kg' }
    expect(quantity[0]).toEqual({ measure: 'weight', value: '12.50', unit: kg, label: 'first cut' })
    expect(quantity[2]).toEqual({ measure: false, value: '0.1', label: false })
    expect((await asset('Bess')).tag).toEqual([
      { id: 'DE 0123', location: 'Left', type: 'Ear tag' },
      { id: '77', location: false, type: false },
    ])
  })

  it('have notes as they were rendered, not as they were typed', async () => {
    expect((await log('Harvest lettuce')).notes).toEqual({
      value:
        '<p>Sunny &amp; dry.<br />\n2 &lt; 3 crates left, see ' +
        '<a href="https://hill.example/market?a=1&amp;b=2">https://hill.example/market?a=1&amp;b=2</a></p>\n' +
        '<p>Call <em>Olga</em> at <a href="mailto:olga@hill.example">olga@hill.example</a>.</p>\n',
      format: 'farm_format',
    })
    expect((await log('Nothing to say')).notes).toEqual({ value: '', format: 'farm_format' })
  })

  it('of terms have `tid` and no `id`, a description with all tags escaped, and parents whose id is a number', async () => {
    const field = await term('North field')
    expect(field).not.toHaveProperty('id')
    expect(field.description).toBe(
      '<p>Wet in spring.<br />\nSee <a href="https://hill.example/north">https://hill.example/north</a> ' +
        '&amp; ask &lt;b&gt;Hanna&lt;/b&gt;.</p>\n',
    )
    const bed = await term('Bed 1')
    expect(bed.parent).toEqual([expect.objectContaining({ id: Number(field.tid), name: 'North field' })])
    expect(bed.parents_all.map(({ id }: Json) => id)).toEqual([bed.tid, field.tid])
    expect(bed.geofield[0]).toMatchObject({ geom: 'POINT (7.1 51.5)', geo_type: 'point', lat: '51.500000000000' })
  })

  it('have a geometry from the areas they name', async () => {
    expect((await log('Seed Lettuce 2019')).movement.geometry).toBe('MULTIPOINT ((7.1 51.5), (7.2 51.5))')
    expect((await log('Harvest lettuce')).geofield[0].geom).toMatch(/^POLYGON \(\(7 51, /)
  })

  it('of assets are where the last done movement with an area took them', async () => {
    expect((await asset('Bess')).location).toEqual([expect.objectContaining({ name: 'Höhenweide "oben"' })])
    expect((await asset('Calf of Bess')).location).toHaveLength(1)
  })

  it('of areas list who is there, without those that have moved on to nowhere', async () => {
    const bess = await asset('Bess')
    expect((await term('Höhenweide "oben"')).assets.map(({ id }: Json) => id)).toEqual([bess.id])
  })

  it('have fractions as two numbers in text, and true for the one kind that is a yes', async () => {
    expect(await log('Bought seeds')).toMatchObject({ quantity_value: { numerator: '5', denominator: '2' } })
    expect((await log('Sold lettuce')).unit_price).toEqual([])
    expect((await asset('Calf of Bess')).animal_castrated).toBe(true)
    expect(await log('Inspection in May')).toMatchObject({ mite_share: { numerator: '1', denominator: '3' } })
  })

  it('have what no description mentions', async () => {
    expect(await asset('Barn thermometer')).toMatchObject({ sensor_type: null, sensor_settings: null })
  })

  it('of vocabularies count their terms in text', async () => {
    expect((await visitor.get('/taxonomy_vocabulary/1.json')).body).toEqual({
      vid: '1',
      name: 'Farm Log Categories',
      machine_name: 'farm_log_categories',
      description: '',
      term_count: '8',
    })
  })

  it('are written as PHP writes JSON', async () => {
    const { text } = await visitor.get('/taxonomy_term.json?name=H%C3%B6henweide%20%22oben%22')
    expect(text).toContain('"name":"H\\u00f6henweide \\u0022oben\\u0022"')
    expect(text).toContain('http:\\/\\/')
  })
})
