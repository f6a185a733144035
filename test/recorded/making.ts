import { dataUri, png, textFile } from '../records/sample-files.ts'
import { post, postXml, type Request } from './request.ts'

const day = 86_400
const noon = 1_600_000_000

const term = (vocabulary: string, name: string, fields: object = {}): Request =>
  post('/taxonomy_term', { name, vocabulary, ...fields })

const asset = (type: string, name: string, fields: object = {}): Request =>
  post('/farm_asset', { name, type, ...fields })

const log = (type: string, name: string, fields: object): Request =>
  post('/log', { name, type: `farm_${type}`, ...fields })

const oddText = 'Müller & <b>Söhne</b> said "it\'s ]]> \\ fine"\n\n\tas it is 🌾 \u2028 e\u0301 %20 &amp;'

/** Terms 9 and up: a fresh farm has eight log categories. */
const terms: readonly Request[] = [
  term('farm_areas', 'North field', {
    area_type: 'field',
    description: oddText,
    geofield:
      'POLYGON ((7.10 50.10, 7.2 50.1, 7.2 50.20, 7.10 50.10), (7.15 50.12, 7.16 50.12, 7.16 50.13, 7.15 50.12))',
    flags: ['priority', 'südhang'],
    images: [png('field')],
    files: [textFile('Deed of the north field')],
  }),
  term('farm_areas', 'Barn "Old"', { area_type: 'building', geofield: [{ geom: 'POINT(7.11   50.11)' }], weight: 2 }),
  term('farm_areas', 'Nördliche Wiese 🐄', {
    area_type: 'paddock',
    parent: [{ id: '9' }],
    geofield: ['MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))'],
  }),
  term('farm_areas', 'Pond', { area_type: 'water', weight: -5, geofield: 'LINESTRING (1 2, 3 4.50, 5 6)' }),
  term('farm_areas', 'Orchard', {
    area_type: 'other',
    parent: [{ name: 'North field' }],
    geofield: ['GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (1 1, 2 2))', { geom: 'MULTIPOINT ((1 2), (3 4))' }],
  }),
  term('farm_areas', '7', { area_type: 'bed', parent: ['9', '11'] }),
  term('farm_areas', 'Nowhere yet', {}),
  term('farm_crop_families', 'Brassicas', { description: { value: 'Cabbages & co', format: 'farm_format' } }),
  term('farm_crops', 'Kale', {
    crop_family: { name: 'brassicas' },
    companions: [{ name: 'Onion' }, { name: 'Dill' }],
    maturity_days: 60,
    transplant_days: '21',
    images: [png('kale'), dataUri('image/gif', 'GIF89a')],
  }),
  term('farm_crops', 'Kale, red', { parent: [{ name: 'KALE' }], weight: 1 }),
  term('farm_season', '2020', { date_range: { value: '1577836800', value2: '1609459199' } }),
  term('farm_season', '2021', { date_range: { value: 1609459200 } }),
  term('farm_animal_types', 'Cow'),
  term('farm_materials', 'Compost tea'),
  term('farm_quantity_units', 'kg'),
  term('farm_soil_names', 'Loam', { description: 'Dark' }),
  term('farm_log_categories', 'Fencing', { parent: 5 }),
  postXml(
    '/taxonomy_term',
    '<taxonomy_term><name>Leek &amp; friends</name><vocabulary>farm_crops</vocabulary><description>  white  space  </description></taxonomy_term>',
  ),
]

