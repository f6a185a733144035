import { day } from './calendar.ts'
import { Dice } from './dice.ts'
import { measured, planLog } from './log-words.ts'
import { photo } from './photos.ts'
import type { Planned } from './planned.ts'
import type { Planting } from './plantings.ts'

const category = [{ name: 'Plantings' }]

/** A planting's year: sown, planted out, weeded, fed, looked at, harvested and cleared. */
export function planGardenWork(seed: number, plantings: readonly Planting[]): readonly Planned[] {
  const dice = new Dice(seed, 'garden work')
  return plantings.flatMap((planting) => [
    ...establishment(planting, dice),
    ...care(planting, dice),
    ...observations(planting, dice),
    ...harvests(planting, dice),
    planLog('activity', planting.cleared, (to) => ({
      name: `Cleared ${planting.crop.name} from ${planting.place}`,
      asset: [to(planting.key)],
      area: [to(planting.place)],
      log_category: [{ name: 'Tillage' }],
    })),
  ])
}

function establishment({ key, crop, year, place, sown }: Planting, dice: Dice): Planned[] {
  const lot = `${crop.name.slice(0, 3).toUpperCase()}-${year}-${dice.between(100, 999)}`
  const source = dice.pick(['Green Valley Seeds', 'Our own seed', 'Hollin & Daughter'])
  const seeds = dice.between(4, 60) * 25
  const seeding = planLog('seeding', sown, (to) => ({
    name: `Sowed ${crop.name}`,
    asset: [to(key)],
    movement: { area: [to(crop.nursery === undefined ? place : 'Seedling House')] },
    quantity: [measured('count', seeds, 'seeds')],
    seed_source: source,
    lot_number: lot,
    log_category: category,
  }))
  if (crop.nursery === undefined) return [seeding]
  const plants = Math.round(seeds * 0.85)
  const transplanting = planLog('transplanting', sown + crop.nursery * day, (to) => ({
    name: `Planted out ${crop.name}`,
    asset: [to(key)],
    movement: { area: [to(place)] },
    quantity: [measured('count', plants, 'plants')],
    log_category: category,
  }))
  return [seeding, transplanting]
}

function care({ key, crop, place, sown }: Planting, dice: Dice): Planned[] {
  const weedings = [24, 45].map((days) =>
    planLog('activity', sown + (days + dice.between(0, 5)) * day, (to) => ({
      name: `Weeded ${crop.name}`,
      asset: [to(key)],
      area: [to(place)],
      equipment: [to('Wheel hoe')],
      quantity: [{ ...measured('time', dice.tenths(0.5, 4), 'hours'), label: 'Labour' }],
      log_category: category,
    })),
  )
  const bought = sown - dice.between(5, 60) * day
  const feeding = planLog('input', sown + dice.between(10, 30) * day, (to) => ({
    name: `Fed ${crop.name} with compost`,
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: 'Compost' }],
    input_method: 'Spread by hand',
    input_purpose: 'Feeding',
    input_source: 'Compost Yard',
    inventory: [{ asset: to(`Windrow ${dice.between(1, 4)}`), value: `-${dice.between(2, 9)}` }],
    quantity: [measured('weight', dice.between(20, 200), 'kg')],
  }))
  const guarding = planLog('input', sown + dice.between(30, 50) * day, (to) => ({
    name: `Covered ${crop.name} against pests`,
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: dice.pick(['Insect netting', 'Neem oil', 'Straw mulch']) }],
    input_purpose: 'Plant protection',
    date_purchase: bought,
    lot_number: `IN${dice.between(1000, 9999)}`,
    quantity: [measured('area', dice.between(20, 90), 'm²')],
  }))
  return [...weedings, feeding, guarding]
}

const remarks = [
  'Even stand, good colour.',
  'Some flea beetle on the edge of the bed.',
  'Dry at the surface, damp below.',
  'A few gaps, to be filled.',
  'Hail left marks, nothing serious.',
  'Slugs after the rain.',
] as const

function observations({ key, crop, place, sown }: Planting, dice: Dice): Planned[] {
  return [12, 32, 52].map((days) => {
    const remark = dice.pick(remarks)
    const images = dice.chance(0.08) ? { images: [photo(dice)] } : {}
    const height = dice.between(days / 2, days)
    return planLog('observation', sown + (days + dice.between(0, 4)) * day, (to) => ({
      name: `Looked at ${crop.name}`,
      asset: [to(key)],
      area: [to(place)],
      notes: { value: remark, format: 'farm_format' },
      flags: remark.includes('Slugs') ? ['monitor'] : [],
      quantity: [
        { ...measured('length', height, 'cm'), label: 'Height' },
        { measure: 'rating', value: String(dice.between(1, 5)) },
      ],
      ...images,
    }))
  })
}

function harvests({ key, crop, place, sown }: Planting, dice: Dice): Planned[] {
  return Array.from({ length: crop.picks }, (_, pick) => {
    const at = sown + (crop.maturity + pick * 8 + dice.between(0, 2)) * day
    const amount = crop.where === 'field' ? dice.between(400, 2400) : dice.between(6, 70)
    const measure = crop.unit === 'kg' ? 'weight' : 'count'
    return planLog('harvest', at, (to) => ({
      name: `Harvested ${crop.name}`,
      asset: [to(key)],
      area: [to(place)],
      quantity: [measured(measure, amount, crop.unit)],
      lot_number: `${crop.name.slice(0, 3).toUpperCase()}${String(at).slice(2, 7)}`,
      log_category: category,
    }))
  })
}
