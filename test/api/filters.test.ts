import { describe, expect, test } from 'vitest'
import { toValue } from '../../src/storage/records/path.ts'
import { ask as askRows, fragment } from '../../src/storage/sql/fragment.ts'
import type { Json } from '../harness/client.ts'
import { openFarm } from '../harness/farm.ts'
import { shareOfThisEngine } from '../harness/share-of-engine.ts'
import { tellerOf } from './told-resources.ts'

const farm = await openFarm()
const ada = await farm.login('manager')
const bob = await farm.login('worker')

const { make, ask } = tellerOf(ada, farm.base)
const byBob = tellerOf(bob, farm.base)

/** The names of what is found, in order. */
async function found(path: string, query: string): Promise<readonly string[]> {
  const { status, body } = await ask(path, query)
  expect([status, body]).toEqual([200, expect.anything()])
  return body.data.map(({ attributes }: Json) => attributes.name ?? attributes.label)
}

async function refused(path: string, query: string): Promise<string> {
  const { status, body } = await ask(path, query)
  expect([status, body]).toEqual([400, expect.anything()])
  return JSON.stringify(body.errors)
}

/** `filter[1][condition]…` for each. */
const where = (...conditions: readonly (readonly [string, string, ...string[]])[]): string =>
  conditions
    .flatMap(([path, operator, ...values], at) => [
      `filter[c${at}][condition][path]=${path}`,
      `filter[c${at}][condition][operator]=${encodeURIComponent(operator)}`,
      ...values.map((value) => `filter[c${at}][condition][value][]=${encodeURIComponent(value)}`),
    ])
    .join('&')

const kg = await make('taxonomy_term/unit', { name: 'kg' })
const litre = await make('taxonomy_term/unit', { name: 'litre' })
const jersey = await make('taxonomy_term/animal_type', { name: 'Jersey' })
const angus = await make('taxonomy_term/animal_type', { name: 'Angus' })
const weeding = await make('taxonomy_term/log_category', { name: 'Weeding', weight: 3 })
const care = await make('taxonomy_term/log_category', { name: 'Care', weight: -1 })

const north = await make('asset/land', {
  name: 'North',
  land_type: 'field',
  intrinsic_geometry: 'POINT (7.5 50.25)',
  notes: 'Sandy',
})
const bed = await make('asset/land', { name: 'Bed', land_type: 'bed', status: 'archived' }, { parent: [north] })
const barn = await make('asset/structure', { name: 'Barn', structure_type: 'building' }, { parent: [north] })
await make('asset/structure', { name: 'Shed', structure_type: 'other' })
const pond = await make('asset/water', { name: 'Pond' })
const cow = await make(
  'asset/animal',
  {
    name: 'Bella',
    sex: 'F',
    birthdate: 1_500_000_000,
    nickname: ['Bel', 'Lala'],
    flag: ['monitor', 'review'],
    notes: { value: 'Kicks <b>hard</b>', format: 'default' },
    id_tag: [
      { id: 'A7', type: 'ear_tag', location: 'left' },
      { id: 'B9', type: 'eid', location: 'right' },
    ],
  },
  { animal_type: jersey },
)
const calf = await make(
  'asset/animal',
  {
    name: 'Calf',
    sex: 'M',
    birthdate: 1_600_000_000,
    is_castrated: true,
    status: 'archived',
    archived: 1_650_000_000,
    id_tag: [
      { id: 'C1', type: 'other' },
      { id: 'C2', location: 'left' },
    ],
    flag: ['priority'],
  },
  { animal_type: angus, parent: [cow] },
)
const kid = await byBob.make('asset/animal', { name: 'kid', data: 'x' }, { animal_type: angus, parent: [calf, barn] })
const truck = await make('asset/equipment', { name: 'Truck', model: 'T-100%', is_location: true })
const herd = await make('asset/group', { name: 'Herd' })

