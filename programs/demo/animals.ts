import { dayOf, timeOf, yearOf } from './calendar.ts'
import { photo } from './photos.ts'
import { type DemoInput, type PlannedRecord, planAsset } from './planned-record.ts'
import { SeededRandom } from './seeded-random.ts'
import { type BreedName, type DemoWords, fillText, type Herd } from './words.ts'

export interface Animal {
  readonly name: string
  readonly breed: BreedName
  readonly sex: 'F' | 'M'
  /** Day number. */
  readonly born: number
  readonly parents: readonly string[]
  /** The day on which it leaves the farm, if any. */
  readonly sold?: number
}

/** The founding animals, and the calves and lambs of each spring. */
export function animalsOf(story: DemoInput): readonly Animal[] {
  const { seed, calendar, words } = story
  const dice = new SeededRandom(seed, 'animals')
  const founders = words.animals.founders.flatMap(({ breed, sex, names }) =>
    names.map((name): Animal => {
      return { name, breed, sex, born: calendar.firstDay - dice.between(500, 1900), parents: [] }
    }),
  )
  const isTold = ({ born }: Animal) => born > calendar.firstDay && born < calendar.today
  return [...founders, ...calves(dice, story).filter(isTold), ...lambs(dice, story).filter(isTold)]
}

const mothersIn = ({ animals }: DemoWords, breed: BreedName): readonly string[] =>
  animals.founders.find((one) => one.breed === breed && one.sex === 'F')?.names ?? []

function calves(dice: SeededRandom, { calendar, words }: DemoInput): readonly Animal[] {
  const { breeds, calves: namesOf } = words.animals
  const given = { F: 0, M: 0 }
  return calendar.years.flatMap((year) =>
    mothersIn(words, 'cattle')
      .filter(() => dice.chance(0.75))
      .map((mother): Animal => {
        const born = dayOf(year, 2, 10) + dice.between(0, 60)
        const sex = dice.chance(0.5) ? 'F' : 'M'
        const names = namesOf[sex]
        const first = names[given[sex] % names.length] ?? ''
        const name = given[sex] < names.length ? first : `${first} ${year}`
        given[sex] += 1
        const sold = sex === 'M' ? { sold: born + dice.between(210, 300) } : {}
        return { name, breed: 'cattle', sex, born, parents: [mother, breeds.cattle.young.sire], ...sold }
      }),
  )
}

function lambs(dice: SeededRandom, { calendar, words }: DemoInput): readonly Animal[] {
  const { breeds, texts } = words.animals
  return calendar.years.flatMap((year) => {
    const ewes = mothersIn(words, 'sheep')
    const mothers = ewes.filter(() => dice.chance(0.85)).flatMap((ewe) => (dice.chance(0.35) ? [ewe, ewe] : [ewe]))
    const birthdays = new Map(mothers.map((mother) => [mother, dayOf(year, 3, 12) + dice.between(0, 40)]))
    return mothers.map((mother, index): Animal => {
      const born = birthdays.get(mother) ?? 0
      const sex = dice.chance(0.5) ? 'F' : 'M'
      const isKept = sex === 'F' && dice.chance(0.35)
      const number = String(index + 1).padStart(2, '0')
      const name = fillText(texts.lamb, { year: String(year).slice(2), number })
      const sold = isKept ? {} : { sold: born + dice.between(150, 200) }
      return { name, breed: 'sheep', sex, born, parents: [mother, breeds.sheep.young.sire], ...sold }
    })
  })
}

export const isThere = ({ born, sold }: Animal, day: number): boolean =>
  born < day && (sold === undefined || sold > day)

/** The group of an animal on a day: with its mother until weaned, among its age group until grown. */
export function groupOf({ animals }: DemoWords, { breed, born, parents }: Animal, day: number): string {
  const { group, young } = animals.breeds[breed]
  const age = day - born
  const isAmongItsLike = parents.length > 0 && young !== undefined && age >= young.weaned && age < young.grown
  return isAmongItsLike ? young.group : group
}

export function planAnimals(
  { seed, calendar, words }: DemoInput,
  animals: readonly Animal[],
): readonly PlannedRecord[] {
  const { breeds, nicknames } = words.animals
  const dice = new SeededRandom(seed, 'portraits')
  return animals.map(({ name, breed, sex, born, parents, sold }, index) => {
    const portrait = dice.chance(0.1) ? { images: [photo(dice)] } : {}
    const nickname = nicknames[name]
    const isGone = sold !== undefined && sold < calendar.today
    return planAsset({ key: name, at: timeOf(Math.max(born, calendar.firstDay), 0), type: 'animal' }, (to) => ({
      name,
      animal_type: { name: breeds[breed].name },
      animal_sex: sex,
      animal_castrated: sex === 'M' && parents.length > 0,
      animal_nicknames: nickname === undefined ? [] : [nickname],
      date: timeOf(born, 0),
      parent: parents.map(to),
      archived: isGone ? timeOf(sold, 0) : 0,
      tag: [tagOf(breed, index)],
      ...portrait,
    }))
  })
}

function tagOf(breed: BreedName, index: number) {
  if (breed === 'hens') return { id: `H ${index}`, type: 'Leg band', location: 'Left leg' }
  return { id: `CH 120.0417.${1000 + index}.${(index * 7) % 10}`, type: 'Ear tag', location: 'Left ear' }
}

/** Herds graze from April to October, rotating through their pastures; in winter they are housed. */
export function placeOn(day: number, { house, pastures, stay, turnout = [4, 12] }: Herd): string {
  const [out, home] = [dayOf(yearOf(day), ...turnout), dayOf(yearOf(day), 10, 28)]
  if (pastures.length === 0 || day < out || day >= home) return house
  return pastures[Math.floor((day - out) / stay) % pastures.length] ?? house
}

export function placeOfGroup({ herds }: DemoWords, group: string, day: number): string {
  const herd = herds.herds.find((one) => one.group === group)
  if (herd === undefined) throw new Error(`There is no herd called ${group}`)
  return placeOn(day, herd)
}

export const membersOn = (day: number, group: string, { animals, words }: Flock): readonly Animal[] =>
  animals.filter((animal) => isThere(animal, day) && groupOf(words, animal, day) === group)

export interface Flock {
  readonly animals: readonly Animal[]
  readonly words: DemoWords
}
