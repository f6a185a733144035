import { gardenBeds, tunnelBeds } from './areas.ts'
import { type Calendar, dayOf, onWorkday, timeOf } from './calendar.ts'
import { type Crop, crops } from './crops.ts'
import { Dice } from './dice.ts'
import { type Planned, planAsset } from './planned.ts'

/** One sowing of a crop in one place. */
export interface Planting {
  readonly key: string
  readonly crop: Crop
  readonly year: number
  readonly place: string
  /** The days on which it is sown, comes to its place, and is cleared from it. */
  readonly sown: number
  readonly inPlace: number
  readonly cleared: number
}

export const arable = ['North Field', 'South Field', 'Hill Field', 'River Field'] as const
/** Which share of the fields' rotation a crop has; potatoes and pumpkins have half a field each. */
const shares: Readonly<Record<string, number>> = {
  'Clover ley': 0,
  Potato: 1,
  Pumpkin: 1,
  Maize: 2,
  'Spring barley': 3,
}
const sownTwice: readonly string[] = ['Lettuce', 'Carrot', 'Spinach']

/** What grows where in each season; every crop moves on to the next bed or field from year to year. */
export function plantingsOf(seed: number, { years, firstDay, horizon }: Calendar): readonly Planting[] {
  const dice = new Dice(seed, 'plantings')
  return years
    .flatMap((year) =>
      crops.flatMap((crop) => {
        const first = dayOf(year, crop.sownIn, dice.between(4, 24))
        const one = plantingOf(crop, { year, sown: first, place: placeFor(crop, year) })
        if (!sownTwice.includes(crop.name)) return [one]
        return [one, plantingOf(crop, { year, sown: first + 40, place: spareBed(year) })]
      }),
    )
    .filter(({ sown }) => sown >= firstDay && sown <= horizon)
}

const gardenCrops = crops.filter(({ where }) => where === 'garden')
const tunnelCrops = crops.filter(({ where }) => where === 'tunnel')
const inTurn = (places: readonly string[], turn: number): string => places[turn % places.length] ?? ''

function placeFor(crop: Crop, year: number): string {
  if (crop.where === 'garden') return inTurn(gardenBeds, gardenCrops.indexOf(crop) + year)
  if (crop.where === 'tunnel') return inTurn(tunnelBeds, tunnelCrops.indexOf(crop) + year)
  return inTurn(arable, (shares[crop.name] ?? 0) + year)
}

/** The one bed that no first sowing has that year. */
const spareBed = (year: number): string => inTurn(gardenBeds, gardenCrops.length + year)

interface Sowing {
  readonly year: number
  readonly sown: number
  readonly place: string
}

function plantingOf(crop: Crop, { year, sown: asked, place }: Sowing): Planting {
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

export const planPlantings = (plantings: readonly Planting[], { today }: Calendar): readonly Planned[] =>
  plantings.map(({ key, crop, year, place, sown, cleared }) =>
    planAsset({ key, at: timeOf(Math.min(sown, today), 0), type: 'planting' }, (to) => ({
      name: `${year} ${crop.name}, ${place}`,
      crop: [to(crop.name)],
      season: [to(`season ${year}`)],
      archived: cleared < today ? timeOf(cleared, 0) : 0,
    })),
  )
