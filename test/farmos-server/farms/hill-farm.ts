import type { Farm } from '../data/farm.ts'
import { addAccount, addAsset, addFile, addLog, addTerm, day, newFarm } from './adding.ts'

export const manager = { name: 'hanna', password: 'hanna secret' }

const box = (x: number, y: number): string =>
  `POLYGON ((${x} ${y}, ${x} ${y + 1}, ${x + 1} ${y + 1}, ${x + 1} ${y}, ${x} ${y}))`

/** A small farm with something of everything that a farmOS has by itself; all of it in good order. */
export function hillFarm(): Farm {
  const farm = newFarm('Hill Farm')
  addAccount(farm, 'olga', { id: 2, roles: [2], created: day('2018-02-01') })
  addAccount(farm, manager.name, { id: 3, mail: 'hanna@hill.example' })
  addAccount(farm, 'willem', { id: 4, roles: [2, 4] })
  addAccount(farm, 'vera', { id: 6, roles: [2, 5] })
  addAccount(farm, 'former hand', { id: 5, roles: [2, 4], isBlocked: true })
  const words = wordsOf(farm)
  const assets = assetsOf(farm, words)
  logsOf(farm, words, assets)
  return farm
}

type Words = ReturnType<typeof wordsOf>

function wordsOf(farm: Farm) {
  const north = addTerm(farm, 'North field', {
    bundle: 'farm_areas',
    description: 'Wet in spring.\nSee https://hill.example/north & ask <b>Hanna</b>.',
    values: {
      area_type: 'field',
      geofield: [box(7, 51)],
      flags: ['monitor'],
      images: [addFile(farm, 'north.png', { place: 'public' })],
      files: [{ file: addFile(farm, 'north lease.pdf', { place: 'private' }), description: 'The lease' }],
    },
  })
  const bed = (nth: number) =>
    addTerm(farm, `Bed ${nth}`, {
      bundle: 'farm_areas',
      parents: [north],
      weight: nth,
      values: { area_type: 'bed', geofield: [`POINT(${7 + nth / 10} 51.5)`] },
    })
  const beds = [bed(1), bed(2)]
  const barn = addTerm(farm, 'Barn', { bundle: 'farm_areas', values: { area_type: 'building' } })
  const meadow = addTerm(farm, 'Höhenweide "oben"', { bundle: 'farm_areas', values: { geofield: [box(9, 51)] } })
  const kg = addTerm(farm, 'kg', { bundle: 'farm_quantity_units' })
  const crates = addTerm(farm, 'crates', { bundle: 'farm_quantity_units' })
  const family = addTerm(farm, 'Asteraceae', { bundle: 'farm_crop_families' })
  const onion = addTerm(farm, 'Onion', { bundle: 'farm_crops', values: { transplant_days: 40 } })
  const lettuce = addTerm(farm, 'Lettuce', {
    bundle: 'farm_crops',
    values: { crop_family: family, companions: [onion], maturity_days: 60 },
  })
  const cow = addTerm(farm, 'Cow', { bundle: 'farm_animal_types' })
  const season = addTerm(farm, '2019', {
    bundle: 'farm_season',
    values: { date_range: { from: day('2019-01-01'), to: day('2019-12-31') } },
  })
  const compost = addTerm(farm, 'Compost tea', { bundle: 'farm_materials' })
  const loam = addTerm(farm, 'Silt loam', { bundle: 'farm_soil_names' })
  return { north, beds, barn, meadow, kg, crates, family, onion, lettuce, cow, season, compost, loam }
}

type Assets = ReturnType<typeof assetsOf>

function assetsOf(farm: Farm, words: Words) {
  const planting = addAsset(farm, 'Lettuce 2019', {
    bundle: 'planting',
    values: {
      crop: [words.lettuce],
      season: [words.season],
      description: 'First sowing',
      images: [addFile(farm, 'lettuce.png', { place: 'public' })],
    },
  })
  const later = addAsset(farm, 'Onions & lettuce', {
    bundle: 'planting',
    author: 4,
    values: { crop: [words.onion, words.lettuce], parent: [planting] },
  })
  const herd = addAsset(farm, 'Herd', { bundle: 'group' })
  const bess = addAsset(farm, 'Bess', {
    bundle: 'animal',
    values: {
      animal_type: words.cow,
      animal_sex: 'F',
      animal_nicknames: ['Bessie', 'Old girl'],
      animal_tag: [{ id: 'DE 0123', location: 'Left', type: 'Ear tag' }, { id: '77' }],
      date: day('2015-04-01'),
      flags: ['priority', 'review'],
      data: '{"scale":"7"}',
    },
  })
  const calf = addAsset(farm, 'Calf of Bess', {
    bundle: 'animal',
    values: {
      animal_type: words.cow,
      animal_sex: 'M',
      animal_castrated: true,
      parent: [bess],
      date: day('2019-04-02'),
    },
  })
  const tractor = addAsset(farm, 'Tractor', {
    bundle: 'equipment',
    values: { manufacturer: 'Fendt', model: 'F 15', serial_number: '00017' },
  })
  const feed = addAsset(farm, 'Hay', { bundle: 'compost' })
  const sensor = addAsset(farm, 'Barn thermometer', { bundle: 'sensor', archived: day('2019-11-01') })
  return { planting, later, herd, bess, calf, tractor, feed, sensor }
}

