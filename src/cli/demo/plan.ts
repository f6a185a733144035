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
import { planYard } from './yard.ts'
import { planYardWork } from './yard-work.ts'

/**
 * Every record of the demo farm, each after those it refers to, the logs in the order in which they were noted down. The
 * book ends on the day before the one that is given; what is due on it or in the weeks after it is still to be done.
 */
export function planFarm(seed: number, today: number): readonly Planned[] {
  const calendar = calendarOf(today)
  const animals = animalsOf(seed, calendar)
  const plantings = plantingsOf(seed, calendar)
  const logs = [
    ...planGardenWork(seed, calendar, plantings),
    ...planHerdWork(seed, calendar, animals),
    ...planHerdCare(seed, calendar, animals),
    ...planYardWork(seed, calendar),
    ...planChores(seed, calendar),
  ]
  const at = timeOf(calendar.firstDay, 0)
  return [
    ...[...planGrowingWords(calendar), ...planAreas(seed)].map((term) => ({ ...term, at })),
    ...planYard(calendar),
    ...planAnimals(seed, calendar, animals),
    ...planPlantings(plantings, calendar),
    ...logs.toSorted((one, other) => one.at - other.at),
  ]
}
