import type { Json } from '../harness/client.ts'
import type { ServedResource } from './newer-server.ts'

const uuid = (nth: number): string => `00000000-0000-4000-8000-${String(nth).padStart(12, '0')}`

const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', '+00:00')

const rich = (value: string) => ({ value, format: 'default', processed: `<p>${value}</p>\n` })

/** Builds a farm as a server of the newer generation sends it. */
export class NewerFarm {
  readonly resources: ServedResource[] = []
  #made = 0

  add(type: string, attributes: Json, relationships: Json = {}): ServedResource {
    this.#made += 1
    const [family = ''] = type.split('--')
    const name = ({ taxonomy_term: 'tid', user: 'uid', file: 'fid' } as Json)[family] ?? 'id'
    const number = this.resources.filter((one) => one.type.startsWith(`${family}--`)).length + 1
    const stamps = { created: time(1_600_000_000 + this.#made), changed: time(1_600_000_000 + this.#made) }
    const resource = {
      type,
      id: uuid(this.#made),
      attributes: { [`drupal_internal__${name}`]: number, langcode: 'en', ...stamps, ...attributes },
      relationships,
    }
    this.resources.push(resource)
    return resource
  }
}

export const to = ({ type, id }: ServedResource, meta: Json = {}): Json => ({ type, id, meta })

/** A farm with one of everything, as 3.x sends it; 4.x says `archived` and `is_sterile` in its own words. */
export function willowBend(version: '3.4.5' | '4.0.0' = '3.4.5') {
  const isSterile = version === '4.0.0' ? 'is_sterile' : 'is_castrated'
  const alive = version === '4.0.0' ? { archived: false, last_archived: null } : { status: 'active', archived: null }
  const farm = new NewerFarm()
  const hanna = farm.add('user--user', { name: 'hanna', display_name: 'hanna' })
  const by = { uid: to(hanna) }
  const asset = (type: string, attributes: Json, relationships: Json = {}) =>
    farm.add(
      `asset--${type}`,
      {
        ...alive,
        is_location: false,
        is_fixed: false,
        notes: null,
        data: null,
        flag: [],
        id_tag: [],
        ...attributes,
      },
      { ...by, parent: [], file: [], image: [], owner: [], ...relationships },
    )
  const place = { is_location: true, is_fixed: true }
  const north = asset('land', {
    name: 'North',
    land_type: 'field',
    ...place,
    intrinsic_geometry: { value: 'POINT (7.5 50.2)', geo_type: 'Point', lat: 50.2, lon: 7.5 },
    notes: rich('Wet corner'),
  })
  const barn = asset('structure', { name: 'Barn', structure_type: 'building', ...place }, { parent: [to(north)] })
  asset('water', { name: 'Pond', ...place })
  const cattle = farm.add(
    'taxonomy_term--animal_type',
    { name: 'Cattle', description: rich('cows'), weight: 2, status: true },
    { parent: [{ type: 'taxonomy_term--animal_type', id: 'virtual', meta: {} }] },
  )
  const beans = farm.add(
    'taxonomy_term--plant_type',
    { name: 'Beans', maturity_days: 60 },
    { parent: [], companions: [] },
  )
  const kilo = farm.add('taxonomy_term--unit', { name: 'kg' })
  const herd = asset('group', { name: 'Herd' })
  const gone =
    version === '4.0.0'
      ? { archived: true, last_archived: time(1_610_000_000) }
      : { status: 'archived', archived: time(1_610_000_000) }
  const animal = (attributes: Json, relationships: Json) =>
    asset('animal', { sex: null, birthdate: null, nickname: [], [isSterile]: null, ...attributes }, relationships)
  const bess = animal(
    {
      name: 'Bess',
      sex: 'F',
      birthdate: time(1_500_000_000),
      nickname: ['B'],
      [isSterile]: true,
      id_tag: [{ id: 'AT 1', type: 'ear_tag', location: 'left' }],
    },
    { animal_type: to(cattle) },
  )
  const tom = animal({ name: 'Old Tom', ...gone }, { animal_type: to(cattle) })
  asset('plant', { name: 'Beans 2024' }, { plant_type: [to(beans)], season: [] })
  const photo = farm.add(
    'file--file',
    {
      filename: 'bess.png',
      filemime: 'image/png',
      filesize: 5,
      uri: { value: 'private://bess.png', url: '/system/files/bess.png' },
    },
    by,
  )
  const quantity = (type: string, attributes: Json, relationships: Json = {}) =>
    farm.add(
      `quantity--${type}`,
      { label: null, inventory_adjustment: null, ...attributes },
      { ...by, units: null, inventory_asset: null, ...relationships },
    )
  const log = (type: string, attributes: Json, relationships: Json = {}) =>
    farm.add(
      `log--${type}`,
      {
        timestamp: time(1_620_000_000),
        status: 'done',
        is_movement: false,
        is_group_assignment: null,
        notes: null,
        data: null,
        flag: [],
        geometry: null,
        ...attributes,
      },
      {
        ...by,
        asset: [],
        location: [],
        quantity: [],
        category: [],
        owner: [],
        file: [],
        image: [],
        equipment: [],
        group: [],
        ...relationships,
      },
    )
  log(
    'activity',
    { name: 'Turned out', is_movement: true, geometry: { value: 'POINT (7.5 50.2)' } },
    { asset: [to(bess)], location: [to(north)] },
  )
  log('activity', { name: 'Joined', is_group_assignment: true }, { asset: [to(bess)], group: [to(herd)] })
  const third = quantity(
    'standard',
    { measure: 'weight', value: { numerator: 1, denominator: 3, decimal: '0.33333' } },
    { units: to(kilo) },
  )
  const three = quantity(
    'standard',
    { measure: 'count', value: { numerator: 3, denominator: 1, decimal: '3' }, inventory_adjustment: 'increment' },
    { inventory_asset: to(herd) },
  )
  const harvest = log(
    'harvest',
    { name: 'Picked', lot_number: 'B-7' },
    {
      quantity: [to(third), to(three)],
      image: [to(photo, { alt: 'Bess in May' })],
      location: [to(barn)],
      owner: [to(hanna)],
    },
  )
  log(
    'observation',
    {
      name: 'Given up',
      status: version === '4.0.0' ? 'abandoned' : 'pending',
      notes: rich('Rain & wind'),
      // A log without a geometry gets a copy of that of its places when it is saved.
      geometry: { value: 'POINT (7.5 50.2)' },
    },
    { asset: [to(north)] },
  )
  for (let nth = 0; nth < 60; nth += 1) log('maintenance', { name: `Log ${nth}` })
  return { farm, hanna, north, bess, tom, cattle, harvest, third, kilo, log, asset, quantity }
}
