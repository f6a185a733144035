import { get, post, put, type Request } from './request.ts'

const uuid = (nth: number): string => `0b5e55ed-0000-4000-8000-${String(nth).padStart(12, '0')}`

interface Resource {
  readonly nth: number
  readonly attributes?: object
  readonly relationships?: Readonly<Record<string, unknown>>
}

const made = (type: string, { nth, attributes = {}, relationships = {} }: Resource): Request =>
  post(`/api/${type.replace('--', '/')}`, {
    data: {
      type,
      id: uuid(nth),
      attributes,
      relationships: Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }])),
    },
  })

const to = (type: string, nth: number) => ({ type, id: uuid(nth) })

/** A farm as the newer generation writes it: of some of it the record interface knows nothing. */
export const writtenThroughApi: readonly Request[] = [
  made('taxonomy_term--unit', { nth: 1, attributes: { name: 'crate', external_uri: ['https://units.example/crate'] } }),
  made('taxonomy_term--plant_type', {
    nth: 2,
    attributes: { name: 'Oca', harvest_days: 200, description: { value: 'Wood <sorrel>', format: 'plain_text' } },
  }),
  made('taxonomy_term--material_type', { nth: 3, attributes: { name: 'Lime' } }),
  made('taxonomy_term--lab', { nth: 4, attributes: { name: 'Lab on the hill' } }),
  made('asset--land', {
    nth: 10,
    attributes: {
      name: 'Terrace',
      land_type: 'paddock',
      data: 'unseen',
      status: 'archived',
      id_tag: [{ id: 'T1', type: 'eid' }],
      intrinsic_geometry: 'POINT (7.5 50.5)',
      notes: { value: 'In the sun', format: null },
    },
  }),
  made('asset--structure', { nth: 11, attributes: { name: 'Arch', structure_type: 'other', is_fixed: false } }),
  made('asset--plant', {
    nth: 20,
    attributes: { name: 'Oca 2020', archived: true, quick: ['planting'] },
    relationships: { plant_type: [to('taxonomy_term--plant_type', 2)], parent: [to('asset--land', 10)] },
  }),
  made('asset--seed', {
    nth: 21,
    attributes: { name: 'Oca tubers' },
    relationships: { plant_type: [to('taxonomy_term--plant_type', 2)] },
  }),
  made('asset--equipment', { nth: 22, attributes: { name: 'Trailer', is_location: true, id_tag: [{ id: 'X' }] } }),
  made('quantity--standard', {
    nth: 30,
    attributes: {
      measure: 'speed',
      value: { numerator: 1, denominator: 3 },
      label: 'Drive',
      inventory_adjustment: 'reset',
    },
    relationships: { units: to('taxonomy_term--unit', 1), inventory_asset: to('asset--seed', 21) },
  }),
  made('quantity--standard', {
    nth: 31,
    attributes: { measure: 'count', value: { decimal: '12.50' }, inventory_adjustment: 'decrement' },
    relationships: { inventory_asset: to('asset--seed', 21) },
  }),
  made('quantity--material', {
    nth: 32,
    attributes: { value: { decimal: '3' } },
    relationships: { material_type: [to('taxonomy_term--material_type', 3)] },
  }),
  made('quantity--standard', { nth: 33, attributes: { label: 'Waits for a log' } }),
  made('log--input', {
    nth: 40,
    attributes: { name: 'Liming', timestamp: 1_599_000_000, purchase_date: 1_598_000_000, method: 'by hand' },
    relationships: {
      asset: [to('asset--plant', 20), to('asset--structure', 11)],
      location: [to('asset--land', 10)],
      quantity: [to('quantity--standard', 30), to('quantity--standard', 31), to('quantity--material', 32)],
    },
  }),
  made('log--seeding', {
    nth: 41,
    attributes: { timestamp: 1_599_000_001 },
    relationships: { asset: [to('asset--seed', 21)], location: [to('asset--equipment', 22), to('asset--land', 10)] },
  }),
  made('log--activity', {
    nth: 42,
    attributes: { name: 'Off it goes', timestamp: 1_599_000_002, status: 'abandoned', is_movement: true },
    relationships: { asset: [to('asset--plant', 20)] },
  }),
  made('log--lab_test', {
    nth: 43,
    attributes: { name: 'Leaves', timestamp: 1_599_000_003, lab_test_type: 'tissue', soil_texture: 'none' },
    relationships: { lab: to('taxonomy_term--lab', 4) },
  }),
  made('log--lab_test', {
    nth: 44,
    attributes: { name: 'Soil', timestamp: 1_599_000_004, lab_test_type: 'soil' },
    relationships: { lab: to('taxonomy_term--lab', 4), location: [to('asset--land', 10)] },
  }),
]

const terms = [1, 2, 3, 4, 10, 11].map((nth) => get(`/taxonomy_term/${uuid(nth)}.json`))
const assets = [20, 21, 22].map((nth) => get(`/farm_asset/${uuid(nth)}.json?with=group,inventory`))
const logs = [40, 41, 42, 43, 44].map((nth) => get(`/log/${uuid(nth)}.json`))

/** The same farm through the record interface, before and after it has written something itself. */
export const readThroughOlder: readonly Request[] = [
  ...terms,
  ...assets,
  ...logs,
  get(`/log/${uuid(40)}.xml`),
  get('/log.json?id[ge]=1&sort=id&direction=DESC&limit=5'),
  get('/farm_asset.json?type=seed'),
  get('/log.json?type=farm_lab_test'),
  get('/log.json?done=0&name=Off it goes'),
  get('/taxonomy_vocabulary.json'),
  get('/farm.json'),
  put(`/log/${uuid(40)}`, { name: 'Liming, once', quantity: [{ measure: 'speed', label: 'Slow drive' }] }),
  put(`/log/${uuid(41)}`, { movement: { area: [] } }),
  put(`/log/${uuid(42)}`, { done: '0', notes: 'Not after all' }),
  put(`/taxonomy_term/${uuid(11)}`, { area_type: 'greenhouse' }),
  put(`/farm_asset/${uuid(20)}`, { flags: ['review'] }),
  ...logs,
]
