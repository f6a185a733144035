import { bedsOf } from './areas.ts'
import { type Calendar, dayOf, onWorkday, timeOf } from './calendar.ts'
import { type DemoInput, type PlannedRecord, planAsset, planTerm } from './planned-record.ts'
import { SeededRandom } from './seeded-random.ts'
import type { Crop, DemoWords } from './words.ts'

/** One sowing of a crop in one place. */
export interface Planting {
  readonly key: string
  readonly crop: Crop
  readonly year: number
  readonly place: string
  /** Days of sowing, planting out and clearing. */
  readonly sown: number
  readonly inPlace: number
  readonly cleared: number
}

/** The plantings of each season; every crop rotates to the next bed or field each year. */
export function plantingsOf({ seed, calendar, words }: DemoInput): readonly Planting[] {
  const dice = new SeededRandom(seed, 'plantings')
  const { years, firstDay, horizon } = calendar
  const rotation = rotationOf(words)
  return years
    .flatMap((year) =>
      words.garden.crops.flatMap((crop) => {
        const first = dayOf(year, crop.sownIn, dice.between(4, 24))
        const one = plantingOf(crop, { year, sown: first, place: rotation.placeFor(crop, year) })
        if (!crop.isSownTwice) return [one]
        return [one, plantingOf(crop, { year, sown: first + 40, place: rotation.spareBed(year) })]
      }),
    )
    .filter(({ sown }) => sown >= firstDay && sown <= horizon)
}

const inTurn = (places: readonly string[], turn: number): string => places[turn % places.length] ?? ''

function rotationOf(words: DemoWords) {
  const { crops, fields, beds } = words.garden
  const rowOf = (where: keyof typeof beds) => ({
    crops: crops.filter((crop) => crop.where === where),
    beds: bedsOf(words, beds[where]),
  })
  const rows = { garden: rowOf('garden'), tunnel: rowOf('tunnel') }
  return {
    placeFor(crop: Crop, year: number): string {
      if (crop.where === 'field') return inTurn(fields, (crop.turn ?? 0) + year)
      const row = rows[crop.where]
      return inTurn(row.beds, row.crops.indexOf(crop) + year)
    },
    /** The one bed without a first sowing that year. */
    spareBed: (year: number): string => inTurn(rows.garden.beds, rows.garden.crops.length + year),
  }
}

interface SowingPlan {
  readonly year: number
  readonly sown: number
  readonly place: string
}

function plantingOf(crop: Crop, { year, sown: asked, place }: SowingPlan): Planting {
  const sown = onWorkday(asked)
  return {
    key: `${year} ${crop.name} ${place}`,
    crop,
    year,
    place,
    sown,
    inPlace: onWorkday(sown + (crop.nursery ?? 0)),
    cleared: onWorkday(sown + crop.maturity + crop.picks * crop.between + 6),
  }
}

export const planPlantings = (plantings: readonly Planting[], { today }: Calendar): readonly PlannedRecord[] =>
  plantings.map(({ key, crop, year, place, sown, cleared }) =>
    planAsset({ key, at: timeOf(Math.min(sown, today), 0), type: 'planting' }, (to) => ({
      name: `${year} ${crop.name}, ${place}`,
      crop: [to(crop.name)],
      season: [to(`season ${year}`)],
      archived: cleared < today ? timeOf(cleared, 0) : 0,
    })),
  )

/** Terms for plants: crop families, crops with their companions, seasons. */
export function planGrowingWords({ calendar, words }: DemoInput): readonly PlannedRecord[] {
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