const milk = await make(
  'quantity/standard',
  { measure: 'volume', value: { decimal: '12.50' }, label: 'Milk', inventory_adjustment: 'increment' },
  { units: litre, inventory_asset: cow },
)
const weight = await make('quantity/standard', { measure: 'weight', value: { decimal: '3' } }, { units: kg })
const shared = await make('quantity/standard', {
  measure: 'ratio',
  value: { numerator: 1, denominator: 3 },
})
const inField = await make(
  'quantity/standard',
  { measure: 'weight', value: { decimal: '-7' }, inventory_adjustment: 'reset' },
  { units: kg, inventory_asset: north },
)

const moved = await make(
  'log/activity',
  { name: 'Moved', timestamp: 1000, is_movement: true, status: 'done', geometry: 'POINT (1 2)' },
  { asset: [cow, calf], location: [north], category: [care], equipment: [truck] },
)
await make(
  'log/activity',
  { name: 'Weeded', timestamp: 2000, status: 'pending', flag: ['monitor'] },
  { asset: [bed], location: [bed, barn], category: [weeding, care], quantity: [milk, weight] },
)
await byBob.make(
  'log/activity',
  { name: 'Driven', timestamp: 3000, is_movement: true },
  { asset: [cow], location: [truck] },
)
await make(
  'log/activity',
  { name: 'Joined', timestamp: 4000, is_group_assignment: true },
  { asset: [cow, north], group: [herd], quantity: [inField] },
)
await make('log/activity', { name: 'Named', timestamp: 5000, status: 'abandoned' }, { group: [herd] })
await make('log/harvest', { name: 'Picked', lot_number: 'L-1' }, { quantity: [shared] })
await make('log/lab_test', { name: 'Soil', lab_test_type: 'soil' })
await make('log/lab_test', { name: 'Leaf', lab_test_type: 'tissue' })
await make('log/lab_test', { name: 'Whatever' })
await ada.create('log', { type: 'farm_water_test', name: 'Well', timestamp: 1 })

const activities = ['Moved', 'Weeded', 'Driven', 'Joined', 'Named']

