import { firstDay } from './calendar.ts'
import { type Planned, planAsset } from './planned.ts'

interface Machine {
  readonly name: string
  readonly manufacturer: string
  readonly model: string
}

export const machines: readonly Machine[] = [
  { name: 'Tractor', manufacturer: 'Alpenstier', model: 'A 75' },
  { name: 'Old tractor', manufacturer: 'Hoflader', model: 'Diesel 28' },
  { name: 'Plough', manufacturer: 'Furche & Sohn', model: 'Two-share' },
  { name: 'Harrow', manufacturer: 'Furche & Sohn', model: 'Spring tine' },
  { name: 'Seed drill', manufacturer: 'Saatgut', model: 'D 12' },
  { name: 'Mower', manufacturer: 'Wiesenkamm', model: 'Bar 2.1' },
  { name: 'Baler', manufacturer: 'Wiesenkamm', model: 'Round 120' },
  { name: 'Trailer', manufacturer: 'Hoflader', model: 'Tipper 6 t' },
  { name: 'Milking machine', manufacturer: 'Weissbach', model: 'Four clusters' },
  { name: 'Irrigation pump', manufacturer: 'Quellwerk', model: 'P 15' },
  { name: 'Wheel hoe', manufacturer: 'Handwerk', model: 'Single wheel' },
  { name: 'Broadfork', manufacturer: 'Handwerk', model: 'Seven tines' },
]

export const windrows: readonly string[] = ['Windrow 1', 'Windrow 2', 'Windrow 3', 'Windrow 4']
export const sensors: readonly string[] = ['Tunnel thermometer', 'Soil probe North', 'Soil probe South', 'Rain gauge']
const groups: readonly string[] = ['Dairy herd', 'Young stock', 'Ewes', 'Lambs', 'Laying hens', 'Pigs']

/** What stands in the yard, and the groups that the animals are kept in. */
export const planYard = (): readonly Planned[] => [
  ...groups.map((name) => planAsset({ key: name, at: firstDay, type: 'group' }, () => ({ name }))),
  ...machines.map(({ name, manufacturer, model }, index) =>
    planAsset({ key: name, at: firstDay, type: 'equipment' }, () => ({
      name,
      manufacturer,
      model,
      serial_number: `${model.slice(0, 1)}${index + 1}-${1970 + index * 4}`,
      flags: name === 'Old tractor' ? ['review'] : [],
    })),
  ),
  ...windrows.map((name) =>
    planAsset({ key: name, at: firstDay, type: 'compost' }, () => ({
      name,
      description: { value: 'Manure, straw and garden waste, turned by the front loader.', format: 'farm_format' },
    })),
  ),
  ...sensors.map((name) =>
    planAsset({ key: name, at: firstDay, type: 'sensor' }, () => ({ name, sensor_type: 'listener' })),
  ),
]
