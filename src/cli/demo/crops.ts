import { morningOf, seasons } from './calendar.ts'
import { type Planned, planTerm } from './planned.ts'

export interface Crop {
  readonly name: string
  readonly family: string
  /** Days from sowing to the first harvest. */
  readonly maturity: number
  /** Days under glass before it is planted out; none where it is sown in place. */
  readonly nursery?: number
  readonly sownIn: number
  readonly picks: number
  readonly unit: string
  readonly where: 'garden' | 'tunnel' | 'field'
  readonly companions?: readonly string[]
}

export const crops: readonly Crop[] = [
  {
    name: 'Lettuce',
    family: 'Asteraceae',
    maturity: 55,
    nursery: 25,
    sownIn: 3,
    picks: 4,
    unit: 'heads',
    where: 'garden',
  },
  {
    name: 'Kale',
    family: 'Brassicaceae',
    maturity: 70,
    nursery: 30,
    sownIn: 5,
    picks: 6,
    unit: 'bunches',
    where: 'garden',
  },
  {
    name: 'Cabbage',
    family: 'Brassicaceae',
    maturity: 110,
    nursery: 35,
    sownIn: 4,
    picks: 3,
    unit: 'heads',
    where: 'garden',
  },
  {
    name: 'Carrot',
    family: 'Apiaceae',
    maturity: 80,
    sownIn: 4,
    picks: 4,
    unit: 'kg',
    where: 'garden',
    companions: ['Lettuce', 'Kale'],
  },
  { name: 'Beetroot', family: 'Amaranthaceae', maturity: 75, sownIn: 4, picks: 4, unit: 'kg', where: 'garden' },
  { name: 'Spinach', family: 'Amaranthaceae', maturity: 45, sownIn: 3, picks: 4, unit: 'kg', where: 'garden' },
  {
    name: 'Onion',
    family: 'Amaryllidaceae',
    maturity: 130,
    sownIn: 3,
    picks: 2,
    unit: 'kg',
    where: 'garden',
    companions: ['Carrot'],
  },
  {
    name: 'Leek',
    family: 'Amaryllidaceae',
    maturity: 150,
    nursery: 60,
    sownIn: 3,
    picks: 4,
    unit: 'kg',
    where: 'garden',
    companions: ['Carrot'],
  },
  { name: 'Bush bean', family: 'Fabaceae', maturity: 60, sownIn: 5, picks: 5, unit: 'kg', where: 'garden' },
  { name: 'Pea', family: 'Fabaceae', maturity: 65, sownIn: 4, picks: 4, unit: 'kg', where: 'garden' },
  {
    name: 'Courgette',
    family: 'Cucurbitaceae',
    maturity: 55,
    nursery: 21,
    sownIn: 5,
    picks: 9,
    unit: 'kg',
    where: 'garden',
  },
  {
    name: 'Pumpkin',
    family: 'Cucurbitaceae',
    maturity: 115,
    nursery: 25,
    sownIn: 5,
    picks: 2,
    unit: 'kg',
    where: 'field',
  },
  {
    name: 'Tomato',
    family: 'Solanaceae',
    maturity: 95,
    nursery: 45,
    sownIn: 3,
    picks: 10,
    unit: 'kg',
    where: 'tunnel',
    companions: ['Lettuce'],
  },
  {
    name: 'Sweet pepper',
    family: 'Solanaceae',
    maturity: 110,
    nursery: 50,
    sownIn: 3,
    picks: 7,
    unit: 'kg',
    where: 'tunnel',
  },
  {
    name: 'Cucumber',
    family: 'Cucurbitaceae',
    maturity: 60,
    nursery: 21,
    sownIn: 5,
    picks: 9,
    unit: 'kg',
    where: 'tunnel',
  },
  { name: 'Winter spinach', family: 'Amaranthaceae', maturity: 50, sownIn: 9, picks: 3, unit: 'kg', where: 'tunnel' },
  { name: 'Potato', family: 'Solanaceae', maturity: 105, sownIn: 4, picks: 3, unit: 'kg', where: 'field' },
  { name: 'Maize', family: 'Poaceae', maturity: 125, sownIn: 5, picks: 1, unit: 'kg', where: 'field' },
  { name: 'Spring barley', family: 'Poaceae', maturity: 115, sownIn: 3, picks: 1, unit: 'kg', where: 'field' },
  { name: 'Clover ley', family: 'Fabaceae', maturity: 70, sownIn: 4, picks: 3, unit: 'bales', where: 'field' },
]

/** The words of the growing year: crop families, crops with their companions, seasons. */
export function planGrowingWords(): readonly Planned[] {
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
    ...seasons.map((year) =>
      planTerm('farm_season', `season ${year}`, () => ({
        name: String(year),
        date_range: { value: morningOf(year, 3, 1), value2: morningOf(year, 11, 15) },
      })),
    ),
  ]
}
