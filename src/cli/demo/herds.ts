import { type Animal, groupOf, isThere } from './animals.ts'
import { paddocks } from './areas.ts'
import { dayOf, yearOf } from './calendar.ts'

export interface Herd {
  readonly group: string
  readonly house: string
  readonly pastures: readonly string[]
  /** Days on one pasture. */
  readonly stay: number
  /** When they are let out, where it is not in April. */
  readonly turnout?: readonly [month: number, date: number]
}

export const herds: readonly Herd[] = [
  { group: 'Dairy herd', house: 'Barn', pastures: paddocks.slice(0, 4), stay: 5 },
  { group: 'Young stock', house: 'Barn', pastures: paddocks.slice(4, 6), stay: 14 },
  { group: 'Ewes', house: 'Sheep Shed', pastures: [...paddocks.slice(6), 'Orchard'], stay: 8 },
  { group: 'Lambs', house: 'Sheep Shed', pastures: ['Long Meadow'], stay: 240, turnout: [7, 1] },
  { group: 'Laying hens', house: 'Hen House', pastures: [], stay: 0 },
  { group: 'Pigs', house: 'Pigsty', pastures: [], stay: 0 },
]

/** From April to October the herds graze, each in its round of pastures; in winter they are housed. */
export function placeOn(day: number, { house, pastures, stay, turnout = [4, 12] }: Herd): string {
  const [out, home] = [dayOf(yearOf(day), ...turnout), dayOf(yearOf(day), 10, 28)]
  if (pastures.length === 0 || day < out || day >= home) return house
  return pastures[Math.floor((day - out) / stay) % pastures.length] ?? house
}

export const placeOfGroup = (group: string, day: number): string => {
  const herd = herds.find((one) => one.group === group)
  if (herd === undefined) throw new Error(`There is no herd called ${group}`)
  return placeOn(day, herd)
}

export const membersOn = (day: number, group: string, animals: readonly Animal[]): readonly Animal[] =>
  animals.filter((animal) => isThere(animal, day) && groupOf(animal, day) === group)
