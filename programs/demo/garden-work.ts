import { monthOf, yearOf } from './calendar.ts'
import { LogBook, measurement } from './log-book.ts'
import { photo } from './photos.ts'
import type { DemoInput, PlannedRecord } from './planned-record.ts'
import type { Planting } from './plantings.ts'
import { type Crop, fillText } from './words.ts'

const category = [{ name: 'Plantings' }]
const tillage = [{ name: 'Tillage' }]

/** A text about a crop, with the crop's name in lower case. */
const about = (text: string, { crop, place }: Pick<Planting, 'crop' | 'place'>): string =>
  fillText(text, { crop: crop.name.toLowerCase(), place })

/** The year of a planting: sown, planted out, weeded, fed, inspected, harvested and cleared. */
export function planGardenWork(story: DemoInput, plantings: readonly Planting[]): readonly PlannedRecord[] {
  const book = new LogBook(story, 'garden work')
  return plantings.flatMap((planting) => [
    ...preparation(planting, book),
    ...establishment(planting, book),
    ...(planting.crop.where === 'field' ? fieldCare(planting, book) : bedCare(planting, planting.crop.where, book)),
    ...observations(planting, book),
    ...harvests(planting, book),
    ...clearing(planting, book),
  ])
}

const kindOf = ({ where }: Crop) => (where === 'field' ? 'field' : 'bed')

const preparation = (planting: Planting, book: LogBook): readonly PlannedRecord[] =>
  book.words.garden.tillage[kindOf(planting.crop)].flatMap(({ name, days, hours, equipment }) =>
    book.work('activity', { day: planting.inPlace - days, hours }, (to) => ({
      name: about(name, planting),
      area: [to(planting.place)],
      equipment: equipment.map(to),
      log_category: tillage,
    })),
  )

function establishment(planting: Planting, book: LogBook): readonly PlannedRecord[] {
  const { key, crop, year, place, sown, inPlace } = planting
  const { dice } = book
  const { texts, seedSources, drill, nursery } = book.words.garden
  const [least, most, unit] = crop.sown
  const amount = dice.between(least, most)
  const source = dice.pick(seedSources)
  const lot = `${crop.name.slice(0, 3).toUpperCase()}-${year}-${dice.between(100, 999)}`
  const seeding = book.work('seeding', { day: sown, hours: [8, 11.5] }, (to) => ({
    name: about(crop.sowing ?? texts.sowing, planting),
    asset: [to(key)],
    movement: { area: [to(crop.nursery === undefined ? place : nursery)] },
    quantity: [measurement(unit === 'seeds' ? 'count' : 'weight', amount, unit)],
    equipment: crop.isDrilled ? drill.map(to) : [],
    seed_source: source,
    lot_number: lot,
    log_category: category,
  }))
  if (crop.nursery === undefined) return seeding
  const plants = Math.round((amount * dice.between(84, 93)) / 100)
  const transplanting = book.work('transplanting', { day: inPlace, hours: [14, 17.5] }, (to) => ({
    name: about(texts.plantingOut, planting),
    asset: [to(key)],
    movement: { area: [to(place)] },
    quantity: [measurement('count', plants, 'plants')],
    log_category: category,
  }))
  return [...seeding, ...transplanting]
}

function bedCare(planting: Planting, where: 'garden' | 'tunnel', book: LogBook): readonly PlannedRecord[] {
  const { key, place, inPlace } = planting
  const { dice } = book
  const { weeding, compost, texts } = book.words.garden
  const weedings = weeding[where].days.flatMap((days) => {
    const hours = dice.tenths(...weeding[where].hours)
    return book.work('activity', { day: inPlace + days + dice.between(0, 4), hours: [7, 11] }, (to) => ({
      name: about(texts.weeding, planting),
      asset: [to(key)],
      area: [to(place)],
      equipment: weeding[where].equipment.map(to),
      quantity: [{ ...measurement('time', hours, 'hours'), label: 'Labour' }],
      log_category: category,
    }))
  })
  const kilograms = dice.between(...compost[where].sacks) * 50
  const windrow = `Windrow ${dice.between(1, 4)}`
  const feeding = book.work('input', { day: inPlace - 3, hours: [13, 17] }, (to) => ({
    name: about(texts.compost, planting),
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: 'Compost' }],
    input_method: 'Spread by hand',
    input_purpose: 'Feeding',
    input_source: book.words.yard.compost.place,
    inventory: [{ asset: to(windrow), value: compost[where].taken }],
    quantity: [measurement('weight', kilograms, 'kg')],
  }))
  return [...feeding, ...weedings, ...covering(planting, where, book)]
}

