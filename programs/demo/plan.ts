import { animalsOf, planAnimals } from './animals.ts'
import { planAreas } from './areas.ts'
import { calendarOf, dayOf, onWorkday, timeOf } from './calendar.ts'
import { planGardenWork } from './garden-work.ts'
import { planHerdCare, planHerdWork } from './herd-work.ts'
import { LogBook } from './log-book.ts'
import type { DemoInput, Lookup, PlannedRecord } from './planned-record.ts'
import { planGrowingWords, planPlantings, plantingsOf } from './plantings.ts'
import { type Chore, type DemoWords, readWords } from './words.ts'
import { planYard, planYardWork } from './yard.ts'

/**
 * Every record of the demo farm, each after the records it refers to, logs in order of recording. Done logs end on the
 * day before `today`; later work is planned.
 */
export function planFarm(seed: number, today: number, words: DemoWords = readWords()): readonly PlannedRecord[] {
  const story = { seed, calendar: calendarOf(today), words }
  const animals = animalsOf(story)
  const plantings = plantingsOf(story)
  const logs = [
    ...planGardenWork(story, plantings),
    ...planHerdWork(story, animals),
    ...planHerdCare(story, animals),
    ...planYardWork(story),
    ...planChores(story),
  ]
  const at = timeOf(story.calendar.firstDay, 0)
  return [
    ...[...planGrowingWords(story), ...planAreas(story)].map((term) => ({ ...term, at })),
    ...planYard(story),
    ...planAnimals(story, animals),
    ...planPlantings(plantings, story.calendar),
    ...logs.toSorted((one, other) => one.at - other.at),
  ]
}

function planChores(story: DemoInput): readonly PlannedRecord[] {
  const book = new LogBook(story, 'chores')
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