const assets: readonly Request[] = [
  asset('group', 'Herd', { description: 'All of them', flags: ['monitor'] }),
  asset('group', 'Young stock', { parent: [{ id: '1' }] }),
  asset('animal', 'Berta', {
    animal_type: { name: 'Cow' },
    animal_sex: 'F',
    animal_castrated: false,
    animal_nicknames: ['Bertl', 'Die "Große"'],
    date: '1500000000',
    tag: [
      { id: 'DE 01 234', location: 'Left ear', type: 'Ear tag' },
      { id: '007', type: 'Chip' },
    ],
    description: { value: oddText, format: 'farm_format' },
    images: [png('berta')],
  }),
  asset('animal', 'Emma', {
    animal_type: { id: 23, name: 'never looked at' },
    animal_sex: 'F',
    animal_castrated: true,
    parent: [{ id: 3 }],
    data: '{"rows": [1, 2]}',
  }),
  asset('animal', 'Aunt <Olga>', { animal_type: [{ name: 'Goat' }], archived: '1590000000' }),
  asset('planting', 'Kale 2020', { crop: [{ name: 'Kale' }, { name: 'Kale, red' }], season: [{ name: '2020' }] }),
  asset('planting', 'Leek 2020', { crop: { name: 'LEEK & friends' }, season: '21', flags: 'review' }),
  asset('equipment', 'Tractor', {
    manufacturer: 'Fendt',
    model: '312',
    serial_number: 'S-0001',
    files: [textFile('Manual')],
  }),
  asset('equipment', 'Old plough', { archived: 1_595_000_000 }),
  asset('compost', 'Heap', { parent: ['6'], data: '' }),
  asset('sensor', 'Rain gauge', { sensor_type: 'listener', sensor_settings: '{"public": true}' }),
  postXml(
    '/farm_asset.xml',
    '<farm_asset><name>Hen</name><type>animal</type><animal_type name="Chicken"/><flags><item>review</item></flags>' +
      '<tag><item><id>H1</id><type>Leg band</type></item></tag><animal_castrated>1</animal_castrated></farm_asset>',
  ),
]

