import { day, everyDays, firstDay, lastDay, morningOf, seasons } from './calendar.ts'
import { Dice } from './dice.ts'
import { point } from './ground.ts'
import { measured, planLog } from './log-words.ts'
import { photo } from './photos.ts'
import type { Planned } from './planned.ts'
import { machines, sensors, windrows } from './yard.ts'

const fields = ['North Field', 'South Field', 'Hill Field', 'River Field', 'Market Garden', 'Orchard']
const waters = ['Mill Pond', 'Willow Brook', 'Well']

/** Machines, compost, soil, water, readings, and what is still to be done. */
export function planYardWork(seed: number): readonly Planned[] {
  const dice = new Dice(seed, 'yard work')
  return [...maintenance(dice), ...compost(dice), ...readings(dice), ...tests(dice), ...tasks(dice)]
}

function maintenance(dice: Dice): Planned[] {
  return machines.flatMap(({ name }, index) => [
    planLog('activity', firstDay, (to) => ({
      name: `${name} in place`,
      asset: [to(name)],
      movement: { area: [to('Workshop')] },
    })),
    ...[...everyDays(60, firstDay + (index * 4 + 5) * day, lastDay)].map((at) => {
      const work = dice.pick(['Greased', 'Changed the oil of', 'Sharpened', 'Cleaned', 'Checked'])
      const images = dice.chance(0.06) ? { images: [photo(dice)] } : {}
      return planLog('maintenance', at, (to) => ({
        name: `${work} the ${name.toLowerCase()}`,
        asset: [to(name)],
        quantity: [{ ...measured('value', dice.between(0, 120), 'CHF'), label: 'Cost' }],
        ...images,
      }))
    }),
  ])
}

function compost(dice: Dice): Planned[] {
  return windrows.flatMap((name, index) => [
    planLog('activity', firstDay + index * day, (to) => ({
      name: `Set up ${name}`,
      asset: [to(name)],
      movement: { area: [to('Compost Yard')], geometry: point([406 + index * 6, 236]) },
      inventory: [{ asset: to(name), value: '400' }],
      log_category: [{ name: 'Compost' }],
    })),
    ...[...everyDays(35, firstDay + (20 + index * 5) * day, lastDay)].map((at) =>
      planLog('activity', at, (to) => ({
        name: `Turned ${name}`,
        asset: [to(name)],
        equipment: [to('Tractor')],
        inventory: [{ asset: to(name), value: String(dice.between(1, 6) * 5) }],
        quantity: [measured('temperature', dice.between(42, 66), '°C')],
        log_category: [{ name: 'Compost' }],
      })),
    ),
  ])
}

function readings(dice: Dice): Planned[] {
  return sensors.flatMap((name, index) =>
    [...everyDays(14, firstDay + (index + 1) * day, lastDay)].map((at) =>
      planLog('observation', at, (to) => ({
        name: `Reading of the ${name.toLowerCase()}`,
        asset: [to(name)],
        quantity: [
          name === 'Rain gauge'
            ? measured('length', dice.between(0, 38), 'mm')
            : name === 'Tunnel thermometer'
              ? measured('temperature', dice.tenths(4, 34), '°C')
              : measured('water_content', dice.tenths(8, 38), '%'),
        ],
        log_category: [{ name: 'Sensors' }],
      })),
    ),
  )
}

function tests(dice: Dice): Planned[] {
  const soil = seasons.flatMap((year) =>
    fields.map((field, index) => {
      const acidity = dice.tenths(5.6, 7.2)
      const report = Buffer.from(`Soil test of ${field}, ${year}\npH ${acidity}\n`).toString('base64')
      return planLog('soilTest', morningOf(year, 3, 5 + index), (to) => ({
        name: `Soil test of ${field}`,
        area: [to(field)],
        geofield: [{ geom: point([120 + index * 90, 120]) }, { geom: point([140 + index * 90, 150]) }],
        soil_lab: 'Cantonal laboratory',
        soil_names: [{ name: dice.pick(['Brown earth', 'Gley', 'Rendzina']) }],
        quantity: [{ measure: 'ratio', value: acidity, label: 'pH' }],
        files: [`data:text/plain;base64,${report}`],
        log_category: [{ name: 'Soil' }],
      }))
    }),
  )
  const water = waters.flatMap((place, index) =>
    [...everyDays(90, firstDay + (30 + index) * day, lastDay)].map((at) =>
      planLog('waterTest', at, (to) => ({
        name: `Water test of ${place}`,
        area: [to(place)],
        water_lab: 'Cantonal laboratory',
        quantity: [{ ...measured('ratio', dice.between(4, 30), 'mg/l'), label: 'Nitrate' }],
        log_category: [{ name: 'Water' }],
      })),
    ),
  )
  return [...soil, ...water]
}

const chores = [
  'Order seed',
  'Mend the fence',
  'Prune the trees',
  'Clear the ditch',
  'Service the tractor',
  'Plan the rotation',
] as const

/** The days after the book ends. */
function tasks(dice: Dice): Planned[] {
  return [...everyDays(4, lastDay + 2 * day, lastDay + 150 * day)].map((at) => {
    const chore = dice.pick(chores)
    const flags = dice.chance(0.2) ? ['priority'] : []
    return planLog('activity', at, () => ({ name: chore, flags }))
  })
}
