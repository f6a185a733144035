import { type Calendar, dayOf, timeOf } from './calendar.ts'
import { type Planned, planTerm } from './planned.ts'

export type Range = readonly [least: number, most: number]

export interface Crop {
  readonly name: string
  readonly family: string
  readonly where: 'garden' | 'tunnel' | 'field'
  /** The month in which it is sown. */
  readonly sownIn: number
  /** Days from sowing to the first harvest. */
  readonly maturity: number
  /** Days under glass before it is planted out; none where it is sown in place. */
  readonly nursery?: number
  /** How much is sown on one place, and of what. */
  readonly sown: readonly [...Range, unit: string]
  /** How much one harvest brings. */
  readonly yields: readonly [...Range, unit: string]
  readonly picks: number
  /** Days from one harvest to the next. */
  readonly between: number
  /** When it is ripe, in centimetres. */
  readonly height: number
  readonly covered?: 'Insect netting' | 'Straw mulch'
  readonly companions?: readonly string[]
}

type Growth = Omit<Crop, 'name' | 'family' | 'where'>
type Named = readonly [name: string, family: string, growth: Growth]

const inGarden: readonly Named[] = [
  [
    'Lettuce',
    'Asteraceae',
    {
      sownIn: 3,
      maturity: 58,
      nursery: 25,
      sown: [2200, 2600, 'seeds'],
      yields: [180, 420, 'heads'],
      picks: 4,
      between: 6,
      height: 25,
    },
  ],
  [
    'Kale',
    'Brassicaceae',
    {
      sownIn: 5,
      maturity: 75,
      nursery: 30,
      sown: [800, 950, 'seeds'],
      yields: [60, 140, 'bunches'],
      picks: 8,
      between: 12,
      height: 75,
      covered: 'Insect netting',
    },
  ],
  [
    'Cabbage',
    'Brassicaceae',
    {
      sownIn: 4,
      maturity: 115,
      nursery: 35,
      sown: [750, 850, 'seeds'],
      yields: [140, 240, 'heads'],
      picks: 3,
      between: 12,
      height: 40,
      covered: 'Insect netting',
    },
  ],
  [
    'Carrot',
    'Apiaceae',
    {
      sownIn: 4,
      maturity: 90,
      sown: [120, 160, 'g'],
      yields: [160, 300, 'kg'],
      picks: 4,
      between: 12,
      height: 35,
      covered: 'Insect netting',
      companions: ['Lettuce', 'Kale'],
    },
  ],
  [
    'Beetroot',
    'Amaranthaceae',
    { sownIn: 4, maturity: 80, sown: [300, 380, 'g'], yields: [140, 260, 'kg'], picks: 4, between: 10, height: 35 },
  ],
  [
    'Spinach',
    'Amaranthaceae',
    { sownIn: 3, maturity: 48, sown: [600, 750, 'g'], yields: [60, 120, 'kg'], picks: 4, between: 5, height: 25 },
  ],
  [
    'Onion',
    'Amaryllidaceae',
    {
      sownIn: 3,
      maturity: 135,
      sown: [28, 36, 'kg'],
      yields: [320, 480, 'kg'],
      picks: 2,
      between: 5,
      height: 50,
      companions: ['Carrot'],
    },
  ],
  [
    'Leek',
    'Amaryllidaceae',
    {
      sownIn: 3,
      maturity: 150,
      nursery: 65,
      sown: [3800, 4400, 'seeds'],
      yields: [110, 200, 'kg'],
      picks: 5,
      between: 14,
      height: 65,
      covered: 'Insect netting',
      companions: ['Carrot'],
    },
  ],
  [
    'Bush bean',
    'Fabaceae',
    { sownIn: 5, maturity: 62, sown: [3, 4, 'kg'], yields: [35, 80, 'kg'], picks: 6, between: 5, height: 45 },
  ],
  [
    'Pea',
    'Fabaceae',
    { sownIn: 3, maturity: 85, sown: [4, 6, 'kg'], yields: [30, 70, 'kg'], picks: 4, between: 5, height: 80 },
  ],
  [
    'Courgette',
    'Cucurbitaceae',
    {
      sownIn: 4,
      maturity: 62,
      nursery: 26,
      sown: [230, 260, 'seeds'],
      yields: [60, 140, 'kg'],
      picks: 12,
      between: 4,
      height: 60,
      covered: 'Straw mulch',
    },
  ],
]