function logsOf(farm: Farm, words: Words, assets: Assets): void {
  addLog(farm, 'Seed Lettuce 2019', {
    bundle: 'farm_seeding',
    values: {
      asset: [assets.planting],
      movement: { area: words.beds },
      quantity: [{ measure: 'count', value: '1200', label: 'seeds' }],
      seed_source: 'Bingenheimer',
      lot_number: 'L-17',
      equipment: [assets.tractor],
    },
  })
  addLog(farm, 'Transplant', {
    bundle: 'farm_transplanting',
    values: { asset: [assets.planting], movement: { area: [words.north], geometry: 'POINT(7.25 51.75)' } },
  })
  addLog(farm, 'Harvest lettuce', {
    bundle: 'farm_harvest',
    author: 4,
    values: {
      asset: [assets.planting],
      area: [words.north],
      log_owner: [3, 4],
      lot_number: 'H1',
      log_category: [1],
      quantity: [
        { measure: 'weight', value: '12.50', unit: words.kg, label: 'first cut' },
        { measure: 'count', value: '3', unit: words.crates },
        { value: '0.1' },
      ],
      images: [addFile(farm, 'harvest.png', { place: 'private' }), addFile(farm, 'crates.png', { place: 'public' })],
      files: [{ file: addFile(farm, 'Lieferschein Größe 1.txt', { place: 'public' }) }],
      notes:
        'Sunny & dry.\n2 < 3 crates left, see https://hill.example/market?a=1&b=2\n\nCall <em>Olga</em> at olga@hill.example.',
    },
  })
  addLog(farm, 'Move cows', {
    bundle: 'farm_activity',
    values: {
      asset: [assets.bess, assets.calf],
      movement: { area: [words.meadow] },
      membership: { group: [assets.herd] },
      log_category: [2],
      flags: ['monitor'],
    },
  })
  addLog(farm, 'Move cows home, planned', {
    bundle: 'farm_activity',
    done: false,
    timestamp: day('2031-10-01'),
    values: { asset: [assets.bess], movement: { area: [words.barn] } },
  })
  addLog(farm, 'Nothing to say', { bundle: 'farm_observation', values: { asset: [assets.calf], notes: '' } })
  addLog(farm, 'Feed', {
    bundle: 'farm_observation',
    values: {
      inventory: [
        { asset: assets.feed, value: '-3' },
        { asset: assets.feed, value: '10.5' },
      ],
    },
  })
  addLog(farm, 'Compost tea on North field', {
    bundle: 'farm_input',
    values: {
      area: [words.north, words.meadow],
      material: [words.compost],
      input_method: 'Spray',
      input_purpose: 'Strength',
      input_source: 'Own',
      date_purchase: day('2019-02-02'),
      quantity: [{ measure: 'volume', value: '100', unit: words.crates }],
    },
  })
  addLog(farm, 'Soil of North field', {
    bundle: 'farm_soil_test',
    values: {
      geofield: ['POINT (7.1 51.1)', 'POINT (7.2 51.2)'],
      soil_lab: 'LUFA',
      soil_names: [words.loam],
      area: [words.north],
    },
  })
  addLog(farm, 'Birth: Calf of Bess', {
    bundle: 'farm_birth',
    timestamp: day('2019-04-02'),
    values: { asset: [assets.calf], mother: assets.bess },
  })
  addLog(farm, 'Vaccination', { bundle: 'farm_medical', values: { asset: [assets.bess], vet: 'Dr. Ohm' } })
  addLog(farm, 'Oil', { bundle: 'farm_maintenance', values: { asset: [assets.tractor], area: [words.barn] } })
  addLog(farm, 'Well', {
    bundle: 'farm_water_test',
    values: { water_lab: 'LUFA', quantity: [{ measure: 'ratio', value: '7.2', label: 'pH' }] },
  })
  addLog(farm, 'Seen by a former hand', { bundle: 'farm_observation', author: 5, values: { log_owner: [5] } })
}