describe('a filter of /api finds', () => {
  test.each(
    shareOfThisEngine([
      // What a log itself says.
      ['log/activity', '', activities],
      ['log/activity', 'filter[status]=done', ['Moved', 'Driven', 'Joined']],
      ['log/activity', 'filter[status]=abandoned', ['Named']],
      ['log/activity', 'filter[status]=Done', []],
      ['log/activity', where(['status', 'CONTAINS', 'n']), ['Moved', 'Weeded', 'Driven', 'Joined', 'Named']],
      ['log/activity', where(['status', '<>', 'done']), ['Weeded', 'Named']],
      ['log/activity', 'filter[name]=MOVED', ['Moved']],
      ['log/activity', 'filter[name][operator]=CONTAINS&filter[name][value]=EED', ['Weeded']],
      ['log/activity', where(['name', 'STARTS_WITH', 'dri']), ['Driven']],
      ['log/activity', where(['name', 'ENDS_WITH', 'NED']), ['Joined']],
      ['log/activity', where(['name', 'ENDS_WITH', 'med']), ['Named']],
      ['log/activity', where(['name', 'CONTAINS', '%']), []],
      ['log/activity', where(['name', '>', 'moved']), ['Weeded', 'Named']],
      ['log/activity', where(['name', 'IN', 'moved', 'named']), ['Moved', 'Named']],
      ['log/activity', where(['name', 'NOT IN', 'moved', 'named']), ['Weeded', 'Driven', 'Joined']],
      ['log/activity', where(['timestamp', '>=', '3000']), ['Driven', 'Joined', 'Named']],
      ['log/activity', where(['timestamp', '<', '1970-01-01T00:33:20Z']), ['Moved']],
      ['log/activity', where(['timestamp', '<=', '1970-01-01T02:33:20+02:00']), ['Moved', 'Weeded']],
      ['log/activity', where(['timestamp', '<', '1970-01-02']), activities],
      ['log/activity', where(['timestamp', 'BETWEEN', '2000', '4000']), ['Weeded', 'Driven', 'Joined']],
      ['log/activity', where(['timestamp', 'NOT BETWEEN', '2000', '4000']), ['Moved', 'Named']],
      ['log/activity', where(['timestamp', 'IS NULL']), []],
      ['log/activity', where(['timestamp', 'IS NOT NULL']), activities],
      ['log/activity', 'filter[is_movement]=1', ['Moved', 'Driven']],
      ['log/activity', 'filter[is_movement]=false', ['Weeded', 'Joined', 'Named']],
      ['log/activity', 'filter[is_group_assignment]=true', ['Joined']],
      ['log/activity', 'filter[langcode]=en&filter[default_langcode]=1', activities],
      ['log/activity', where(['langcode', '<>', 'en']), []],
      ['log/activity', where(['notes.value', 'IS NULL']), activities],
      ['log/activity', where(['flag', 'IS NULL']), ['Moved', 'Driven', 'Joined', 'Named']],
      ['log/activity', where(['geometry.value', 'IS NOT NULL']), ['Moved']],
      ['log/activity', where(['geometry.lat', '>', '1.9'], ['geometry.lon', '=', '1']), ['Moved']],
      ['log/activity', where(['geometry.lat', '<', '1.9']), []],
      ['log/harvest', 'filter[lot_number]=l-1', ['Picked']],
      // Where several log types are one.
      ['log/lab_test', 'filter[lab_test_type]=soil', ['Soil']],
      ['log/lab_test', 'filter[lab_test_type]=water', ['Well']],
      ['log/lab_test', where(['lab_test_type', '<>', 'soil']), ['Leaf', 'Well']],
      ['log/lab_test', where(['lab_test_type', 'IS NULL']), ['Whatever']],
      // What it leads to.
      ['log/activity', `filter[asset.id]=${cow.id}`, ['Moved', 'Driven', 'Joined']],
      ['log/activity', `filter[asset.0.id]=${cow.id.toUpperCase()}`, ['Moved', 'Driven', 'Joined']],
      ['log/activity', 'filter[asset.id]=nonsense', []],
      ['log/activity', where(['asset.id', 'IN', bed.id, north.id]), ['Weeded', 'Joined']],
      ['log/activity', where(['asset.id', '<>', cow.id]), ['Moved', 'Weeded', 'Joined']],
      ['log/activity', where(['asset.id', 'NOT IN', cow.id, north.id]), ['Moved', 'Weeded']],
      ['log/activity', 'filter[asset.name]=bella', ['Moved', 'Driven', 'Joined']],
      ['log/activity', 'filter[asset.name]=north', ['Joined']],
      ['log/activity', where(['asset', 'IS NULL']), ['Named']],
      ['log/activity', where(['asset', 'IS NOT NULL']), ['Moved', 'Weeded', 'Driven', 'Joined']],
      [
        'log/activity',
        `filter[asset.meta.drupal_internal__target_id]=${north.attributes.drupal_internal__id}`,
        ['Joined'],
      ],
      [
        'log/activity',
        `filter[asset.drupal_internal__id]=${cow.attributes.drupal_internal__id}`,
        ['Moved', 'Driven', 'Joined'],
      ],
      ['log/activity', 'filter[location.name]=north', ['Moved']],
      ['log/activity', 'filter[location.name]=truck', ['Driven']],
      ['log/activity', 'filter[location.name]=barn', ['Weeded']],
      ['log/activity', 'filter[location.name]=bed', ['Weeded']],
      ['log/activity', where(['location', 'IS NULL']), ['Joined', 'Named']],
      ['log/activity', 'filter[group.name]=herd', ['Joined', 'Named']],
      ['log/activity', where(['group', 'IS NULL']), ['Moved', 'Weeded', 'Driven']],
      ['log/activity', 'filter[equipment.model]=t-100%25', ['Moved']],
      ['log/activity', 'filter[category.name]=care', ['Moved', 'Weeded']],
      ['log/activity', where(['category.weight', '>', '0']), ['Weeded']],
      ['log/activity', 'filter[asset.status]=archived', ['Moved', 'Weeded']],
      ['log/activity', 'filter[asset.animal_type.name]=angus', ['Moved']],
      ['log/activity', 'filter[asset.parent.animal_type.name]=jersey', ['Moved']],
      ['log/activity', 'filter[asset.parent.name]=north', ['Weeded']],
      ['log/activity', 'filter[asset.land_type]=bed', ['Weeded']],
      ['log/activity', 'filter[asset.flag]=review', ['Moved', 'Driven', 'Joined']],
      ['log/activity', 'filter[asset.asset_type.drupal_internal__id]=land', ['Weeded', 'Joined']],
      ['log/activity', `filter[quantity.id]=${milk.id}`, ['Weeded']],
      ['log/activity', 'filter[quantity.measure]=weight', ['Weeded', 'Joined']],
      ['log/activity', 'filter[quantity.units.name]=KG', ['Weeded', 'Joined']],
      ['log/activity', `filter[quantity.inventory_asset.id]=${cow.id}`, ['Weeded']],
      ['log/activity', 'filter[quantity.inventory_asset.name]=north', ['Joined']],
      ['log/activity', 'filter[quantity.inventory_asset.animal_type.name]=jersey', ['Weeded']],
      ['log/activity', where(['quantity', 'IS NULL']), ['Moved', 'Driven', 'Named']],
      ['log/activity', 'filter[log_type.drupal_internal__id]=activity', activities],
      ['log/activity', 'filter[log_type.label]=harvest', []],
      ['log/activity', `filter[log_type.id]=${moved.relationships.log_type.data.id}`, activities],
      ['log/activity', `filter[uid.name]=${bob.login.name.toUpperCase()}`, ['Driven']],
      ['log/activity', `filter[revision_user.name]=${bob.login.name}`, ['Driven']],
      ['log/activity', where(['uid.drupal_internal__uid', '>', '0']), activities],
      ['log/activity', where(['owner', 'IS NULL']), activities],
      ['log/activity', where(['file', 'IS NOT NULL']), []],
      ['log/activity', 'filter[image.filename]=a.jpg', []],
      // Assets, areas among them.
      ['asset/land', '', ['North', 'Bed']],
      ['asset/structure', '', ['Barn', 'Shed']],
      ['asset/water', '', ['Pond']],
      ['asset/land', 'filter[status]=active', ['North']],
      ['asset/land', 'filter[status]=archived', ['Bed']],
      ['asset/land', 'filter[archived]=1', ['Bed']],
      ['asset/land', 'filter[archived]=false', ['North']],
      ['asset/land', where(['archived', 'IS NULL']), ['North']],
      ['asset/land', 'filter[land_type]=bed', ['Bed']],
      ['asset/land', 'filter[land_type]=Bed', []],
      ['asset/structure', where(['structure_type', 'IN', 'other', 'building']), ['Barn', 'Shed']],
      ['asset/structure', 'filter[parent.name]=north', ['Barn']],
      ['asset/land', `filter[drupal_internal__id]=${north.attributes.drupal_internal__id}`, ['North']],
      ['asset/land', where(['drupal_internal__id', '>', '1000000000']), ['North', 'Bed']],
      ['asset/land', `filter[id]=${north.id}`, ['North']],
      ['asset/land', 'filter[notes.value]=sandy', ['North']],
      ['asset/land', where(['intrinsic_geometry.value', 'STARTS_WITH', 'point']), ['North']],
      ['asset/land', where(['intrinsic_geometry.lat', 'BETWEEN', '50', '51']), ['North']],
      ['asset/land', where(['intrinsic_geometry.geo_type', '=', 'point']), ['North']],
      ['asset/land', where(['intrinsic_geometry.lat', 'IS NULL']), ['Bed']],
      ['asset/land', 'filter[is_location]=1&filter[is_fixed]=1', ['North', 'Bed']],
      ['asset/equipment', 'filter[is_location]=1', ['Truck']],
      ['asset/animal', 'filter[is_location]=0', ['Bella', 'Calf', 'kid']],
      ['asset/animal', 'filter[status]=archived', ['Calf']],
      ['asset/animal', 'filter[archived]=0', ['Bella', 'kid']],
      ['asset/animal', where(['archived', '>', '1600000000']), ['Calf']],
      ['asset/animal', 'filter[last_archived]=1650000000', ['Calf']],
      ['asset/animal', 'filter[is_castrated]=1', ['Calf']],
      ['asset/animal', 'filter[is_sterile]=1', ['Calf']],
      ['asset/animal', 'filter[is_sterile]=0', ['Bella', 'kid']],
      ['asset/animal', 'filter[sex]=F', ['Bella']],
      ['asset/animal', 'filter[sex]=f', []],
      ['asset/animal', where(['sex', '<>', 'F']), ['Calf']],
      ['asset/animal', where(['sex', 'IS NULL']), ['kid']],
      ['asset/animal', where(['birthdate', '<', '2018-01-01']), ['Bella']],
      ['asset/animal', 'filter[nickname]=lala', ['Bella']],
      ['asset/animal', where(['nickname', 'IS NULL']), ['Calf', 'kid']],
      ['asset/animal', where(['flag', '<>', 'monitor']), ['Bella', 'Calf']],
      ['asset/animal', where(['flag', 'NOT IN', 'monitor', 'review']), ['Calf']],
      ['asset/animal', 'filter[data]=X', ['kid']],
      ['asset/animal', 'filter[id_tag.id]=a7', ['Bella']],
      ['asset/animal', 'filter[id_tag.type]=ear_tag', ['Bella']],
      ['asset/animal', 'filter[id_tag.type]=Ear tag', []],
      ['asset/animal', where(['id_tag.location', 'IS NULL']), ['Calf', 'kid']],
      ['asset/animal', where(['id_tag.location', '=', 'left'], ['id_tag.type', 'IS NULL']), ['Calf']],
      ['asset/animal', where(['notes.format', '=', 'default']), ['Bella']],
      ['asset/animal', 'filter[parent.name]=bella', ['Calf']],
      ['asset/animal', 'filter[parent.parent.name]=bella', ['kid']],
      ['asset/animal', 'filter[parent.parent.name]=north', ['kid']],
      ['asset/animal', 'filter[parent.animal_type.name]=jersey', ['Calf']],
      ['asset/animal', where(['parent', 'IS NULL']), ['Bella']],
      ['asset/animal', `filter[uid.id]=${kid.relationships.uid.data.id}`, ['kid']],
      ['asset/animal', 'filter[asset_type.label]=animal', ['Bella', 'Calf', 'kid']],
      // Terms.
      ['taxonomy_term/log_category', where(['weight', '<', '0']), ['Care']],
      [
        'taxonomy_term/log_category',
        `filter[drupal_internal__tid]=${weeding.attributes.drupal_internal__tid}`,
        ['Weeding'],
      ],
      [
        'taxonomy_term/log_category',
        'filter[status]=1&filter[vid.drupal_internal__vid]=log_category&filter[name][operator]=IN&filter[name][value][]=care&filter[name][value][]=weeding',
        ['Weeding', 'Care'],
      ],
      // Quantities, whether they wait or a log has them.
      ['quantity/standard', 'filter[value.decimal]=12.5', ['Milk']],
      ['quantity/standard', where(['value.numerator', '=', '1250']), ['Milk']],
      ['quantity/standard', where(['value.denominator', '>', '10']), ['Milk']],
      ['quantity/standard', 'filter[label]=MILK&filter[inventory_adjustment]=increment', ['Milk']],
      ['quantity/standard', where(['label', 'IS NOT NULL']), ['Milk']],
      ['quantity/standard', 'filter[units.name]=litre', ['Milk']],
      ['quantity/standard', `filter[drupal_internal__revision_id]=1&filter[units.id]=${litre.id}`, ['Milk']],
    ]),
  )('finds exactly what %s?%s asks for', async (path, query, names) => {
    expect(await found(path, query)).toEqual(names)
  })

  test('quantities by their numbers', async () => {
    const numbers = async (query: string) =>
      (await ask('quantity/standard', query)).body.data.map(({ attributes }: Json) => attributes.value.decimal)
    expect(await numbers(where(['value.decimal', '<', '0']))).toEqual(['-7'])
    expect(await numbers(where(['value.decimal', 'BETWEEN', '-7', '3.0']))).toEqual([
      '3',
      expect.stringMatching(/^0\.3/),
      '-7',
    ])
    expect(await numbers(where(['value.denominator', '=', '3']))).toEqual([expect.stringMatching(/^0\.3/)])
    expect(await numbers(where(['units', 'IS NULL']))).toHaveLength(1)
    expect(await numbers(where(['inventory_asset.name', '=', 'north']))).toEqual(['-7'])
  })
})

