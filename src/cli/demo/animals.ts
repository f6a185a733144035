import { day, firstDay, morningOf, seasons } from './calendar.ts'
import { Dice } from './dice.ts'
import { photo } from './photos.ts'
import { type Planned, planAsset } from './planned.ts'

export interface Animal {
  readonly name: string
  readonly kind: 'Brown Swiss' | 'Valais Blacknose' | 'Sussex' | 'Saddleback'
  readonly sex: 'F' | 'M'
  readonly born: number
  readonly parents: readonly string[]
  /** When it left the farm; 0 while it is there. */
  readonly gone: number
  readonly tag: string
}

const cows = ['Alma', 'Bella', 'Carla', 'Dora', 'Edda', 'Flora', 'Gerda', 'Hilda', 'Irma', 'Jolanda', 'Klara', 'Lotte']
const ewes = [
  'Ada',
  'Bea',
  'Cleo',
  'Dolly',
  'Ella',
  'Fay',
  'Greta',
  'Hanna',
  'Ida',
  'Juno',
  'Kira',
  'Luna',
  'Mina',
  'Nora',
]
const hens = [
  'Agatha',
  'Bertha',
  'Cackle',
  'Dot',
  'Esmeralda',
  'Feather',
  'Ginger',
  'Henrietta',
  'Ines',
  'Josephine',
  'Kiwi',
  'Lady',
]
const pigs = ['Petunia', 'Truffle', 'Hamlet', 'Napoleon']
const syllables = ['Ma', 'Lu', 'Ro', 'Bi', 'To', 'Fi', 'Na', 'Ki', 'So', 'Wa'] as const
const endings = ['lina', 'ra', 'bert', 'na', 'ko', 'mi', 'lo', 'tta', 'ri', 'do'] as const

/** The animals of the farm: those it began with, and the calves and lambs of three springs. */
export function animalsOf(seed: number): readonly Animal[] {
  const dice = new Dice(seed, 'animals')
  const founder =
    (kind: Animal['kind'], sex: 'F' | 'M') =>
    (name: string, index: number): Animal => ({
      name,
      kind,
      sex,
      born: firstDay - dice.between(400, 2200) * day,
      parents: [],
      gone: 0,
      tag: `${kind.slice(0, 2).toUpperCase()}${sex} ${String(index + 1).padStart(3, '0')}`,
    })
  const founders = [
    ...['Ferdinand'].map(founder('Brown Swiss', 'M')),
    ...cows.map(founder('Brown Swiss', 'F')),
    ...['Rufus'].map(founder('Valais Blacknose', 'M')),
    ...ewes.map(founder('Valais Blacknose', 'F')),
    ...hens.map(founder('Sussex', 'F')),
    ...pigs.map(founder('Saddleback', 'F')),
  ]
  const young = seasons.flatMap((year) => [
    ...cows.flatMap((mother) =>
      dice.chance(0.75) ? [offspring(dice, { mother, father: 'Ferdinand', kind: 'Brown Swiss', year })] : [],
    ),
    ...ewes.flatMap((mother) =>
      dice.chance(0.7) ? [offspring(dice, { mother, father: 'Rufus', kind: 'Valais Blacknose', year })] : [],
    ),
  ])
  return [...founders, ...young]
}

interface Birth {
  readonly mother: string
  readonly father: string
  readonly kind: Animal['kind']
  readonly year: number
}

function offspring(dice: Dice, { mother, father, kind, year }: Birth): Animal {
  const born = morningOf(year, kind === 'Brown Swiss' ? 3 : 4, dice.between(1, 28))
  const sex = dice.chance(0.5) ? 'F' : 'M'
  const isSold = sex === 'M' && year < 2025
  return {
    name: `${dice.pick(syllables)}${dice.pick(endings)} of ${mother} ${year}`,
    kind,
    sex,
    born,
    parents: [mother, father],
    gone: isSold ? born + dice.between(200, 300) * day : 0,
    tag: `${kind.slice(0, 2).toUpperCase()}${year} ${String(dice.between(1, 999)).padStart(3, '0')}`,
  }
}

export const isThere = (animal: Animal, at: number): boolean =>
  animal.born <= at && (animal.gone === 0 || animal.gone > at)

export function planAnimals(seed: number, animals: readonly Animal[]): readonly Planned[] {
  const dice = new Dice(seed, 'portraits')
  return animals.map(({ name, kind, sex, born, parents, gone, tag }) => {
    const portrait = dice.chance(0.1) ? { images: [photo(dice)] } : {}
    return planAsset({ key: name, at: Math.max(born, firstDay), type: 'animal' }, (to) => ({
      name,
      animal_type: { name: kind },
      animal_sex: sex,
      animal_castrated: sex === 'M' && parents.length > 0,
      animal_nicknames: parents.length === 0 ? [name.slice(0, 3)] : [],
      date: born,
      parent: parents.map(to),
      archived: gone,
      tag: [
        {
          id: tag,
          type: kind === 'Sussex' ? 'Leg band' : 'Ear tag',
          location: kind === 'Sussex' ? 'Left leg' : 'Left ear',
        },
      ],
      ...portrait,
    }))
  })
}
