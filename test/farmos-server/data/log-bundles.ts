import { type Bundle, type Fields, required } from './bundle.ts'
import {
  asset,
  assets,
  data,
  date,
  files,
  fraction,
  geofield,
  images,
  inventory,
  membership,
  movement,
  note,
  quantities,
  term,
  terms,
  text,
  users,
  words,
} from './fields.ts'

const onEveryLog: Fields = {
  files: files('Files'),
  flags: words('Flags'),
  images: images('Photos'),
  data: data('Data'),
  log_category: terms('Log category'),
  log_owner: users('Assigned to'),
  notes: note('Notes'),
  equipment: assets('Equipment used'),
}
const asked = { asset: assets('Assets') }
const area = { area: terms('Areas') }
const place = { ...area, geofield: geofield('Geometry') }
const sample = { ...area, geofield: geofield('Sample points') }
const moved = { movement: movement('Movement') }
const grouped = { membership: membership('Group membership') }
const measured = { quantity: quantities('Quantity') }
const adjusted = { inventory: inventory('Inventory adjustments') }
const lot = (label: string) => ({ lot_number: text(label) })
const traded = {
  invoice_number: text('Invoice number'),
  quantity_value: fraction('Quantity'),
  quantity_units: term('Units'),
  unit_price: fraction('Unit price'),
  total_price: fraction('Total price'),
}

export const logType = (name: string, [label, plural]: readonly [string, string], fields: Fields): Bundle => ({
  kind: 'log',
  name,
  label,
  plural,
  fields: { ...onEveryLog, ...fields },
})

export const logBundles: readonly Bundle[] = [
  logType('farm_seeding', ['Seeding', 'Seedings'], {
    asset: required(assets('Planting')),
    ...moved,
    ...measured,
    ...adjusted,
    ...lot('Seed lot number'),
    seed_source: text('Source/Supplier'),
  }),
  logType('farm_transplanting', ['Transplanting', 'Transplantings'], {
    asset: required(assets('Planting')),
    ...moved,
    ...measured,
    ...adjusted,
  }),
  logType('farm_maintenance', ['Maintenance', 'Maintenance'], { ...asked, ...place, ...moved, ...adjusted }),
  logType('farm_purchase', ['Purchase', 'Purchases'], {
    ...asked,
    ...area,
    ...adjusted,
    ...traded,
    ...lot('Purchase lot number'),
    seller: text('Seller'),
  }),
  logType('farm_sale', ['Sale', 'Sales'], {
    ...asked,
    ...area,
    ...adjusted,
    ...traded,
    ...lot('Sale lot number'),
    customer: text('Customer'),
  }),
  logType('farm_birth', ['Birth record', 'Birth records'], {
    asset: assets('Children'),
    ...place,
    ...moved,
    ...grouped,
    ...adjusted,
    mother: asset('Mother'),
  }),
  logType('farm_medical', ['Medical record', 'Medical records'], {
    asset: assets('Animals'),
    ...moved,
    ...measured,
    ...adjusted,
    vet: text('Veterinarian'),
  }),
  logType('farm_activity', ['Activity', 'Activities'], {
    ...asked,
    ...place,
    ...moved,
    ...grouped,
    ...measured,
    ...adjusted,
  }),
  logType('farm_harvest', ['Harvest', 'Harvests'], {
    ...asked,
    ...place,
    ...moved,
    ...measured,
    ...adjusted,
    ...lot('Harvest lot number'),
  }),
  logType('farm_input', ['Input', 'Inputs'], {
    ...asked,
    ...place,
    ...moved,
    ...measured,
    ...adjusted,
    ...lot('Input lot number'),
    date_purchase: date('Date purchased'),
    input_method: text('Application method'),
    input_purpose: text('Purpose'),
    input_source: text('Source/manufacturer'),
    material: terms('Materials'),
  }),
  logType('farm_observation', ['Observation', 'Observations'], {
    ...asked,
    ...place,
    ...moved,
    ...grouped,
    ...measured,
    ...adjusted,
  }),
  logType('farm_soil_test', ['Soil test', 'Soil tests'], {
    ...asked,
    ...sample,
    ...measured,
    soil_lab: text('Laboratory'),
    soil_names: terms('Soil Names'),
  }),
  logType('farm_water_test', ['Water test', 'Water test'], {
    ...asked,
    ...sample,
    ...measured,
    water_lab: text('Laboratory'),
  }),
]
