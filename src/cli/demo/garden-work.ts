import { Book, measured } from './book.ts'
import { type Calendar, monthOf, yearOf } from './calendar.ts'
import type { Crop } from './crops.ts'
import { photo } from './photos.ts'
import type { Planned } from './planned.ts'
import type { Planting } from './plantings.ts'

const category = [{ name: 'Plantings' }]
const tillage = [{ name: 'Tillage' }]

/** How a crop is called in the middle of a sentence. */
const wordFor = ({ name }: Crop): string => name.toLowerCase()

/** A planting's year: sown, planted out, weeded, fed, looked at, harvested and cleared. */
export function planGardenWork(seed: number, calendar: Calendar, plantings: readonly Planting[]): readonly Planned[] {
  const book = new Book(calendar, seed, 'garden work')
  return plantings.flatMap((planting) => [
    ...preparation(planting, book),
    ...establishment(planting, book),
    ...(planting.crop.where === 'field' ? fieldCare(planting, book) : bedCare(planting, book)),
    ...observations(planting, book),
    ...harvests(planting, book),
    ...clearing(planting, book),
  ])
}

function preparation({ crop, place, inPlace }: Planting, book: Book): readonly Planned[] {
  if (crop.where !== 'field') {
    return book.work('activity', { day: inPlace - 6, hours: [8, 11] }, (to) => ({
      name: `Loosen ${place} for ${wordFor(crop)}`,
      area: [to(place)],
      equipment: [to('Broadfork')],
      log_category: tillage,
    }))
  }
  const till = (before: number, what: string, tool: string) =>
    book.work('activity', { day: inPlace - before, hours: [8, 16] }, (to) => ({
      name: `${what} ${place} for ${wordFor(crop)}`,
      area: [to(place)],
      equipment: [to('Tractor'), to(tool)],
      log_category: tillage,
    }))
  return [...till(16, 'Plough', 'Plough'), ...till(4, 'Harrow', 'Harrow')]
}

function sowingOf(crop: Crop): string {
  if (crop.name === 'Potato') return 'Plant potatoes'
  return crop.name === 'Onion' ? 'Plant onion sets' : `Sow ${wordFor(crop)}`
}

const drilled: readonly string[] = ['Clover ley', 'Maize', 'Spring barley']

function establishment({ key, crop, year, place, sown, inPlace }: Planting, book: Book): readonly Planned[] {
  const { dice } = book
  const [least, most, unit] = crop.sown
  const amount = dice.between(least, most)
  const isDrilled = drilled.includes(crop.name)
  const source = dice.pick(['Green Valley Seeds', 'Our own seed', 'Hollin & Daughter'])
  const lot = `${crop.name.slice(0, 3).toUpperCase()}-${year}-${dice.between(100, 999)}`
  const seeding = book.work('seeding', { day: sown, hours: [8, 11.5] }, (to) => ({
    name: sowingOf(crop),
    asset: [to(key)],
    movement: { area: [to(crop.nursery === undefined ? place : 'Seedling House')] },
    quantity: [measured(unit === 'seeds' ? 'count' : 'weight', amount, unit)],
    equipment: isDrilled ? [to('Tractor'), to('Seed drill')] : [],
    seed_source: source,
    lot_number: lot,
    log_category: category,
  }))
  if (crop.nursery === undefined) return seeding
  const plants = Math.round((amount * dice.between(84, 93)) / 100)
  const transplanting = book.work('transplanting', { day: inPlace, hours: [14, 17.5] }, (to) => ({
    name: `Plant out ${wordFor(crop)}`,
    asset: [to(key)],
    movement: { area: [to(place)] },
    quantity: [measured('count', plants, 'plants')],
    log_category: category,
  }))
  return [...seeding, ...transplanting]
}

function bedCare({ key, crop, place, inPlace }: Planting, book: Book): readonly Planned[] {
  const { dice } = book
  const isGarden = crop.where === 'garden'
  const weedings = (isGarden ? [20, 38] : [24]).flatMap((days) => {
    const hours = dice.tenths(isGarden ? 1.5 : 0.5, isGarden ? 4 : 1.5)
    return book.work('activity', { day: inPlace + days + dice.between(0, 4), hours: [7, 11] }, (to) => ({
      name: `Weed ${wordFor(crop)}`,
      asset: [to(key)],
      area: [to(place)],
      equipment: isGarden ? [to('Wheel hoe')] : [],
      quantity: [{ ...measured('time', hours, 'hours'), label: 'Labour' }],
      log_category: category,
    }))
  })
  const kilograms = isGarden ? dice.between(12, 18) * 50 : dice.between(3, 5) * 50
  const windrow = `Windrow ${dice.between(1, 4)}`
  const feeding = book.work('input', { day: inPlace - 3, hours: [13, 17] }, (to) => ({
    name: `Compost for ${wordFor(crop)}`,
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: 'Compost' }],
    input_method: 'Spread by hand',
    input_purpose: 'Feeding',
    input_source: 'Compost Yard',
    inventory: [{ asset: to(windrow), value: isGarden ? '-1' : '-0.3' }],
    quantity: [measured('weight', kilograms, 'kg')],
  }))
  return [...feeding, ...weedings, ...covering({ key, crop, place, inPlace }, book)]
}

