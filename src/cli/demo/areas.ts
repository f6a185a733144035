import { Dice } from './dice.ts'
import { line, type Point, plot, point, polygon } from './ground.ts'
import { photo } from './photos.ts'
import { type Planned, planTerm } from './planned.ts'

interface AreaPlan {
  readonly name: string
  readonly type: string
  readonly within?: string
  readonly shape: string
  readonly about?: string
}

export const farm = 'Willow Brook Farm'
const yard = 'Farmyard'
const meadows = 'The Meadows'
const garden = 'Market Garden'
const tunnel = 'Tall Tunnel'

const land: readonly AreaPlan[] = [
  {
    name: farm,
    type: 'property',
    shape: polygon([
      [0, 0],
      [470, -25],
      [925, -10],
      [945, 360],
      [920, 640],
      [330, 645],
      [15, 570],
    ]),
    about: 'A mixed farm: a dairy herd, a flock of sheep, a market garden and some arable land.',
  },
  {
    name: 'North Field',
    type: 'field',
    within: farm,
    shape: polygon([
      [40, 425],
      [298, 430],
      [304, 560],
      [170, 572],
      [38, 552],
    ]),
  },
  {
    name: 'Hill Field',
    type: 'field',
    within: farm,
    shape: polygon([
      [322, 452],
      [556, 446],
      [562, 612],
      [338, 622],
    ]),
    about: 'Stony at the top. Slow to warm in spring.',
  },
  { name: 'South Field', type: 'field', within: farm, shape: plot([300, 28], [560, 182]) },
  {
    name: 'River Field',
    type: 'field',
    within: farm,
    shape: polygon([
      [602, 20],
      [880, 16],
      [896, 150],
      [748, 176],
      [598, 168],
    ]),
    about: 'Floods along the brook in wet winters.',
  },
  { name: 'Orchard', type: 'field', within: farm, shape: plot([40, 230], [240, 402]) },
  { name: garden, type: 'field', within: farm, shape: plot([40, 152], [160, 206]) },
  {
    name: 'Long Meadow',
    type: 'field',
    within: farm,
    shape: plot([40, 30], [246, 138]),
    about: 'Never ploughed. Cut for hay in June, then grazed by the lambs.',
  },
  { name: meadows, type: 'field', within: farm, shape: plot([580, 200], [898, 602]) },
  { name: yard, type: 'other', within: farm, shape: plot([276, 216], [466, 402]) },
  { name: 'Barn', type: 'building', within: yard, shape: plot([290, 330], [350, 390]) },
  { name: 'Milking Parlour', type: 'building', within: yard, shape: plot([356, 340], [384, 388]) },
  { name: 'Sheep Shed', type: 'building', within: yard, shape: plot([394, 352], [430, 392]) },
  { name: 'Hen House', type: 'building', within: yard, shape: plot([440, 300], [452, 312]) },
  { name: 'Pigsty', type: 'building', within: yard, shape: plot([438, 262], [456, 280]) },
  { name: 'Workshop', type: 'building', within: yard, shape: plot([290, 284], [322, 312]) },
  { name: 'Pack Shed', type: 'building', within: yard, shape: plot([290, 240], [326, 264]) },
  { name: 'Farmhouse', type: 'building', within: yard, shape: plot([366, 236], [392, 256]) },
  { name: 'Compost Yard', type: 'other', within: yard, shape: plot([402, 224], [430, 250]) },
  { name: tunnel, type: 'greenhouse', within: farm, shape: plot([480, 222], [530, 232]) },
  { name: 'Seedling House', type: 'greenhouse', within: farm, shape: plot([480, 242], [500, 249]) },
  {
    name: 'Mill Pond',
    type: 'water',
    within: farm,
    shape: polygon([
      [488, 330],
      [520, 318],
      [552, 334],
      [560, 372],
      [530, 396],
      [496, 384],
    ]),
  },
  {
    name: 'Willow Brook',
    type: 'water',
    within: farm,
    shape: line([
      [905, 182],
      [748, 188],
      [586, 190],
      [566, 300],
      [560, 352],
    ]),
  },
  { name: 'Well', type: 'water', within: yard, shape: point([348, 300]) },
  { name: 'Old Oak', type: 'landmark', within: farm, shape: point([268, 424]) },
  {
    name: 'Front Gate',
    type: 'landmark',
    within: farm,
    shape: point([372, 4]),
    about: 'The code is on the back of the letter box.',
  },
]

export const gardenBeds = numbered(12, (number) => `Garden bed ${number}`)
export const tunnelBeds = numbered(4, (number) => `Tunnel bed ${number}`)
export const paddocks = numbered(8, (number) => `Paddock ${number}`)

function numbered(count: number, name: (number: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, index) => name(index + 1))
}

const inRows: readonly AreaPlan[] = [
  ...gardenBeds.map((name, index): AreaPlan => {
    const [west, south] = [45 + (index % 2) * 58, 156 + Math.floor(index / 2) * 8]
    return { name, type: 'bed', within: garden, shape: plot([west, south], [west + 52, south + 5]) }
  }),
  ...tunnelBeds.map((name, index): AreaPlan => {
    const south = 222.8 + index * 2.3
    return { name, type: 'bed', within: tunnel, shape: plot([482, south], [528, south + 1.4]) }
  }),
  ...paddocks.map((name, index): AreaPlan => {
    const [west, south] = [586 + (index % 2) * 156, 206 + Math.floor(index / 2) * 98]
    return { name, type: 'paddock', within: meadows, shape: plot([west, south], [west + 150, south + 92]) }
  }),
]

/** Well inside each place that soil is taken from. */
export const samplePoints: Readonly<Record<string, Point>> = {
  'North Field': [170, 495],
  'South Field': [430, 105],
  'Hill Field': [445, 535],
  'River Field': [740, 95],
  'Long Meadow': [140, 84],
  Orchard: [140, 316],
}

/** The places of the farm, each after the one it lies in. */
export function planAreas(seed: number): readonly Planned[] {
  const dice = new Dice(seed, 'areas')
  return [...land, ...inRows].map(({ name, type, within, shape, about }, index) =>
    planTerm('farm_areas', name, (to) => ({
      name,
      area_type: type,
      weight: index,
      geofield: [{ geom: shape }],
      ...(within === undefined ? {} : { parent: [to(within)] }),
      ...(about === undefined ? {} : { description: about }),
      ...(type === 'field' ? { images: [photo(dice)] } : {}),
    })),
  )
}