describe('what stands in one group of which all has to hold', () => {
  test('holds of one and the same value', async () => {
    expect(await found('log/activity', where(['asset.name', '=', 'bella'], ['asset.sex', '=', 'M']))).toEqual([])
    expect(await found('log/activity', where(['asset.name', '=', 'calf'], ['asset.sex', '=', 'M']))).toEqual(['Moved'])
    const litres = ['quantity.units.name', '=', 'litre'] as const
    expect(await found('log/activity', where(['quantity.measure', '=', 'weight'], litres))).toEqual([])
    expect(await found('log/activity', where(['quantity.measure', '=', 'volume'], litres))).toEqual(['Weeded'])
    expect(await found('asset/animal', where(['flag', '=', 'monitor'], ['flag', '=', 'review']))).toEqual([])
    expect(await found('asset/animal', where(['id_tag.id', '=', 'a7'], ['id_tag.type', '=', 'eid']))).toEqual([])
    expect(await found('asset/animal', where(['id_tag.id', '=', 'b9'], ['id_tag.type', '=', 'eid']))).toEqual(['Bella'])
  })

  test('and in groups of their own, of several', async () => {
    const both = 'filter[one][group][conjunction]=AND&filter[two][group][conjunction]=AND'
    const flags = `${where(['flag', '=', 'monitor'], ['flag', '=', 'review'])}&filter[c0][condition][memberOf]=one&filter[c1][condition][memberOf]=two`
    expect(await found('asset/animal', `${both}&${flags}`)).toEqual(['Bella'])
  })

  test('groups are nested', async () => {
    const groups = [
      'filter[any][group][conjunction]=OR',
      'filter[both][group][conjunction]=AND',
      'filter[both][group][memberOf]=any',
    ]
    const conditions = where(['name', '=', 'moved'], ['status', '=', 'pending'], ['asset.name', '=', 'bed'])
    const members = ['c0', 'c1', 'c2'].map(
      (name, at) => `filter[${name}][condition][memberOf]=${at === 0 ? 'any' : 'both'}`,
    )
    expect(await found('log/activity', [...groups, conditions, ...members].join('&'))).toEqual(['Moved', 'Weeded'])
  })
})

