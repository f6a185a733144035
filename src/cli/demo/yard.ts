import { type Calendar, timeOf } from './calendar.ts'
import { type Planned, planAsset } from './planned.ts'

/** What is done to a machine, how often, and what it costs. */
interface Upkeep {
  readonly what: string
  readonly everyDays: number
  /** Only while it is in use. */
  readonly months?: readonly [from: number, until: number]
  readonly francs: readonly [least: number, most: number]
}

interface Machine {
  readonly name: string
  readonly manufacturer: string
  readonly model: string
  readonly serial: string
  readonly place: string
  readonly upkeep: readonly Upkeep[]
}

const grease = (name: string): Upkeep => ({ what: `Grease the ${name}`, everyDays: 75, francs: [0, 12] })

export const machines: readonly Machine[] = [
  {
    name: 'Tractor',
    manufacturer: 'Alpenstier',
    model: 'A 75',
    serial: 'A75-20114',
    place: 'Workshop',
    upkeep: [
      { what: 'Change the oil of the tractor', everyDays: 182, francs: [140, 220] },
      { what: 'Clean the air filter of the tractor', everyDays: 91, francs: [0, 40] },
      grease('front loader'),
    ],
  },
  {
    name: 'Old tractor',
    manufacturer: 'Hoflader',
    model: 'Diesel 28',
    serial: 'D28-0867',
    place: 'Workshop',
    upkeep: [
      { what: 'Change the oil of the old tractor', everyDays: 300, francs: [60, 110] },
      { what: 'Charge the battery of the old tractor', everyDays: 150, francs: [0, 0] },
    ],
  },
  {
    name: 'Plough',
    manufacturer: 'Furche & Sohn',
    model: 'Two-share',
    serial: 'P2-5518',
    place: 'Workshop',
    upkeep: [{ what: 'Replace the shares of the plough', everyDays: 365, francs: [120, 190] }, grease('plough')],
  },
  {
    name: 'Harrow',
    manufacturer: 'Furche & Sohn',
    model: 'Spring tine',
    serial: 'H3-2290',
    place: 'Workshop',
    upkeep: [{ what: 'Straighten the tines of the harrow', everyDays: 200, francs: [0, 60] }],
  },
  {
    name: 'Row hoe',
    manufacturer: 'Furche & Sohn',
    model: 'Three rows',
    serial: 'R3-0148',
    place: 'Workshop',
    upkeep: [{ what: 'Sharpen the blades of the row hoe', everyDays: 365, francs: [0, 20] }],
  },
  {
    name: 'Seed drill',
    manufacturer: 'Saatgut',
    model: 'D 12',
    serial: 'D12-3301',
    place: 'Workshop',
    upkeep: [
      { what: 'Clean the seed drill', everyDays: 182, francs: [0, 0] },
      { what: 'Set the seed drill', everyDays: 365, francs: [0, 0] },
    ],
  },
  {
    name: 'Mower',
    manufacturer: 'Wiesenkamm',
    model: 'Bar 2.1',
    serial: 'B21-7742',
    place: 'Barn',
    upkeep: [{ what: 'Sharpen the knives of the mower', everyDays: 120, francs: [0, 30] }, grease('mower')],
  },
  {
    name: 'Baler',
    manufacturer: 'Wiesenkamm',
    model: 'Round 120',
    serial: 'R120-0456',
    place: 'Barn',
    upkeep: [{ what: 'Tension the belts of the baler', everyDays: 182, francs: [0, 90] }, grease('baler')],
  },
  {
    name: 'Trailer',
    manufacturer: 'Hoflader',
    model: 'Tipper 6 t',
    serial: 'T6-1987',
    place: 'Barn',
    upkeep: [{ what: 'Check the lights and tyres of the trailer', everyDays: 120, francs: [0, 45] }],
  },
  {
    name: 'Milking machine',
    manufacturer: 'Weissbach',
    model: 'Four clusters',
    serial: 'W4-20090',
    place: 'Milking Parlour',
    upkeep: [
      { what: 'Change the liners of the milking machine', everyDays: 182, francs: [160, 240] },
      { what: 'Check the vacuum of the milking machine', everyDays: 60, francs: [0, 0] },
    ],
  },
  {
    name: 'Irrigation pump',
    manufacturer: 'Quellwerk',
    model: 'P 15',
    serial: 'P15-6120',
    place: 'Mill Pond',
    upkeep: [{ what: 'Clean the strainer of the irrigation pump', everyDays: 30, months: [4, 9], francs: [0, 0] }],
  },
  {
    name: 'Wheel hoe',
    manufacturer: 'Handwerk',
    model: 'Single wheel',
    serial: 'E-77',
    place: 'Pack Shed',
    upkeep: [{ what: 'Sharpen the blade of the wheel hoe', everyDays: 91, francs: [0, 0] }],
  },
  {
    name: 'Broadfork',
    manufacturer: 'Handwerk',
    model: 'Seven tines',
    serial: 'S-12',
    place: 'Pack Shed',
    upkeep: [{ what: 'Oil the handles of the broadfork', everyDays: 365, francs: [0, 10] }],
  },
]

export const windrows: readonly string[] = ['Windrow 1', 'Windrow 2', 'Windrow 3', 'Windrow 4']

export const sensors = [
  { name: 'Tunnel thermometer', place: 'Tall Tunnel' },
  { name: 'Soil probe North', place: 'North Field' },
  { name: 'Soil probe South', place: 'South Field' },
  { name: 'Rain gauge', place: 'Farmyard' },
] as const

const groups: readonly string[] = ['Dairy herd', 'Young stock', 'Ewes', 'Lambs', 'Laying hens', 'Pigs']

/** What stands in the yard, and the groups that the animals are kept in. */
export function planYard({ firstDay }: Calendar): readonly Planned[] {
  const at = timeOf(firstDay, 0)
  return [
    ...groups.map((name) => planAsset({ key: name, at, type: 'group' }, () => ({ name }))),
    ...machines.map(({ name, manufacturer, model, serial }) =>
      planAsset({ key: name, at, type: 'equipment' }, () => ({
        name,
        manufacturer,
        model,
        serial_number: serial,
        flags: name === 'Old tractor' ? ['review'] : [],
      })),
    ),
    ...windrows.map((name) =>
      planAsset({ key: name, at, type: 'compost' }, () => ({
        name,
        description: { value: 'Manure, straw and garden waste, in cubic metres.', format: 'farm_format' },
      })),
    ),
    ...sensors.map(({ name }) =>
      planAsset({ key: name, at, type: 'sensor' }, () => ({ name, sensor_type: 'listener' })),
    ),
  ]
}
