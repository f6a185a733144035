import { type Animal, groupOf, isThere } from './animals.ts'
import { dayOf, yearOf } from './calendar.ts'
import type { Herd, Words } from './words.ts'

/** From April to October the herds graze, each in its round of pastures; in winter they are housed. */
export function placeOn(day: number, { house, pastures, stay, turnout = [4, 12] }: Herd): string {
  const [out, home] = [dayOf(yearOf(day), ...turnout), dayOf(yearOf(day), 10, 28)]
  if (pastures.length === 0 || day < out || day >= home) return house
  return pastures[Math.floor((day - out) / stay) % pastures.length] ?? house
}

export function placeOfGroup({ herds }: Words, group: string, day: number): string {
  const herd = herds.herds.find((one) => one.group === group)
  if (herd === undefined) throw new Error(`There is no herd called ${group}`)
  return placeOn(day, herd)
}

/** Who belongs to a group, of the animals that are there. */
export const membersOn = (day: number, group: string, { animals, words }: Flock): readonly Animal[] =>
  animals.filter((animal) => isThere(animal, day) && groupOf(words, animal, day) === group)

export interface Flock {
  readonly animals: readonly Animal[]
  readonly words: Words
}
