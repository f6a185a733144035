import { animalsOf, planAnimals } from './animals.ts'
import { planAreas } from './areas.ts'
import { firstDay } from './calendar.ts'
import { planGrowingWords } from './crops.ts'
import { planGardenWork } from './garden-work.ts'
import { planHerdWork } from './herd-work.ts'
import type { Planned } from './planned.ts'
import { planPlantings, plantingsOf } from './plantings.ts'
import { planYard } from './yard.ts'
import { planYardWork } from './yard-work.ts'

/** Every record of the demo farm, each after those it refers to, the logs in the order in which they happened. */
export function planFarm(seed: number): readonly Planned[] {
  const animals = animalsOf(seed)
  const plantings = plantingsOf(seed)
  const logs = [...planGardenWork(seed, plantings), ...planHerdWork(seed, animals), ...planYardWork(seed)]
  return [
    ...[...planGrowingWords(), ...planAreas(seed)].map((term) => ({ ...term, at: firstDay })),
    ...planYard(),
    ...planAnimals(seed, animals),
    ...planPlantings(plantings),
    ...logs.toSorted((one, other) => one.at - other.at),
  ]
}
