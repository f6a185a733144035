import { type Animal, isThere } from './animals.ts'
import { paddocks } from './areas.ts'
import { day, everyDays, firstDay, lastDay, morningOf, seasons } from './calendar.ts'
import { Dice } from './dice.ts'
import { measured, planLog } from './log-words.ts'
import type { Lookup, Planned } from './planned.ts'

interface Herd {
  readonly group: string
  readonly kind: Animal['kind']
  readonly house: string
  readonly pastures: readonly string[]
  /** Days on one pasture. */
  readonly stay: number
}

const herds: readonly Herd[] = [
  { group: 'Dairy herd', kind: 'Brown Swiss', house: 'Barn', pastures: paddocks.slice(0, 5), stay: 6 },
  {
    group: 'Ewes',
    kind: 'Valais Blacknose',
    house: 'Sheep Shed',
    pastures: [...paddocks.slice(5), 'Orchard'],
    stay: 8,
  },
  { group: 'Laying hens', kind: 'Sussex', house: 'Hen House', pastures: [], stay: 0 },
  { group: 'Pigs', kind: 'Saddleback', house: 'Pigsty', pastures: [], stay: 0 },
]

/** Where the animals live, who belongs to which herd, births, care and what they give. */
export function planHerdWork(seed: number, animals: readonly Animal[]): readonly Planned[] {
  const dice = new Dice(seed, 'herd work')
  return [
    ...herds.flatMap((herd) => [...beginnings(herd, animals), ...grazing(herd, animals)]),
    ...animals.filter(({ parents }) => parents.length > 0).flatMap((animal) => growingUp(animal, dice)),
    ...animals.filter(({ kind }) => kind !== 'Sussex').flatMap((animal) => medicine(animal, dice)),
    ...yields(dice),
  ]
}

const refer = (animals: readonly Animal[]) => (to: Lookup) => animals.map(({ name }) => to(name))

function beginnings({ group, kind, house }: Herd, animals: readonly Animal[]): Planned[] {
  const first = refer(animals.filter((animal) => animal.kind === kind && isThere(animal, firstDay)))
  const log_category = [{ name: 'Animals' }]
  return [
    planLog('activity', firstDay, (to) => ({
      name: `Formed the group ${group}`,
      asset: first(to),
      membership: { group: [to(group)] },
      log_category,
    })),
    planLog('activity', firstDay, (to) => ({
      name: `${group} to ${house}`,
      asset: [...first(to), to(group)],
      movement: { area: [to(house)] },
      log_category,
    })),
  ]
}

function grazing({ group, kind, house, pastures, stay }: Herd, animals: readonly Animal[]): Planned[] {
  if (pastures.length === 0) return []
  return seasons.flatMap((year) => {
    const turnout = morningOf(year, 4, 10)
    const housing = morningOf(year, 10, 28)
    const moves = [...everyDays(stay, turnout, housing - day)].map((at, index) =>
      move(at, pastures[index % pastures.length] ?? house),
    )
    return [...moves, move(housing, house)]
  })

  function move(at: number, place: string): Planned {
    const moved = refer(animals.filter((animal) => animal.kind === kind && isThere(animal, at)))
    return planLog('activity', at, (to) => ({
      name: `${group} to ${place}`,
      asset: [...moved(to), to(group)],
      movement: { area: [to(place)] },
      log_category: [{ name: 'Animals' }],
    }))
  }
}

function growingUp(animal: Animal, dice: Dice): Planned[] {
  const { name, kind, born, parents, gone } = animal
  const isCalf = kind === 'Brown Swiss'
  const house = isCalf ? 'Barn' : 'Sheep Shed'
  const birth = planLog('birth', born, (to) => ({
    name: `Birth of ${name}`,
    asset: [to(name)],
    mother: to(parents[0] ?? ''),
    movement: { area: [to(house)] },
    quantity: [measured('weight', isCalf ? dice.tenths(36, 46) : dice.tenths(3, 5), 'kg')],
    log_category: [{ name: 'Animals' }],
  }))
  const weaning = planLog('activity', born + (isCalf ? 120 : 90) * day, (to) => ({
    name: `Weaned ${name}`,
    asset: [to(name)],
    membership: { group: [to(isCalf ? 'Young stock' : 'Lambs')] },
  }))
  const weighings = [30, 90, 150, 210]
    .filter((days) => born + days * day <= lastDay && (gone === 0 || born + days * day < gone))
    .map((days) =>
      planLog('observation', born + days * day, (to) => ({
        name: `Weighed ${name}`,
        asset: [to(name)],
        quantity: [
          measured('weight', isCalf ? Math.round(40 + days * 0.9) : dice.tenths(4 + days / 8, 6 + days / 8), 'kg'),
        ],
      })),
    )
  return [birth, weaning, ...weighings]
}

function medicine(animal: Animal, dice: Dice): Planned[] {
  return seasons.flatMap((year) =>
    [
      { what: 'Vaccinated', at: morningOf(year, 5, dice.between(2, 9)) },
      { what: 'Trimmed the feet of', at: morningOf(year, 10, dice.between(2, 9)) },
    ]
      .filter(({ at }) => isThere(animal, at))
      .map(({ what, at }) =>
        planLog('medical', at, (to) => ({
          name: `${what} ${animal.name}`,
          asset: [to(animal.name)],
          vet: what === 'Vaccinated' ? 'Dr Keller' : null,
        })),
      ),
  )
}

function yields(dice: Dice): Planned[] {
  return [
    ...[...everyDays(3, firstDay + 10 * day, lastDay)].map((at) =>
      planLog('harvest', at, (to) => ({
        name: 'Milk',
        asset: [to('Dairy herd')],
        equipment: [to('Milking machine')],
        quantity: [measured('volume', dice.between(190, 260), 'litres')],
      })),
    ),
    ...[...everyDays(2, firstDay + 3 * day, lastDay)].map((at) =>
      planLog('harvest', at, (to) => ({
        name: 'Eggs',
        asset: [to('Laying hens')],
        quantity: [measured('count', dice.between(5, 12), 'eggs')],
      })),
    ),
    ...[...everyDays(7, firstDay, lastDay)].map((at) =>
      planLog('input', at, (to) => ({
        name: 'Fed hay and grain',
        asset: herds.map(({ group }) => to(group)),
        material: [{ name: 'Hay' }, { name: 'Barley meal' }],
        quantity: [measured('weight', dice.between(180, 420), 'kg')],
      })),
    ),
  ]
}