const logs: readonly Request[] = [
  log('activity', 'Drive out', {
    timestamp: noon - 30 * day,
    done: 1,
    asset: [{ id: '3' }, { id: '4' }],
    area: [{ id: '9' }],
    log_category: [{ name: 'Animals' }, { name: 'Fencing' }],
    movement: { area: [{ name: 'Nördliche Wiese 🐄' }] },
    membership: { group: [{ id: '1' }] },
    equipment: [{ id: '8' }],
    flags: ['priority', 'review'],
    notes: oddText,
    data: 'kept "as is"',
    geofield: [{ geom: 'POINT (7.1 50.1)' }, { geom: 'LINESTRING (7.1 50.1, 7.2 50.2)' }],
    quantity: [{ measure: 'count', value: 2, unit: { name: 'head' }, label: 'Cows' }],
    images: [png('out')],
    files: [textFile('One'), textFile('Two')],
  }),
  log('activity', 'Move on', {
    timestamp: noon - 20 * day,
    done: true,
    asset: ['3'],
    movement: { area: ['9', '10'] },
    membership: { group: ['1', '2'] },
  }),
  log('activity', 'By map', {
    timestamp: String(noon - 10 * day),
    done: '1',
    asset: 4,
    movement: { geometry: 'POINT (8.1 51.20)' },
  }),
  log('activity', 'Comes true soon', {
    timestamp: noon + 500,
    done: 1,
    asset: [{ id: 12 }],
    movement: { area: { name: 'pond' }, geometry: 'POLYGON EMPTY' },
    inventory: [{ asset: '12', value: '3.50' }],
  }),
  log('activity', 'Planned', { timestamp: 1_700_000_000, done: 0, asset: [3], movement: { area: [12] } }),
  log('birth', 'Emma is born', { timestamp: 1_580_000_000, done: 1, asset: [4], mother: { id: '3' } }),
  log('harvest', 'First cut', {
    timestamp: noon - 3 * day,
    done: 1,
    asset: [6],
    area: [9],
    lot_number: 'A-100%',
    quantity: [
      { measure: 'weight', value: '12.50', unit: { name: 'kg' }, label: 'Kale' },
      { measure: 'value', value: '-0.10', unit: { name: 'EUR' } },
      { label: 'Only a label' },
    ],
    inventory: [
      { asset: { id: 6 }, value: '12.50' },
      { asset: 10, value: 1e3 },
    ],
  }),
  log('harvest', 'Second cut', {
    timestamp: noon - 2 * day,
    done: 1,
    asset: [6],
    lot_number: 'B-7',
    inventory: [{ asset: 6, value: '-2.5' }],
    quantity: [{ measure: 'weight', value: '123456789012345678901234567890', unit: '25' }],
  }),
  log('input', 'Fed the heap', {
    timestamp: noon - 9 * day,
    date_purchase: 1_580_000_000,
    input_method: 'by hand',
    input_purpose: 'growth',
    input_source: 'Neighbour',
    lot_number: 'X1',
    material: [{ name: 'Compost tea' }, { name: 'Straw' }],
    asset: [10],
  }),
  log('maintenance', 'Oil change', { timestamp: noon - 8 * day, asset: [8], log_owner: [{ id: '2' }, { id: '3' }] }),
  log('medical', 'Hoof', { timestamp: noon - 7 * day, asset: [3], vet: 'Dr. Ørsted', log_owner: [], done: 1 }),
  log('observation', 'Spots on leaves', {
    timestamp: noon - 6 * day,
    area: [{ name: 'Orchard' }, { name: 'New corner' }],
    geofield: 'MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))',
    done: 'true',
  }),
  log('seeding', 'Sow kale', {
    timestamp: noon - 100 * day,
    done: 1,
    asset: [6, 7],
    seed_source: 'Own',
    lot_number: 'S-1',
    movement: { area: [14] },
    quantity: { measure: 'count', value: '250' },
  }),
  log('transplanting', 'Out of the trays', {
    timestamp: noon - 60 * day,
    done: 1,
    asset: [{ id: 6 }],
    movement: { area: [{ id: 9 }], geometry: 'POLYGON ((0 0, 1 0, 1 1, 0 0))' },
  }),
  log('soil_test', 'Spring sample', {
    timestamp: noon - 200 * day,
    soil_lab: 'LUFA',
    soil_names: [{ name: 'Loam' }, { name: 'Clay' }],
    geofield: 'POINT (7.123456789 50.1)',
  }),
  log('water_test', 'Pond sample', { timestamp: noon - 199 * day, water_lab: 'LUFA', area: [{ name: ' pond ' }] }),
  post('/log', { name: 'Of a worker', type: 'farm_observation', timestamp: noon }, { as: 'ben' }),
  post('/log.json', {
    name: 'Moved in',
    type: 'farm_activity',
    timestamp: 1,
    created: 1_000_000_000,
    uid: { id: 2 },
    done: 0,
  }),
  post('/log', {
    field_farm_asset: ['8'],
    name: 'Old words',
    type: 'farm_activity',
    timestamp: noon - 1,
    field_farm_notes: 'x',
  }),
  post('/log?files=link', { name: 'With a photo', type: 'farm_activity', timestamp: noon - day, images: [png('day')] }),
  postXml(
    '/log',
    '<log><name>In XML</name><type>farm_harvest</type><timestamp>1599999999</timestamp><done>1</done>' +
      '<notes><value><![CDATA[<b>bold</b> & more]]></value><format>farm_format</format></notes>' +
      '<asset><item id="6"/><item><id>7</id></item></asset>' +
      '<quantity><item><measure>weight</measure><value>1.10</value><unit name="kg"/></item></quantity>' +
      '<movement><area><item name="Pond"/></area><geometry nil="true"/></movement>' +
      '<log_category><item><name>Water</name></item></log_category><lot_number nil="true"/></log>',
  ),
  postXml(
    '/log.json',
    '<log><name>XML in, JSON out</name><type>farm_input</type><timestamp>1599999998</timestamp><material name="Straw"/></log>',
  ),
  post(
    '/log',
    { name: 'JSON in, XML out', type: 'farm_activity', timestamp: noon - 5 },
    { headers: { accept: 'application/xml' } },
  ),
]

/** Makes the farm that everything else is asked of. */
export const making: readonly Request[] = [...terms, ...assets, ...logs]
