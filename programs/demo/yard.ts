import { dayOf, everyDays, isWithin, monthOf, onWorkday, timeOf } from './calendar.ts'
import { point } from './coordinates.ts'
import { LogBook, measurement } from './log-book.ts'
import { photo } from './photos.ts'
import { type DemoInput, type PlannedRecord, planAsset } from './planned-record.ts'
import type { SeededRandom } from './seeded-random.ts'
import { fillText, type Sensor } from './words.ts'

/** Machines, compost, hay, soil, water and readings. */
export function planYardWork(story: DemoInput): readonly PlannedRecord[] {
  const book = new LogBook(story, 'yard work')
  return [
    ...upkeep(book),
    ...compost(book),
    ...haymaking(book),
    ...readings(book),
    ...soilTests(book),
    ...waterTests(book),
  ]
}

function upkeep(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, horizon } = book.calendar
  const { machines, texts } = book.words.yard
  return machines.flatMap(({ name, place, upkeep }, index) => {
    const housed = book.happened('activity', { day: firstDay, hours: [11, 12] }, (to) => ({
      name: fillText(texts.placing, { name, place }),
      asset: [to(name)],
      movement: { area: [to(place)] },
      log_category: [{ name: 'Equipment' }],
    }))
    const done = upkeep.flatMap(({ what, everyDays: days, months = [1, 12], francs: [least, most] }, which) =>
      [...everyDays(days, firstDay + 12 + index * 9 + which * 25, horizon)].flatMap((day) => {
        if (!isWithin(months, day)) return []
        const cost = book.dice.between(least, most)
        const images = book.dice.chance(0.06) ? { images: [photo(book.dice)] } : {}
        return book.work('maintenance', { day, hours: [13, 17] }, (to) => ({
          name: what,
          asset: [to(name)],
          quantity: cost === 0 ? [] : [{ ...measurement('value', cost, 'CHF'), label: 'Cost' }],
          log_category: [{ name: 'Equipment' }],
          ...images,
        }))
      }),
    )
    return [...housed, ...done]
  })
}

/** Compost in cubic metres: filled from the barn, turned, spread by hand on the beds and in autumn on a field. */
function compost(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, horizon, years } = book.calendar
  const { windrows, place, setUp, turning, spreading } = book.words.yard.compost
  const { fields } = book.words.garden
  const log_category = [{ name: 'Compost' }]
  return windrows.flatMap((name, index) => {
    const begun = book.happened('activity', { day: firstDay + index, hours: [13, 16] }, (to) => ({
      name: fillText(setUp, { name }),
      asset: [to(name)],
      movement: { area: [to(place)], geometry: point([406 + index * 6, 236]) },
      inventory: [{ asset: to(name), value: '24' }],
      log_category,
    }))
    const turned = [...everyDays(49, firstDay + 20 + index * 5, horizon)].flatMap((day) => {
      const added = String(book.dice.between(1, 3))
      const warmth = book.dice.between(44, 64)
      return book.work('activity', { day, hours: [10, 12] }, (to) => ({
        name: fillText(turning.name, { name }),
        asset: [to(name)],
        equipment: turning.equipment.map(to),
        inventory: [{ asset: to(name), value: added }],
        quantity: [{ ...measurement('temperature', warmth, '°C'), label: 'Core' }],
        log_category,
      }))
    })
    const spread = years.flatMap((year) => {
      const field = fields[(index + year) % fields.length] ?? fields[0]
      const volume = book.dice.between(6, 9)
      return book.work('input', { day: dayOf(year, 11, 3 + index), hours: [9, 15] }, (to) => ({
        name: fillText(spreading.name, { name, field }),
        area: [to(field)],
        equipment: spreading.equipment.map(to),
        material: [{ name: 'Compost' }],
        input_purpose: 'Feeding',
        inventory: [{ asset: to(name), value: String(-volume) }],
        quantity: [measurement('volume', volume, 'm³')],
        log_category,
      }))
    })
    return [...begun, ...turned, ...spread]
  })
}

