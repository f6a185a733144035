import { type Animal, isThere } from './animals.ts'
import { Book, measured } from './book.ts'
import { dayOf, everyDays, isWithin } from './calendar.ts'
import { type Flock, membersOn } from './herds.ts'
import type { Planned } from './planned.ts'
import type { Story } from './story.ts'
import { worded } from './words.ts'

const log_category = [{ name: 'Animals' }]

/** What the animals need, and what they give. */
export function planHerdCare(story: Story, animals: readonly Animal[]): readonly Planned[] {
  const book = new Book(story, 'herd care')
  const flock = { animals, words: story.words }
  return [...cattleCare(animals, book), ...flockCare(flock, book), ...yields(book), ...feeding(book)]
}

/** One by one, as the journal of treatments wants it. */
function cattleCare(animals: readonly Animal[], book: Book): readonly Planned[] {
  const cattle = animals.filter(({ breed }) => breed === 'cattle')
  const visits = book.calendar.years.flatMap((year) =>
    book.words.herds.visits.map(({ month, date, ...visit }) => ({ day: dayOf(year, month, date), ...visit })),
  )
  return visits.flatMap(({ name: text, day, by }) =>
    cattle
      .filter((animal) => isThere(animal, day) && day - animal.born > 60)
      .flatMap(({ name }, index) =>
        book.work('medical', { day: day + Math.floor(index / 10), hours: [9, 12] }, (to) => ({
          name: worded(text, { name }),
          asset: [to(name)],
          vet: by,
          log_category,
        })),
      ),
  )
}

function flockCare(flock: Flock, book: Book): readonly Planned[] {
  const { rounds, shearing } = book.words.herds
  return book.calendar.years.flatMap((year) => {
    const care = rounds.flatMap(({ name, group, month, date, by }) => {
      const day = dayOf(year, month, date)
      const members = membersOn(day, group, flock)
      if (members.length === 0) return []
      return book.work('medical', { day, hours: [8.5, 11.5] }, (to) => ({
        name,
        asset: members.map((animal) => to(animal.name)),
        vet: by,
        log_category,
      }))
    })
    const day = dayOf(year, shearing.month, shearing.date)
    const sheared = membersOn(day, shearing.group, flock).filter(({ born }) => day - born > 300)
    const wool = Math.round((sheared.length * book.dice.between(24, 32)) / 10)
    const fleeces = book.work('harvest', { day, hours: [10, 16] }, (to) => ({
      name: shearing.name,
      asset: sheared.map((animal) => to(animal.name)),
      quantity: [measured('weight', wool, 'kg')],
      log_category,
    }))
    return [...care, ...fleeces]
  })
}

function yields(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  return book.words.herds.yields.flatMap(({ name, group, equipment, hours, measure, unit, ...given }) =>
    [...everyDays(given.everyDays, firstDay + given.from, today)].flatMap((day) => {
      const amount = book.dice.between(...(isWithin([4, 9], day) ? given.summer : given.winter))
      return book.happened('harvest', { day, hours }, (to) => ({
        name,
        asset: [to(group)],
        ...(equipment && { equipment: equipment.map(to) }),
        quantity: [measured(measure, amount, unit)],
        log_category,
      }))
    }),
  )
}

function feeding(book: Book): readonly Planned[] {
  const { firstDay, today } = book.calendar
  return book.words.herds.rations.flatMap(({ name, group, material, amount: [least, most, unit], ...ration }, index) =>
    [...everyDays(ration.everyDays, firstDay + index, today)]
      .filter((day) => ration.months === undefined || isWithin(ration.months, day))
      .flatMap((day) => {
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
