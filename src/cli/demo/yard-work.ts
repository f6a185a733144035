import { samplePoints } from './areas.ts'
import { Book, measured } from './book.ts'
import { type Calendar, dayOf, everyDays, monthOf, onWorkday } from './calendar.ts'
import type { Dice } from './dice.ts'
import { point } from './ground.ts'
import { photo } from './photos.ts'
import type { Planned } from './planned.ts'
import { arable } from './plantings.ts'
import { machines, sensors, windrows } from './yard.ts'

const waters = ['Mill Pond', 'Willow Brook', 'Well']
const laboratory = 'Cantonal laboratory'

/** Machines, compost, hay, soil, water and readings. */
export function planYardWork(seed: number, calendar: Calendar): readonly Planned[] {
  const book = new Book(calendar, seed, 'yard work')
  return [
    ...upkeep(book),
    ...compost(book),
    ...haymaking(book),
    ...readings(book),
    ...soilTests(book),
    ...waterTests(book),
  ]
}

function upkeep(book: Book): readonly Planned[] {
  const { firstDay, horizon } = book.calendar
  return machines.flatMap(({ name, place, upkeep }, index) => {
    const housed = book.happened('activity', { day: firstDay, hours: [11, 12] }, (to) => ({
      name: `${name} to ${place}`,
      asset: [to(name)],
      movement: { area: [to(place)] },
      log_category: [{ name: 'Equipment' }],
    }))
    const done = upkeep.flatMap(
      ({ what, everyDays: days, months: [from, until] = [1, 12], francs: [least, most] }, which) =>
        [...everyDays(days, firstDay + 12 + index * 9 + which * 25, horizon)].flatMap((day) => {
          if (monthOf(day) < from || monthOf(day) > until) return []
          const cost = book.dice.between(least, most)
          const images = book.dice.chance(0.06) ? { images: [photo(book.dice)] } : {}
          return book.work('maintenance', { day, hours: [13, 17] }, (to) => ({
            name: what,
            asset: [to(name)],
            quantity: cost === 0 ? [] : [{ ...measured('value', cost, 'CHF'), label: 'Cost' }],
            log_category: [{ name: 'Equipment' }],
            ...images,
          }))
        }),
    )
    return [...housed, ...done]
  })
}

/** In cubic metres: filled from the barn, turned, spread by hand on the beds and in autumn on a field. */
function compost(book: Book): readonly Planned[] {
  const { firstDay, horizon, years } = book.calendar
  const log_category = [{ name: 'Compost' }]
  return windrows.flatMap((name, index) => {
    const begun = book.happened('activity', { day: firstDay + index, hours: [13, 16] }, (to) => ({
      name: `Set up ${name}`,
      asset: [to(name)],
      movement: { area: [to('Compost Yard')], geometry: point([406 + index * 6, 236]) },
      inventory: [{ asset: to(name), value: '24' }],
      log_category,
    }))
    const turned = [...everyDays(49, firstDay + 20 + index * 5, horizon)].flatMap((day) => {
      const added = String(book.dice.between(1, 3))
      const warmth = book.dice.between(44, 64)
      return book.work('activity', { day, hours: [10, 12] }, (to) => ({
        name: `Turn ${name}, with manure from the barn`,
        asset: [to(name)],
        equipment: [to('Tractor')],
        inventory: [{ asset: to(name), value: added }],
        quantity: [{ ...measured('temperature', warmth, '°C'), label: 'Core' }],
        log_category,
      }))
    })
    const spread = years.flatMap((year) => {
      const field = arable[(index + year) % arable.length] ?? arable[0]
      const volume = book.dice.between(6, 9)
      return book.work('input', { day: dayOf(year, 11, 3 + index), hours: [9, 15] }, (to) => ({
        name: `Spread ${name} on ${field}`,
        area: [to(field)],
        equipment: [to('Tractor'), to('Trailer')],
        material: [{ name: 'Compost' }],
        input_purpose: 'Feeding',
        inventory: [{ asset: to(name), value: String(-volume) }],
        quantity: [measured('volume', volume, 'm³')],
        log_category,
      }))
    })
    return [...begun, ...turned, ...spread]
  })
}