const inTunnel: readonly Named[] = [
  [
    'Tomato',
    'Solanaceae',
    {
      sownIn: 3,
      maturity: 110,
      nursery: 50,
      sown: [170, 190, 'seeds'],
      yields: [40, 85, 'kg'],
      picks: 14,
      between: 6,
      height: 190,
      covered: 'Straw mulch',
      companions: ['Lettuce'],
    },
  ],
  [
    'Sweet pepper',
    'Solanaceae',
    {
      sownIn: 3,
      maturity: 125,
      nursery: 60,
      sown: [200, 230, 'seeds'],
      yields: [18, 40, 'kg'],
      picks: 8,
      between: 7,
      height: 85,
    },
  ],
  [
    'Cucumber',
    'Cucurbitaceae',
    {
      sownIn: 4,
      maturity: 62,
      nursery: 24,
      sown: [110, 130, 'seeds'],
      yields: [45, 95, 'kg'],
      picks: 14,
      between: 4,
      height: 190,
    },
  ],
  [
    'Winter spinach',
    'Amaranthaceae',
    { sownIn: 9, maturity: 52, sown: [150, 190, 'g'], yields: [14, 30, 'kg'], picks: 4, between: 12, height: 20 },
  ],
]

const onFields: readonly Named[] = [
  [
    'Clover ley',
    'Fabaceae',
    { sownIn: 3, maturity: 82, sown: [90, 110, 'kg'], yields: [22, 44, 'bales'], picks: 3, between: 44, height: 50 },
  ],
  [
    'Potato',
    'Solanaceae',
    { sownIn: 4, maturity: 118, sown: [900, 1100, 'kg'], yields: [2600, 4200, 'kg'], picks: 3, between: 9, height: 60 },
  ],
  [
    'Pumpkin',
    'Cucurbitaceae',
    {
      sownIn: 4,
      maturity: 152,
      nursery: 26,
      sown: [1100, 1300, 'seeds'],
      yields: [1800, 3200, 'kg'],
      picks: 2,
      between: 7,
      height: 50,
    },
  ],
  [
    'Maize',
    'Poaceae',
    { sownIn: 5, maturity: 150, sown: [85, 100, 'kg'], yields: [26, 34, 't'], picks: 1, between: 1, height: 240 },
  ],
  [
    'Spring barley',
    'Poaceae',
    { sownIn: 3, maturity: 134, sown: [560, 640, 'kg'], yields: [16, 21, 't'], picks: 1, between: 1, height: 85 },
  ],
]

const growing =
  (where: Crop['where']) =>
  ([name, family, growth]: Named): Crop => ({ name, family, where, ...growth })

export const crops: readonly Crop[] = [
  ...inGarden.map(growing('garden')),
  ...inTunnel.map(growing('tunnel')),
  ...onFields.map(growing('field')),
]

/** The words of the growing year: crop families, crops with their companions, seasons. */
export function planGrowingWords({ years }: Calendar): readonly Planned[] {
  const families = [...new Set(crops.map(({ family }) => family))]
  return [
    ...families.map((name) => planTerm('farm_crop_families', name, () => ({ name }))),
    ...crops.map(({ name, family, maturity, nursery, companions = [] }) =>
      planTerm('farm_crops', name, (to) => ({
        name,
        crop_family: to(family),
        maturity_days: maturity,
        ...(nursery === undefined ? {} : { transplant_days: nursery }),
        companions: companions.map(to),
      })),
    ),
    ...years.map((year) =>
      planTerm('farm_season', `season ${year}`, () => ({
        name: String(year),
        date_range: { value: timeOf(dayOf(year, 1, 1), 0), value2: timeOf(dayOf(year, 12, 31), 0) },
      })),
    ),
  ]
}
