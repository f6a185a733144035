import { Book } from './book.ts'
import { dayOf, onWorkday } from './calendar.ts'
import type { Lookup, Planned } from './planned.ts'
import type { Story } from './story.ts'
import type { Chore } from './words.ts'

export function planChores(story: Story): readonly Planned[] {
  const book = new Book(story, 'chores')
  const { today, years } = story.calendar
  const { months, late, dueToday } = story.words.chores
  const ofTheMonths = years.flatMap((year) =>
    Object.values(months).flatMap((chores, month) =>
      chores.flatMap((chore) => {
        const day = dayOf(year, month + 1, book.dice.between(2, 27))
        return book.work('activity', { day, hours: [8, 17] }, about(chore))
      }),
    ),
  )
  const left = late.flatMap(({ days, ...chore }) =>
    book.open('activity', { day: onWorkday(today - days), hours: [8, 17] }, (to) => ({
      ...about(chore)(to),
      flags: ['priority'],
    })),
  )
  const due = dueToday.flatMap((chore) => book.open('activity', { day: today, hours: [9, 18] }, about(chore)))
  return [...ofTheMonths, ...left, ...due]
}

const about =
  ({ name, place }: Chore) =>
  (to: Lookup) => ({ name, area: place === undefined ? [] : [to(place)] })