type Covered = Pick<Planting, 'key' | 'crop' | 'place' | 'inPlace'>

function covering({ key, crop, place, inPlace }: Covered, book: Book): readonly Planned[] {
  const { covered } = crop
  if (covered === undefined) return []
  const lot = `IN${book.dice.between(1000, 9999)}`
  const purpose = covered === 'Straw mulch' ? 'Keeping moisture' : 'Plant protection'
  return book.work('input', { day: inPlace + book.dice.between(2, 6), hours: [15, 18] }, (to) => ({
    name: covered === 'Straw mulch' ? `Mulch ${wordFor(crop)} with straw` : `Cover ${wordFor(crop)} with netting`,
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: covered }],
    input_purpose: purpose,
    lot_number: lot,
    quantity: [measured('area', crop.where === 'garden' ? 260 : 64, 'm²')],
  }))
}

/** What is drilled closes its rows by itself; potatoes, pumpkins and maize are hoed. */
function fieldCare({ key, crop, place, inPlace }: Planting, book: Book): readonly Planned[] {
  if (crop.name === 'Clover ley' || crop.name === 'Spring barley') return []
  return [18, 34].flatMap((days) =>
    book.work('activity', { day: inPlace + days + book.dice.between(0, 4), hours: [9, 16] }, (to) => ({
      name: crop.name === 'Potato' ? 'Earth up the potatoes' : `Hoe ${wordFor(crop)}`,
      asset: [to(key)],
      area: [to(place)],
      equipment: [to('Old tractor'), to('Row hoe')],
      log_category: category,
    })),
  )
}

const remarks = {
  garden: [
    'Even stand, good colour.',
    'A few gaps, to be filled.',
    'Slugs after the rain.',
    'Dry at the surface, damp below.',
  ],
  tunnel: ['Even stand, good colour.', 'Some aphids, ladybirds among them.', 'Leaves dry, air them earlier.'],
  field: [
    'Even stand, good colour.',
    'Thin at the headland.',
    'Dry at the surface, damp below.',
    'Deer at the edge of the wood.',
  ],
} as const

function observations({ key, crop, place, inPlace, sown }: Planting, book: Book): readonly Planned[] {
  const { dice } = book
  const growth = crop.maturity - (inPlace - sown)
  return [0.25, 0.5, 0.8].flatMap((share) => {
    const remark = dice.pick(remarks[crop.where])
    const images = dice.chance(0.08) ? { images: [photo(dice)] } : {}
    const age = (inPlace - sown + growth * share) / crop.maturity
    const height = Math.max(2, Math.round(crop.height * age ** 1.4 * (dice.between(85, 115) / 100)))
    const rating = remark === 'Even stand, good colour.' ? dice.between(4, 5) : dice.between(2, 4)
    const day = inPlace + Math.round(growth * share) + dice.between(0, 3)
    return book.happened('observation', { day, hours: [17, 19.5] }, (to) => ({
      name: `Check ${wordFor(crop)}`,
      asset: [to(key)],
      area: [to(place)],
      notes: { value: remark, format: 'farm_format' },
      flags: remark.includes('Slugs') ? ['monitor'] : [],
      quantity: [
        { ...measured('length', height, 'cm'), label: 'Height' },
        { measure: 'rating', value: String(rating), label: 'Condition' },
      ],
      ...images,
    }))
  })
}

function harvests({ key, crop, place, sown }: Planting, book: Book): readonly Planned[] {
  const { dice } = book
  const [least, most, unit] = crop.yields
  const measure = unit === 'kg' || unit === 't' ? 'weight' : 'count'
  return Array.from({ length: crop.picks }, (_, pick) => pick).flatMap((pick) => {
    const day = sown + crop.maturity + pick * crop.between + dice.between(0, 2)
    const amount = dice.between(least, most)
    const code = `${crop.name.slice(0, 3).toUpperCase()}-${yearOf(day)}-${String(monthOf(day)).padStart(2, '0')}-${pick + 1}`
    return book.work('harvest', { day, hours: harvestHours(crop, day) }, (to) => ({
      name: crop.name === 'Clover ley' ? `Cut ${pick + 1} of the clover ley` : `Harvest ${wordFor(crop)}`,
      asset: [to(key)],
      area: [to(place)],
      quantity: [measured(measure, amount, unit)],
      lot_number: code,
      log_category: category,
    }))
  })
}

/** Vegetables in the cool of the morning, fields when the dew is gone. */
function harvestHours({ where }: Crop, day: number): readonly [number, number] {
  if (where === 'field') return [11, 17.5]
  return monthOf(day) >= 4 && monthOf(day) <= 9 ? [6, 9.5] : [8.5, 11.5]
}

function clearing({ key, crop, place, cleared }: Planting, book: Book): readonly Planned[] {
  return book.work('activity', { day: cleared, hours: [13, 17] }, (to) => ({
    name: `${crop.where === 'field' ? 'Work in what is left of' : 'Clear'} ${wordFor(crop)} on ${place}`,
    asset: [to(key)],
    area: [to(place)],
    equipment: crop.where === 'field' ? [to('Tractor'), to('Harrow')] : [],
    log_category: tillage,
  }))
}
