import { bedsOf } from './areas.ts'
import { type Calendar, dayOf, onWorkday, timeOf } from './calendar.ts'
import { Dice } from './dice.ts'
import { type Planned, planAsset } from './planned.ts'
import type { Story } from './story.ts'
import type { Crop, Words } from './words.ts'

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

/** What grows where in each season; every crop moves on to the next bed or field from year to year. */
export function plantingsOf({ seed, calendar, words }: Story): readonly Planting[] {
  const dice = new Dice(seed, 'plantings')
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

function rotationOf(words: Words) {
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
    /** The one bed that no first sowing has that year. */
    spareBed: (year: number): string => inTurn(rows.garden.beds, rows.garden.crops.length + year),
  }
}

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