describe('a filter of /api is refused that', () => {
  test.each(
    shareOfThisEngine([
      ['log/activity', 'filter[nonsense]=1', /nonsense cannot be asked about: log--activity has no nonsense/],
      ['log/activity', 'filter[asset.nonsense]=1', /asset\.nonsense cannot be asked about/],
      ['log/activity', 'filter[quantity.units.nonsense]=1', /taxonomy_term--unit has no nonsense/],
      ['log/activity', 'filter[asset]=1', /it is a relationship; ask for asset\.id/],
      ['log/activity', 'filter[name.value]=1', /name has no value/],
      ['log/activity', 'filter[notes]=1', /it has properties, ask for one of them.*notes\.value/s],
      ['log/activity', 'filter[notes.nonsense]=1', /there is no such property.*notes\.value/s],
      ['log/activity', 'filter[timestamp]=soon', /must be compared with Unix seconds/],
      ['log/activity', 'filter[timestamp]=2024-02-30', /must be compared with Unix seconds/],
      ['log/activity', 'filter[is_movement]=maybe', /must be compared with 1, 0, true or false/],
      ['log/activity', 'filter[drupal_internal__id]=x', /must be compared with a whole number/],
      ['log/activity', where(['timestamp', 'CONTAINS', '1']), /CONTAINS is for text/],
      ['log/activity', 'filter[uid.mail]=a', /there is no mail to ask for.*display_name/s],
      ['log/activity', 'filter[drupal_internal__target_id]=1', /has no drupal_internal__target_id/],
      ['asset/animal', 'filter[location.name]=north', /it is worked out when it is read/],
      ['asset/animal', where(['location', 'IS NULL']), /it is worked out when it is read/],
      ['asset/animal', 'filter[group.id]=x', /it is worked out when it is read/],
      ['asset/animal', 'filter[geometry.value]=x', /it is worked out when it is read/],
      ['asset/animal', 'filter[inventory.value]=1', /it is worked out when it is read/],
      ['log/activity', 'filter[asset.location.name]=x', /it is worked out when it is read/],
      ['asset/land', 'filter[animal_type.name]=x', /asset--land has no animal_type/],
    ]),
  )('refuses %s?%s and says why', async (path, query, message) => {
    expect(await refused(path, query)).toMatch(message)
  })
})

