import { type Animal, isThere } from './animals.ts'
import { Book, measured } from './book.ts'
import { type Calendar, dayOf, everyDays, monthOf } from './calendar.ts'
import { membersOn } from './herds.ts'
import type { Planned } from './planned.ts'

const log_category = [{ name: 'Animals' }]
const vet = 'Dr Keller'

/** What the animals need, and what they give. */
export function planHerdCare(seed: number, calendar: Calendar, animals: readonly Animal[]): readonly Planned[] {
  const book = new Book(calendar, seed, 'herd care')
  return [...cattleCare(animals, book), ...flockCare(animals, book), ...yields(book), ...feeding(book)]
}

/** One by one, as the journal of treatments wants it. */
function cattleCare(animals: readonly Animal[], book: Book): readonly Planned[] {
  const cattle = animals.filter(({ kind }) => kind === 'Brown Swiss')
  const visits = book.calendar.years.flatMap((year) => [
    { what: 'Vaccinate', day: dayOf(year, 3, 28), by: vet },
    { what: 'Trim the hooves of', day: dayOf(year, 10, 6), by: null },
  ])
  return visits.flatMap(({ what, day, by }) =>
    cattle
      .filter((animal) => isThere(animal, day) && day - animal.born > 60)
      .flatMap(({ name }, index) =>
        book.work('medical', { day: day + Math.floor(index / 10), hours: [9, 12] }, (to) => ({
          name: `${what} ${name}`,
          asset: [to(name)],
          vet: by,
          log_category,
        })),
      ),
  )
}

interface Round {
  readonly name: string
  readonly group: string
  readonly month: number
  readonly date: number
  readonly by: string | null
}

const rounds: readonly Round[] = [
  { name: 'Trim the feet of the ewes', group: 'Ewes', month: 2, date: 20, by: null },
  { name: 'Vaccinate the ewes', group: 'Ewes', month: 2, date: 24, by: vet },
  { name: 'Check the udders of the ewes', group: 'Ewes', month: 9, date: 12, by: null },
  { name: 'Trim the feet of the ewes', group: 'Ewes', month: 9, date: 14, by: null },
  { name: 'Worm the lambs', group: 'Lambs', month: 7, date: 24, by: null },
  { name: 'Worm the lambs', group: 'Lambs', month: 8, date: 28, by: null },
  { name: 'Worm the pigs', group: 'Pigs', month: 4, date: 4, by: null },
  { name: 'Treat the hens against red mite', group: 'Laying hens', month: 5, date: 16, by: null },
]

function flockCare(animals: readonly Animal[], book: Book): readonly Planned[] {
  return book.calendar.years.flatMap((year) => {
    const care = rounds.flatMap(({ name, group, month, date, by }) => {
      const day = dayOf(year, month, date)
      const members = membersOn(day, group, animals)
      if (members.length === 0) return []
      return book.work('medical', { day, hours: [8.5, 11.5] }, (to) => ({
        name,
        asset: members.map((animal) => to(animal.name)),
        vet: by,
        log_category,
      }))
    })
    const shearing = dayOf(year, 5, 22)
    const sheared = membersOn(shearing, 'Ewes', animals).filter(({ born }) => shearing - born > 300)
    const wool = Math.round((sheared.length * book.dice.between(24, 32)) / 10)
    const fleeces = book.work('harvest', { day: shearing, hours: [10, 16] }, (to) => ({
      name: 'Shear the ewes',
      asset: sheared.map((animal) => to(animal.name)),
      quantity: [measured('weight', wool, 'kg')],
      log_category,
    }))
    return [...care, ...fleeces]
  })
}

const isSummer = (day: number): boolean => monthOf(day) >= 4 && monthOf(day) <= 9
const isHousedSeason = (day: number): boolean => monthOf(day) >= 11 || monthOf(day) <= 3

/** The tanker comes every second day; twelve cows, a few of them dry. */
function yields(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  const { dice } = book
  const milk = [...everyDays(2, firstDay + 1, today)].flatMap((day) => {
    const litres = isSummer(day) ? dice.between(400, 470) : dice.between(340, 410)
    return book.happened('harvest', { day, hours: [8, 9] }, (to) => ({
      name: 'Milk collected',
      asset: [to('Dairy herd')],
      equipment: [to('Milking machine')],
      quantity: [measured('volume', litres, 'litres')],
      log_category,
    }))
  })
  const eggs = [...everyDays(7, firstDay + 6, today)].flatMap((day) => {
    const count = isSummer(day) ? dice.between(56, 74) : dice.between(26, 44)
    return book.happened('harvest', { day, hours: [7, 8.5] }, (to) => ({
      name: 'Eggs of the week',
      asset: [to('Laying hens')],
      quantity: [measured('count', count, 'eggs')],
      log_category,
    }))
  })
  return [...milk, ...eggs]
}

interface Ration {
  readonly name: string
  readonly group: string
  readonly material: string
  readonly amount: readonly [least: number, most: number, unit: string]
  readonly everyDays: number
  readonly isNeededOn: (day: number) => boolean
}

const always = () => true
const rations: readonly Ration[] = [
  {
    name: 'Hay of the week for the dairy herd',
    group: 'Dairy herd',
    material: 'Hay',
    amount: [5, 7, 'bales'],
    everyDays: 7,
    isNeededOn: isHousedSeason,
  },
  {
    name: 'Hay of the week for the ewes',
    group: 'Ewes',
    material: 'Hay',
    amount: [1, 2, 'bales'],
    everyDays: 7,
    isNeededOn: isHousedSeason,
  },
  {
    name: 'Meal for the pigs, two weeks',
    group: 'Pigs',
    material: 'Barley meal',
    amount: [100, 120, 'kg'],
    everyDays: 14,
    isNeededOn: always,
  },
  {
    name: 'Layer feed for the hens, two weeks',
    group: 'Laying hens',
    material: 'Layer feed',
    amount: [18, 24, 'kg'],
    everyDays: 14,
    isNeededOn: always,
  },
]

function feeding(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  return rations.flatMap(({ name, group, material, amount: [least, most, unit], ...ration }, index) =>
    [...everyDays(ration.everyDays, firstDay + index, today)].filter(ration.isNeededOn).flatMap((day) => {
      const amount = measured(unit === 'kg' ? 'weight' : 'count', book.dice.between(least, most), unit)
      return book.happened('input', { day, hours: [6.5, 8] }, (to) => ({
        name,
        asset: [to(group)],
        material: [{ name: material }],
        input_purpose: 'Feeding',
        quantity: [amount],
        log_category,
      }))
    }),
  )
}
