import { png, textFile } from '../records/sample-files.ts'
import { post, put, putXml, type Request, remove } from './request.ts'

const newLog = (name: string, fields: object = {}) => ({
  method: 'POST',
  path: '/log',
  body: { name, type: 'farm_activity', timestamp: 1_599_000_000, ...fields },
})

const once = { headers: { 'idempotency-key': 'the-same-walk' } }

/** What becomes of the farm afterwards: every kind of write to a record that is there, and many at once. */
export const changes: readonly Request[] = [
  put('/log/17', { name: 'Of a worker, looked at again', done: 1, notes: 'Seen' }, { as: 'ben' }),
  put('/log/1', { files: [{ id: '8' }, textFile('Three')], images: [], quantity: [] }),
  put('/log/1.json?files=link', { flags: 'monitor', geofield: [] }),
  put('/log/7', { quantity: { measure: 'weight', value: '13.00', unit: { name: 'KG' }, label: 'A label' } }),
  put('/log/8', { lot_number: '', done: '0' }),
  post('/log/10', { done: true, log_category: [{ name: 'Equipment' }, { name: 'Hydraulics' }] }),
  put('/log/9?files=inline', { material: [24], date_purchase: null, images: [png('heap')] }, { as: 'ben' }),
  put('/log/2', { movement: null, membership: {} }),
  put('/log/3', { field_farm_movement: { area: ['10', '13'], geometry: null } }),
  put('/log/5', { changed: '1', url: 'x', resource: 'log', id: '5', type: 'farm_activity', name: 'Planned & echoed' }),
  put('/log/6', { log_owner: [], flags: ['monitor'] }, { headers: { 'if-match': '*' } }),
  putXml(
    '/log/12',
    '<log><notes>Only &lt;two&gt; leaves</notes><flags>review</flags><area><item id="13"/></area></log>',
  ),
  putXml('/log/12.json', '<log><geofield><item><geom>POINT EMPTY</geom></item></geofield></log>'),
  put('/log/12.xml', { done: 0 }),
  put('/farm_asset/3', { archived: 1_599_999_000, animal_castrated: true, tag: [{ id: '007', type: 'Chip' }] }),
  put('/farm_asset/4', { archived: null, animal_nicknames: [], data: null, location: [], changed: '1' }),
  put('/farm_asset/6', { season: [{ name: '2020' }, { name: '2021' }, { name: '2022' }], crop: ['19'] }),
  put('/farm_asset/8', { images: [png('tractor')], files: [] }),
  putXml(
    '/farm_asset/11',
    '<farm_asset><description><value>On the roof</value></description><sensor_type/></farm_asset>',
  ),
  put('/taxonomy_term/9', { name: 'North field (upper)', images: [], geofield: 'POINT (7.1 50.1)', flags: [] }),
  put('/taxonomy_term/19', { companions: [17], maturity_days: 0 }),
  put('/taxonomy_term/20', { crop_family: { name: 'Alliums' }, parent: [] }),
  put('/taxonomy_term/21', { date_range: null, weight: '-3' }),
  put('/taxonomy_term/14.json', { parent: '13', description: '' }),
  putXml('/taxonomy_term/26', '<taxonomy_term><description nil="true"/><weight>4</weight></taxonomy_term>'),
  remove('/log/19'),
  remove('/log/18.xml'),
  remove('/taxonomy_term/15.json'),
  post('/log', { name: 'Walk the fence', type: 'farm_activity', timestamp: 1_599_900_000 }, once),
  post('/log', { name: 'Walk the fence', type: 'farm_activity', timestamp: 1_599_900_000 }, once),
  post('/batch', {
    operations: [
      { method: 'POST', path: '/taxonomy_term', as: 'shed', body: { name: 'Shed', vocabulary: 'farm_areas' } },
      { method: 'POST', path: '/farm_asset', as: 'geese', body: { name: 'Geese', type: 'group' } },
      {
        ...newLog('Drive geese', { done: 1, asset: [{ id: '$geese' }], movement: { area: [{ id: '$shed' }] } }),
        as: 'drive',
      },
      { method: 'PUT', path: '/farm_asset/$geese', body: { flags: ['monitor'] } },
      { ...newLog('Passing'), as: 'passing' },
      { method: 'DELETE', path: '/log/$passing' },
    ],
  }),
  post('/batch', {
    operations: ['One', 'Two', 'Three'].map((name) =>
      newLog(name, { log_category: [{ name: 'In bulk' }], asset: [8] }),
    ),
  }),
  post('/batch', {
    atomic: false,
    operations: [newLog('By itself', { done: 1 }), { method: 'PUT', path: '/log/17', body: { flags: ['review'] } }],
  }),
]