describe('an order of /api', () => {
  test.each(
    shareOfThisEngine([
      ['log/activity', 'sort=-timestamp', ['Named', 'Joined', 'Driven', 'Weeded', 'Moved']],
      ['log/activity', 'sort=name', ['Driven', 'Joined', 'Moved', 'Named', 'Weeded']],
      ['log/activity', 'sort=status,-name', ['Named', 'Moved', 'Joined', 'Driven', 'Weeded']],
      ['log/activity', 'sort=-is_movement,name', ['Driven', 'Moved', 'Joined', 'Named', 'Weeded']],
      ['log/activity', 'sort=-drupal_internal__id', ['Named', 'Joined', 'Driven', 'Weeded', 'Moved']],
      [
        'log/activity',
        'sort[a][path]=uid.name&sort[b][path]=name&sort[b][direction]=DESC',
        ['Weeded', 'Named', 'Moved', 'Joined', 'Driven'],
      ],
      ['log/activity', 'sort=langcode', activities],
      ['log/lab_test', 'sort=lab_test_type', ['Whatever', 'Soil', 'Leaf', 'Well']],
      ['asset/animal', 'sort=status,name', ['Bella', 'kid', 'Calf']],
      ['asset/animal', 'sort=-archived', ['Calf', 'Bella', 'kid']],
      ['asset/animal', 'sort=animal_type.name,-name', ['kid', 'Calf', 'Bella']],
      ['asset/animal', 'sort=sex', ['kid', 'Bella', 'Calf']],
      ['asset/animal', 'sort=notes.value,name', ['Calf', 'kid', 'Bella']],
      ['asset/land', 'sort=-status', ['Bed', 'North']],
      ['asset/land', 'sort=drupal_internal__id', ['North', 'Bed']],
      ['taxonomy_term/log_category', 'sort=weight&page[limit]=1', ['Care']],
      ['taxonomy_term/log_category', 'sort=-weight&page[limit]=1', ['Weeding']],
    ]),
  )('lists %s?%s in its order', async (path, query, names) => {
    expect(await found(path, query)).toEqual(names)
  })

  test('by id is that of the UUIDs', async () => {
    const { body } = await ask('log/activity', 'sort=id')
    const ids = body.data.map(({ id }: Json) => id)
    expect(ids).toEqual(ids.toSorted())
  })

  test('by the value of quantities is that of numbers', async () => {
    const { body } = await ask('quantity/standard', 'sort=-value.decimal')
    expect(body.data.map(({ attributes }: Json) => Number(attributes.value.decimal))).toEqual([
      12.5,
      3,
      expect.closeTo(1 / 3),
      -7,
    ])
  })

  test.each(
    shareOfThisEngine([
      ['log/activity', 'sort=nonsense', /cannot be sorted by nonsense.*timestamp/s],
      ['log/activity', 'sort=asset.name', /cannot be sorted by asset\.name/],
      ['log/activity', 'sort=flag', /cannot be sorted by flag/],
      ['log/activity', 'sort=notes', /cannot be sorted by notes/],
      ['log/activity', 'sort=geometry.lat', /cannot be sorted by geometry\.lat/],
      ['asset/animal', 'sort=location', /cannot be sorted by location/],
      ['log/activity', 'sort=', /./],
    ]),
  )('is refused: %s?%s', async (path, query, message) => {
    expect(await refused(path, query)).toMatch(message)
  })
})