/** Mown in June, and dry three days later. */
function haymaking(book: Book): readonly Planned[] {
  const place = 'Long Meadow'
  return book.calendar.years.flatMap((year) => {
    const day = dayOf(year, 6, 8) + book.dice.between(0, 9)
    const bales = book.dice.between(34, 42)
    const mown = book.work('activity', { day, hours: [9, 11.5] }, (to) => ({
      name: 'Mow Long Meadow',
      area: [to(place)],
      equipment: [to('Tractor'), to('Mower')],
    }))
    const baled = book.work('harvest', { day: day + 3, hours: [14, 18] }, (to) => ({
      name: 'Bale the hay of Long Meadow',
      area: [to(place)],
      equipment: [to('Tractor'), to('Baler')],
      quantity: [measured('count', bales, 'bales')],
    }))
    return [...mown, ...baled]
  })
}

/** What the weather of a month is like in the tunnel, in the soil and in the gauge. */
const tunnelWarmth = [2, 4, 9, 13, 17, 21, 23, 22, 18, 12, 7, 3]
const soilMoisture = [36, 35, 33, 30, 27, 23, 20, 20, 24, 29, 33, 35]
const fortnightsRain = [16, 15, 17, 20, 28, 32, 30, 30, 22, 18, 18, 18]

function readingOf(sensor: string, day: number, dice: Dice) {
  const usual = (table: readonly number[]): number => table[monthOf(day) - 1] ?? 0
  if (sensor === 'Rain gauge') return measured('length', dice.between(0, usual(fortnightsRain) * 2), 'mm')
  if (sensor === 'Tunnel thermometer')
    return measured('temperature', dice.tenths(usual(tunnelWarmth) - 3, usual(tunnelWarmth) + 3), '°C')
  return measured('water_content', dice.tenths(usual(soilMoisture) - 4, usual(soilMoisture) + 4), '%')
}

function readings(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  const log_category = [{ name: 'Sensors' }]
  return sensors.flatMap(({ name, place }, index) => [
    ...book.happened('activity', { day: firstDay, hours: [15, 17] }, (to) => ({
      name: `${name} to ${place}`,
      asset: [to(name)],
      movement: { area: [to(place)] },
      log_category,
    })),
    ...[...everyDays(14, firstDay + index + 1, today)].flatMap((day) => {
      const reading = readingOf(name, day, book.dice)
      return book.happened('observation', { day, hours: [7, 8.5] }, (to) => ({
        name: `${name}: reading`,
        asset: [to(name)],
        quantity: [reading],
        log_category,
      }))
    }),
  ])
}

function soilTests(book: Book): readonly Planned[] {
  return book.calendar.years.flatMap((year) =>
    Object.entries(samplePoints).flatMap(([field, [east, north]], index) => {
      const acidity = book.dice.tenths(5.8, 7.1)
      const report = Buffer.from(`Soil test of ${field}, ${year}\npH ${acidity}\n`).toString('base64')
      return book.happened('soilTest', { day: onWorkday(dayOf(year, 3, 5 + index)), hours: [10, 12] }, (to) => ({
        name: `Soil test of ${field}`,
        area: [to(field)],
        geofield: [{ geom: point([east - 20, north]) }, { geom: point([east + 20, north + 12]) }],
        soil_lab: laboratory,
        soil_names: [{ name: soils[field] ?? 'Brown earth' }],
        quantity: [{ measure: 'ratio', value: acidity, label: 'pH' }],
        files: [`data:text/plain;base64,${report}`],
        log_category: [{ name: 'Soil' }],
      }))
    }),
  )
}

const soils: Readonly<Record<string, string>> = {
  'River Field': 'Gley',
  'Long Meadow': 'Gley',
  'Hill Field': 'Rendzina',
}

function waterTests(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  return waters.flatMap((place) =>
    [...everyDays(91, firstDay + 30, today)].flatMap((day) => {
      const nitrate = book.dice.between(4, 24)
      return book.happened('waterTest', { day: onWorkday(day), hours: [9, 11] }, (to) => ({
        name: `Water test of ${place}`,
        area: [to(place)],
        water_lab: laboratory,
        quantity: [{ ...measured('ratio', nitrate, 'mg/l'), label: 'Nitrate' }],
        log_category: [{ name: 'Water' }],
      }))
    }),
  )
}
