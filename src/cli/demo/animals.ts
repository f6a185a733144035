import { type Calendar, dayOf, timeOf } from './calendar.ts'
import { Dice } from './dice.ts'
import { photo } from './photos.ts'
import { type Planned, planAsset } from './planned.ts'

export interface Animal {
  readonly name: string
  readonly kind: 'Brown Swiss' | 'Valais Blacknose' | 'Sussex' | 'Saddleback'
  readonly sex: 'F' | 'M'
  /** The day. */
  readonly born: number
  readonly parents: readonly string[]
  /** The day on which it leaves the farm, if it is to. */
  readonly sold?: number
}

const cows = 'Alma Bella Carla Dora Edda Flora Gerda Hilda Irma Jolanda Klara Lotte'.split(' ')
const ewes = 'Ada Bea Cleo Dolly Ella Fay Greta Hanna Ida Juno Kira Luna Mina Nora'.split(' ')
const hens = 'Agatha Bertha Cackle Dot Esmeralda Feather Ginger Henrietta Ines Josephine Kiwi Lady'.split(' ')
const heifers =
  'Anni Babette Cilla Dalia Elli Fanny Gabi Heidi Isa Jana Kora Lena Mira Nelly Olga Paula Resi Sina Tina Ulla Vroni Wanda Zita Berta Elsa Frieda Lisi Rosa Susi Vera'.split(
    ' ',
  )
const bullocks =
  'Anton Beni Carlo Dino Emil Felix Gustav Hugo Iwan Jonas Kaspar Leo Max Nino Otto Pius Quirin Reto Sepp Toni Urs Viktor Willi Xaver Moritz Bruno Jakob Kuno Ludwig Oskar'.split(
    ' ',
  )
const nicknames: Readonly<Record<string, string>> = { Ferdinand: 'Ferdi', Esmeralda: 'Esme', Jolanda: 'Joli' }

/** The animals of the farm: those it began with, and the calves and lambs of each spring. */
export function animalsOf(seed: number, calendar: Calendar): readonly Animal[] {
  const dice = new Dice(seed, 'animals')
  const founder =
    (kind: Animal['kind'], sex: 'F' | 'M') =>
    (name: string): Animal => ({ name, kind, sex, born: calendar.firstDay - dice.between(500, 1900), parents: [] })
  const founders = [
    ...['Ferdinand'].map(founder('Brown Swiss', 'M')),
    ...cows.map(founder('Brown Swiss', 'F')),
    ...['Rufus'].map(founder('Valais Blacknose', 'M')),
    ...ewes.map(founder('Valais Blacknose', 'F')),
    ...hens.map(founder('Sussex', 'F')),
    ...['Petunia', 'Truffle'].map(founder('Saddleback', 'F')),
    ...['Hamlet', 'Napoleon'].map(founder('Saddleback', 'M')),
  ]
  const isTold = ({ born }: Animal) => born > calendar.firstDay && born < calendar.today
  return [...founders, ...calves(dice, calendar).filter(isTold), ...lambs(dice, calendar).filter(isTold)]
}

function calves(dice: Dice, { years }: Calendar): readonly Animal[] {
  const given = { F: 0, M: 0 }
  return years.flatMap((year) =>
    cows
      .filter(() => dice.chance(0.75))
      .map((mother): Animal => {
        const born = dayOf(year, 2, 10) + dice.between(0, 60)
        const sex = dice.chance(0.5) ? 'F' : 'M'
        const names = sex === 'F' ? heifers : bullocks
        const first = names[given[sex] % names.length] ?? ''
        const name = given[sex] < names.length ? first : `${first} ${year}`
        given[sex] += 1
        const sold = sex === 'M' ? { sold: born + dice.between(210, 300) } : {}
        return { name, kind: 'Brown Swiss', sex, born, parents: [mother, 'Ferdinand'], ...sold }
      }),
  )
}

function lambs(dice: Dice, { years }: Calendar): readonly Animal[] {
  return years.flatMap((year) => {
    const mothers = ewes.filter(() => dice.chance(0.85)).flatMap((ewe) => (dice.chance(0.35) ? [ewe, ewe] : [ewe]))
    const birthdays = new Map(mothers.map((mother) => [mother, dayOf(year, 3, 12) + dice.between(0, 40)]))
    return mothers.map((mother, index): Animal => {
      const born = birthdays.get(mother) ?? 0
      const sex = dice.chance(0.5) ? 'F' : 'M'
      const isKept = sex === 'F' && dice.chance(0.35)
      const name = `Lamb ${String(year).slice(2)}-${String(index + 1).padStart(2, '0')}`
      const sold = isKept ? {} : { sold: born + dice.between(150, 200) }
      return { name, kind: 'Valais Blacknose', sex, born, parents: [mother, 'Rufus'], ...sold }
    })
  })
}

export const isThere = ({ born, sold }: Animal, day: number): boolean =>
  born < day && (sold === undefined || sold > day)

/** The group that an animal belongs to on a day: with its mother until it is weaned, among its like until it is grown. */
export function groupOf({ kind, born, parents }: Animal, day: number): string {
  if (kind === 'Sussex') return 'Laying hens'
  if (kind === 'Saddleback') return 'Pigs'
  const isCalf = kind === 'Brown Swiss'
  const { weaned, grown } = ages[kind]
  const age = day - born
  if (parents.length === 0 || age < weaned || age >= grown) return isCalf ? 'Dairy herd' : 'Ewes'
  return isCalf ? 'Young stock' : 'Lambs'
}

/** In days. */
export const ages = {
  'Brown Swiss': { weaned: 120, grown: 760 },
  'Valais Blacknose': { weaned: 100, grown: 420 },
} as const

export function planAnimals(seed: number, calendar: Calendar, animals: readonly Animal[]): readonly Planned[] {
  const dice = new Dice(seed, 'portraits')
  return animals.map(({ name, kind, sex, born, parents, sold }, index) => {
    const portrait = dice.chance(0.1) ? { images: [photo(dice)] } : {}
    const nickname = nicknames[name]
    const isGone = sold !== undefined && sold < calendar.today
    return planAsset({ key: name, at: timeOf(Math.max(born, calendar.firstDay), 0), type: 'animal' }, (to) => ({
      name,
      animal_type: { name: kind },
      animal_sex: sex,
      animal_castrated: sex === 'M' && parents.length > 0,
      animal_nicknames: nickname === undefined ? [] : [nickname],
      date: timeOf(born, 0),
      parent: parents.map(to),
      archived: isGone ? timeOf(sold, 0) : 0,
      tag: [tagOf(kind, index)],
      ...portrait,
    }))
  })
}

function tagOf(kind: Animal['kind'], index: number) {
  if (kind === 'Sussex') return { id: `H ${index}`, type: 'Leg band', location: 'Left leg' }
  return { id: `CH 120.0417.${1000 + index}.${(index * 7) % 10}`, type: 'Ear tag', location: 'Left ear' }
}