test('a page of what a filter finds leads to the next', async () => {
  const first = (await ask('log/activity', 'filter[asset.name]=bella&page[limit]=2')).body
  expect(first.data.map(({ attributes }: Json) => attributes.name)).toEqual(['Moved', 'Driven'])
  const next = await ada.read(first.links.next.href.replace(farm.base, ''))
  expect(next.data.map(({ attributes }: Json) => attributes.name)).toEqual(['Joined'])
})

test('what was written through the other door is found alike', async () => {
  const other = await ada.create('log', {
    type: 'farm_activity',
    name: 'Older',
    timestamp: 7000,
    asset: [{ id: String(cow.attributes.drupal_internal__id) }],
    area: [{ id: String(pond.attributes.drupal_internal__id - 1_000_000_000) }],
    quantity: [{ measure: 'time', value: '1.5', label: 'Shift' }],
    inventory: [{ asset: { id: String(cow.attributes.drupal_internal__id) }, value: '-2' }],
  })
  const number = ['drupal_internal__id', '=', other] as const
  for (const condition of [
    ['location.name', '=', 'pond'],
    ['asset.name', '=', 'bella'],
    ['quantity.label', '=', 'shift'],
    ['quantity.inventory_adjustment', '=', 'decrement'],
    ['quantity.value.decimal', '=', '2'],
  ] as const)
    expect(await found('log/activity', where(number, condition))).toEqual(['Older'])
  expect(
    await found(
      'log/activity',
      where(number, ['quantity.label', '=', 'shift'], ['quantity.inventory_asset.name', '=', 'bella']),
    ),
  ).toEqual([])
  await ada.create('log', {
    type: 'farm_activity',
    name: 'Beside',
    timestamp: 8000,
    asset: [{ id: String(cow.attributes.drupal_internal__id) }],
    area: [{ id: String(pond.attributes.drupal_internal__id - 1_000_000_000) }],
    movement: { area: [{ id: String(north.attributes.drupal_internal__id - 1_000_000_000) }] },
  })
  const beside = ['name', '=', 'beside'] as const
  expect(await found('log/activity', where(beside, ['location.name', '=', 'north']))).toEqual(['Beside'])
  expect(await found('log/activity', where(beside, ['location.name', '=', 'pond']))).toEqual([])
})

