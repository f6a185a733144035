import { dayOf, timeOf } from './calendar.ts'
import { type Planned, planTerm } from './planned.ts'
import type { Story } from './story.ts'

/** The words of the growing year: crop families, crops with their companions, seasons. */
export function planGrowingWords({ calendar, words }: Story): readonly Planned[] {
  const { crops } = words.garden
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
    ...calendar.years.map((year) =>
      planTerm('farm_season', `season ${year}`, () => ({
        name: String(year),
        date_range: { value: timeOf(dayOf(year, 1, 1), 0), value2: timeOf(dayOf(year, 12, 31), 0) },
      })),
    ),
  ]
}
