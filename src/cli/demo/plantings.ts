import { gardenBeds, tunnelBeds } from './areas.ts'
import { day, lastDay, morningOf, seasons } from './calendar.ts'
import { type Crop, crops } from './crops.ts'
import { Dice } from './dice.ts'
import { type Planned, planAsset } from './planned.ts'

/** One sowing of a crop in one place. */
export interface Planting {
  readonly key: string
  readonly crop: Crop
  readonly year: number
  readonly place: string
  readonly sown: number
  readonly cleared: number
}

const fields: readonly string[] = ['North Field', 'South Field', 'Hill Field', 'River Field']
const sownTwice: readonly string[] = ['Lettuce', 'Carrot', 'Spinach']

/** What grows where in each season; every crop moves on to the next bed or field from year to year. */
export function plantingsOf(seed: number): readonly Planting[] {
  const dice = new Dice(seed, 'plantings')
  return seasons.flatMap((year, season) =>
    crops.flatMap((crop, index) => {
      const places = { garden: gardenBeds, tunnel: tunnelBeds, field: fields }[crop.where]
      const place = places[(index + season) % places.length] ?? ''
      const sown = morningOf(year, crop.sownIn, dice.between(1, 20))
      const sowings = sownTwice.includes(crop.name) ? [sown, sown + 40 * day] : [sown]
      return sowings.map((at, sowing) => ({
        key: `${year} ${crop.name} ${sowing + 1}`,
        crop,
        year,
        place,
        sown: at,
        cleared: at + (crop.maturity + crop.picks * 8 + 6) * day,
      }))
    }),
  )
}

export const planPlantings = (plantings: readonly Planting[]): readonly Planned[] =>
  plantings.map(({ key, crop, year, place, sown, cleared }) =>
    planAsset({ key, at: sown, type: 'planting' }, (to) => ({
      name: `${year} ${crop.name}, ${place}`,
      crop: [to(crop.name)],
      season: [to(`season ${year}`)],
      archived: cleared <= lastDay ? cleared : 0,
      ...(key.endsWith('2') ? { parent: [to(key.replace(/2$/, '1'))] } : {}),
    })),
  )
