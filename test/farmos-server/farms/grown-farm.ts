import type { Farm } from '../data/farm.ts'
import { addAsset, addFile, addLog, addTerm, day } from './adding.ts'
import { withBeehives } from './beehives.ts'
import { hillFarm } from './hill-farm.ts'

/** The same numbers every time. */
function dice(seed = 7): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % sides
  }
}

interface Stock {
  readonly areas: readonly number[]
  readonly plantings: readonly number[]
  readonly animals: readonly number[]
  readonly units: readonly number[]
  readonly hives: readonly number[]
}

/** The Hill Farm after years: so many logs, a module of its own, a photo at every fiftieth log. */
export function grownFarm(logs: number): Farm {
  const farm = hillFarm()
  const { hive } = withBeehives(farm)
  const stock = stockOf(farm, hive, Math.ceil(logs / 25))
  const roll = dice()
  for (let id = farm.logs.length + 1; id <= logs; id += 1) oneLog(farm, id, { roll, stock })
  return farm
}

function stockOf(farm: Farm, hive: number, size: number): Stock {
  const named = (vocabulary: string) => farm.terms.filter(({ bundle }) => bundle === vocabulary).map(({ id }) => id)
  const [crop = 0] = named('farm_crops')
  const [species = 0] = named('farm_animal_types')
  const block = addTerm(farm, 'Block', { bundle: 'farm_areas', values: { area_type: 'property' } })
  const areas: number[] = []
  for (let nth = 1; nth <= Math.ceil(size / 4); nth += 1) {
    const parent = nth % 5 === 0 ? areas.at(-1) : block
    const x = 7 + nth / 1000
    areas.push(
      addTerm(farm, `Field ${nth}`, {
        bundle: 'farm_areas',
        parents: parent === undefined ? [] : [parent],
        values: { area_type: 'field', geofield: [`POLYGON ((${x} 51, ${x} 51.001, ${x + 0.001} 51.001, ${x} 51))`] },
      }),
    )
  }
  const plantings = Array.from({ length: size }, (_, nth) =>
    addAsset(farm, `Planting ${nth + 1}`, { bundle: 'planting', values: { crop: [crop] } }),
  )
  const animals = Array.from({ length: Math.ceil(size / 2) }, (_, nth) =>
    addAsset(farm, `Animal ${nth + 1}`, {
      bundle: 'animal',
      values: { animal_type: species, animal_tag: [{ id: `T${nth}`, location: 'Left', type: 'Ear tag' }] },
    }),
  )
  return { areas, plantings, animals, units: named('farm_quantity_units'), hives: [hive] }
}

interface Source {
  readonly roll: (sides: number) => number
  readonly stock: Stock
}

function oneLog(farm: Farm, id: number, { roll, stock }: Source): void {
  const one = (all: readonly number[]): number => all[roll(all.length)] ?? 0
  const common =
    id % 50 === 0
      ? { images: [addFile(farm, `photo-${id}.png`, { place: id % 100 === 0 ? 'private' : 'public' })] }
      : {}
  const kinds = [
    [
      'farm_harvest',
      { asset: [one(stock.plantings)], area: [one(stock.areas)], quantity: [amount(roll, one(stock.units))] },
    ],
    ['farm_seeding', { asset: [one(stock.plantings)], movement: { area: [one(stock.areas)] } }],
    ['farm_activity', { asset: [one(stock.animals), one(stock.animals)], movement: { area: [one(stock.areas)] } }],
    [
      'farm_observation',
      { area: [one(stock.areas), one(stock.areas)], notes: `Seen & noted ${id}\nhttps://hill.example/${id}` },
    ],
    ['farm_medical', { asset: [one(stock.animals)], vet: 'Dr. Ohm' }],
    [
      'farm_hive_inspection',
      { asset: stock.hives, temper: 'calm', honey_share: { numerator: String(roll(9)), denominator: '8' } },
    ],
  ] as const
  const [bundle, values] = kinds[roll(kinds.length)] ?? kinds[0]
  addLog(farm, `${bundle} ${id}`, {
    id,
    bundle,
    author: 3 + roll(2),
    timestamp: day('2016-01-01') + id * 7200 + roll(7200),
    done: roll(10) > 0,
    values: { ...common, ...values },
  })
}

const amount = (roll: Source['roll'], unit: number) => ({ measure: 'weight', value: `${roll(100)}.${roll(10)}`, unit })