/** So many pieces of equipment that have notes, as rows. */
async function populate(count: number): Promise<void> {
  const kept = JSON.stringify({ description: { value: 'many', format: 'plain_text' } })
  await farm.installation.database.write(async (tx) => {
    const numbers = fragment`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    const [last] = await askRows<{ id: number }>(tx, fragment`select coalesce(max(id), 0) as id from asset`)
    const first = Number(last?.id)
    await askRows(
      tx,
      fragment`insert into asset (uuid, bundle, name, name_key, uid, created, changed, revision, fields, archived)
        ${numbers} select '00000000-0000-4000-8000-' || (100000000000 + cast(${first} as bigint) + i), 'compost', 'Heap', 'heap', 1, 0, 0, 1, ${kept}, 0 from n`,
    )
    await askRows(
      tx,
      fragment`insert into facet (record_id, path, key, nth, whole_key)
        select id, ${toValue('asset', 'description')}, 'many', 0, null from asset where id > ${first}`,
    )
  })
}

test('thousands are looked at one by one, and tens of thousands only where something else makes them fewer', async () => {
  await populate(3_000)
  const isPlain = ['notes.format', '=', 'plain_text'] as const
  const firstPage = (await ask('asset/compost', where(isPlain))).body
  expect(firstPage.data).toHaveLength(50)
  expect((await ask('asset/compost', `${where(isPlain)}&page[offset]=2999`)).body.data).toHaveLength(1)
  expect(await found('asset/compost', where(['notes.format', '=', 'default']))).toEqual([])
  await populate(47_001)
  expect(await refused('asset/compost', `${where(isPlain)}&cacheBust=1`)).toMatch(
    /more than 50000 records would have to be looked at/,
  )
  const [{ id }] = firstPage.data
  expect(await found('asset/compost', where(isPlain, ['id', '=', id]))).toEqual(['Heap'])
})
