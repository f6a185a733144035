import { animalsOf, planAnimals } from './animals.ts'
import { planAreas } from './areas.ts'
import { calendarOf, timeOf } from './calendar.ts'
import { planChores } from './chores.ts'
import { planGrowingWords } from './crops.ts'
import { planGardenWork } from './garden-work.ts'
import { planHerdCare } from './herd-care.ts'
import { planHerdWork } from './herd-work.ts'
import type { Planned } from './planned.ts'
import { planPlantings, plantingsOf } from './plantings.ts'
import { readWords, type Words } from './words.ts'
import { planYard } from './yard.ts'
import { planYardWork } from './yard-work.ts'

/**
 * Every record of the demo farm, each after those it refers to, the logs in the order in which they were noted down. The
 * book ends on the day before the one that is given; what is due on it or in the weeks after it is still to be done.
 */
export function planFarm(seed: number, today: number, words: Words = readWords()): readonly Planned[] {
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
