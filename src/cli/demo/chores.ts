import { Book } from './book.ts'
import { type Calendar, dayOf, onWorkday } from './calendar.ts'
import type { Lookup, Planned } from './planned.ts'

type Chore = readonly [name: string, place?: string]

/** What there is to do besides, once in each month from January to December. */
const choresOfMonths: readonly (readonly Chore[])[] = [
  [
    ['Prune the apple trees', 'Orchard'],
    ['Order seed'],
    ['Sort the potatoes in the store'],
    ['Plan the rotation'],
    ['Test the germination of the old seed'],
    ['Book the shearer'],
  ],
  [
    ['Prune the pear trees', 'Orchard'],
    ['Wash the seed trays', 'Seedling House'],
    ['Get the lambing pens ready', 'Sheep Shed'],
    ['Mend the nets', 'Pack Shed'],
    ['Cut the hedge', 'Hill Field'],
    ['Order bumblebees for the tunnel', 'Tall Tunnel'],
  ],
  [['Walk the fences before turnout', 'The Meadows'], ['Roll the meadow', 'Long Meadow'], ['Open the irrigation line']],
  [
    ['Put up the electric fence', 'The Meadows'],
    ['Clean out the sheep shed', 'Sheep Shed'],
    ['Sow flowers along the gate', 'Front Gate'],
  ],
  [
    ['Hang up the bird scarers', 'North Field'],
    ['Shade the tunnel', 'Tall Tunnel'],
    ['Clean the water troughs', 'The Meadows'],
  ],
  [
    ['Thin the apples', 'Orchard'],
    ['Make room for the hay', 'Barn'],
    ['Mow the thistles', 'The Meadows'],
  ],
  [
    ['Tie up the tomatoes', 'Tall Tunnel'],
    ['Scrub the water troughs', 'The Meadows'],
    ['Oil the yard gate', 'Farmyard'],
  ],
  [
    ['Sweep the grain store', 'Barn'],
    ['Stop the tomatoes', 'Tall Tunnel'],
    ['Top the docks', 'The Meadows'],
  ],
  [
    ['Pick the early apples', 'Orchard'],
    ['Sow green manure', 'Market Garden'],
    ['Wash the harvest crates', 'Pack Shed'],
  ],
  [
    ['Pick the late apples', 'Orchard'],
    ['Plant garlic', 'Market Garden'],
    ['Clear the gutters', 'Barn'],
  ],
  [
    ['Drain the irrigation line'],
    ['Clear the ditch', 'River Field'],
    ['Take in the electric fence', 'The Meadows'],
    ['Wrap the young trees against hares', 'Orchard'],
  ],
  [['Count the stores'], ['Muck out the barn', 'Barn'], ['Split firewood', 'Farmyard'], ['Order ear tags']],
]

/** What was left lying these last days, by so many days, and what has to be done today: at any time of the year. */
const late: readonly (readonly [days: number, chore: Chore])[] = [
  [12, ['Mend the fence of Paddock 3', 'Paddock 3']],
  [8, ['Replace the lamp in the milking parlour', 'Milking Parlour']],
  [5, ['Call the feed merchant']],
]
const dueToday: readonly Chore[] = [
  ['Patch the door of the hen house', 'Hen House'],
  ['Take the milk samples', 'Milking Parlour'],
]

export function planChores(seed: number, calendar: Calendar): readonly Planned[] {
  const book = new Book(calendar, seed, 'chores')
  const { today, years } = calendar
  const ofTheMonths = years.flatMap((year) =>
    choresOfMonths.flatMap((chores, month) =>
      chores.flatMap((chore) => {
        const day = dayOf(year, month + 1, book.dice.between(2, 27))
        return book.work('activity', { day, hours: [8, 17] }, about(chore))
      }),
    ),
  )
  const left = late.flatMap(([days, chore]) =>
    book.open('activity', { day: onWorkday(today - days), hours: [8, 17] }, (to) => ({
      ...about(chore)(to),
      flags: ['priority'],
    })),
  )
  const due = dueToday.flatMap((chore) => book.open('activity', { day: today, hours: [9, 18] }, about(chore)))
  return [...ofTheMonths, ...left, ...due]
}

const about =
  ([name, place]: Chore) =>
  (to: Lookup) => ({ name, area: place === undefined ? [] : [to(place)] })