function covering(planting: Planting, where: 'garden' | 'tunnel', book: LogBook): readonly PlannedRecord[] {
  const { key, place, inPlace } = planting
  const material = planting.crop.covered
  if (material === undefined) return []
  const { coverings, covered } = book.words.garden
  const { name, purpose } = coverings[material]
  const lot = `IN${book.dice.between(1000, 9999)}`
  return book.work('input', { day: inPlace + book.dice.between(2, 6), hours: [15, 18] }, (to) => ({
    name: about(name, planting),
    asset: [to(key)],
    area: [to(place)],
    material: [{ name: material }],
    input_purpose: purpose,
    lot_number: lot,
    quantity: [measurement('area', covered[where], 'm²')],
  }))
}

function fieldCare(planting: Planting, book: LogBook): readonly PlannedRecord[] {
  const { key, crop, place, inPlace } = planting
  const { hoe, texts } = book.words.garden
  if (crop.isHoed === false) return []
  return [18, 34].flatMap((days) =>
    book.work('activity', { day: inPlace + days + book.dice.between(0, 4), hours: [9, 16] }, (to) => ({
      name: about(crop.hoeing ?? texts.hoeing, planting),
      asset: [to(key)],
      area: [to(place)],
      equipment: hoe.map(to),
      log_category: category,
    })),
  )
}

function observations(planting: Planting, book: LogBook): readonly PlannedRecord[] {
  const { key, crop, place, inPlace, sown } = planting
  const { dice } = book
  const { remarks, texts } = book.words.garden
  const growth = crop.maturity - (inPlace - sown)
  return [0.25, 0.5, 0.8].flatMap((share) => {
    const remark = dice.pick(remarks[crop.where])
    const images = dice.chance(0.08) ? { images: [photo(dice)] } : {}
    const age = (inPlace - sown + growth * share) / crop.maturity
    const height = Math.max(2, Math.round(crop.height * age ** 1.4 * (dice.between(85, 115) / 100)))
    const rating = dice.between(...remark.rating)
    const day = inPlace + Math.round(growth * share) + dice.between(0, 3)
    return book.happened('observation', { day, hours: [17, 19.5] }, (to) => ({
      name: about(texts.check, planting),
      asset: [to(key)],
      area: [to(place)],
      notes: { value: remark.text, format: 'farm_format' },
      flags: [...remark.flags],
      quantity: [
        { ...measurement('length', height, 'cm'), label: 'Height' },
        { measure: 'rating', value: String(rating), label: 'Condition' },
      ],
      ...images,
    }))
  })
}

function harvests({ key, crop, place, sown }: Planting, book: LogBook): readonly PlannedRecord[] {
  const { texts } = book.words.garden
  const { dice } = book
  const [least, most, unit] = crop.yields
  const measure = unit === 'kg' || unit === 't' ? 'weight' : 'count'
  return Array.from({ length: crop.picks }, (_, pick) => pick).flatMap((pick) => {
    const day = sown + crop.maturity + pick * crop.between + dice.between(0, 2)
    const amount = dice.between(least, most)
    const code = `${crop.name.slice(0, 3).toUpperCase()}-${yearOf(day)}-${String(monthOf(day)).padStart(2, '0')}-${pick + 1}`
    return book.work('harvest', { day, hours: harvestHours(crop, day) }, (to) => ({
      name: fillText(crop.harvesting ?? texts.harvesting, { crop: crop.name.toLowerCase(), pick: pick + 1 }),
      asset: [to(key)],
      area: [to(place)],
      quantity: [measurement(measure, amount, unit)],
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

function clearing(planting: Planting, book: LogBook): readonly PlannedRecord[] {
  const { key, crop, place, cleared } = planting
  const { name, equipment } = book.words.garden.clearing[kindOf(crop)]
  return book.work('activity', { day: cleared, hours: [13, 17] }, (to) => ({
    name: about(name, planting),
    asset: [to(key)],
    area: [to(place)],
    equipment: equipment.map(to),
    log_category: tillage,
  }))
}