/** Mown in June, and dry three days later. */
function haymaking(book: LogBook): readonly PlannedRecord[] {
  const { place, mowing, baling } = book.words.yard.haymaking
  return book.calendar.years.flatMap((year) => {
    const day = dayOf(year, 6, 8) + book.dice.between(0, 9)
    const bales = book.dice.between(...baling.bales)
    const mown = book.work('activity', { day, hours: [9, 11.5] }, (to) => ({
      name: mowing.name,
      area: [to(place)],
      equipment: mowing.equipment.map(to),
    }))
    const baled = book.work('harvest', { day: day + 3, hours: [14, 18] }, (to) => ({
      name: baling.name,
      area: [to(place)],
      equipment: baling.equipment.map(to),
      quantity: [measurement('count', bales, 'bales')],
    }))
    return [...mown, ...baled]
  })
}

function readingOf({ measure, unit, isFine, months }: Sensor, day: number, dice: SeededRandom) {
  const [least, most] = months[monthOf(day) - 1] ?? [0, 0]
  return measurement(measure, isFine ? dice.tenths(least, most) : dice.between(least, most), unit)
}

function readings(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, today } = book.calendar
  const { sensors, texts } = book.words.yard
  const log_category = [{ name: 'Sensors' }]
  return sensors.flatMap((sensor, index) => [
    ...book.happened('activity', { day: firstDay, hours: [15, 17] }, (to) => ({
      name: fillText(texts.placing, { name: sensor.name, place: sensor.place }),
      asset: [to(sensor.name)],
      movement: { area: [to(sensor.place)] },
      log_category,
    })),
    ...[...everyDays(14, firstDay + index + 1, today)].flatMap((day) => {
      const reading = readingOf(sensor, day, book.dice)
      return book.happened('observation', { day, hours: [7, 8.5] }, (to) => ({
        name: fillText(texts.reading, { name: sensor.name }),
        asset: [to(sensor.name)],
        quantity: [reading],
        log_category,
      }))
    }),
  ])
}

function soilTests(book: LogBook): readonly PlannedRecord[] {
  const { soils, laboratory, texts } = book.words.yard
  return book.calendar.years.flatMap((year) =>
    soils.flatMap(({ place, at: [east, north], name: soil }, index) => {
      const acidity = book.dice.tenths(5.8, 7.1)
      const name = fillText(texts.soilTest, { place })
      const report = Buffer.from(`${name}, ${year}\npH ${acidity}\n`).toString('base64')
      return book.happened('soilTest', { day: onWorkday(dayOf(year, 3, 5 + index)), hours: [10, 12] }, (to) => ({
        name,
        area: [to(place)],
        geofield: [{ geom: point([east - 20, north]) }, { geom: point([east + 20, north + 12]) }],
        soil_lab: laboratory,
        soil_names: [{ name: soil }],
        quantity: [{ measure: 'ratio', value: acidity, label: 'pH' }],
        files: [`data:text/plain;base64,${report}`],
        log_category: [{ name: 'Soil' }],
      }))
    }),
  )
}

function waterTests(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, today } = book.calendar
  const { waters, laboratory, texts } = book.words.yard
  return waters.flatMap((place) =>
    [...everyDays(91, firstDay + 30, today)].flatMap((day) => {
      const nitrate = book.dice.between(4, 24)
      return book.happened('waterTest', { day: onWorkday(day), hours: [9, 11] }, (to) => ({
        name: fillText(texts.waterTest, { place }),
        area: [to(place)],
        water_lab: laboratory,
        quantity: [{ ...measurement('ratio', nitrate, 'mg/l'), label: 'Nitrate' }],
        log_category: [{ name: 'Water' }],
      }))
    }),
  )
}

/** Equipment in the yard, and the groups of the animals. */
export function planYard({ calendar, words }: DemoInput): readonly PlannedRecord[] {
  const at = timeOf(calendar.firstDay, 0)
  const { machines, compost, sensors } = words.yard
  return [
    ...words.herds.herds.map(({ group }) => planAsset({ key: group, at, type: 'group' }, () => ({ name: group }))),
    ...machines.map(({ name, manufacturer, model, serial, flags = [] }) =>
      planAsset({ key: name, at, type: 'equipment' }, () => ({
        name,
        manufacturer,
        model,
        serial_number: serial,
        flags: [...flags],
      })),
    ),
    ...compost.windrows.map((name) =>
      planAsset({ key: name, at, type: 'compost' }, () => ({
        name,
        description: { value: compost.about, format: 'farm_format' },
      })),
    ),
    ...sensors.map(({ name }) =>
      planAsset({ key: name, at, type: 'sensor' }, () => ({ name, sensor_type: 'listener' })),
    ),
  ]
}
