import { type Animal, ages, groupOf } from './animals.ts'
import { Book, measured } from './book.ts'
import { type Calendar, everyDays, onWorkday } from './calendar.ts'
import { type Herd, herds, membersOn, placeOfGroup, placeOn } from './herds.ts'
import type { Lookup, Planned } from './planned.ts'

const log_category = [{ name: 'Animals' }]
const refer = (animals: readonly Animal[]) => (to: Lookup) => animals.map(({ name }) => to(name))

/** Where the animals live and who belongs to which herd, from birth until they leave. */
export function planHerdWork(seed: number, calendar: Calendar, animals: readonly Animal[]): readonly Planned[] {
  const book = new Book(calendar, seed, 'herd work')
  const young = animals.filter(({ parents }) => parents.length > 0)
  return [
    ...herds.flatMap((herd) => [...beginnings(herd, animals, book), ...moves(herd, animals, book)]),
    ...young.flatMap((animal) => [...birth(animal, book), ...growingUp(animal, book), ...weighings(animal, book)]),
  ]
}

function beginnings(herd: Herd, animals: readonly Animal[], book: Book): readonly Planned[] {
  const { group } = herd
  const day = book.calendar.firstDay
  const place = placeOn(day, herd)
  const members = membersOn(day, group, animals)
  const housed = book.happened('activity', { day, hours: [8, 10] }, (to) => ({
    name: `${group} to ${place}`,
    asset: [...refer(members)(to), to(group)],
    movement: { area: [to(place)] },
    log_category,
  }))
  if (members.length === 0) return housed
  const formed = book.happened('activity', { day, hours: [7, 7.5] }, (to) => ({
    name: `Form the group ${group}`,
    asset: refer(members)(to),
    membership: { group: [to(group)] },
    log_category,
  }))
  return [...formed, ...housed]
}

function moves(herd: Herd, animals: readonly Animal[], book: Book): readonly Planned[] {
  const { firstDay, horizon } = book.calendar
  return [...everyDays(1, firstDay + 1, horizon)]
    .filter((day) => placeOn(day, herd) !== placeOn(day - 1, herd))
    .flatMap((day) => {
      const place = placeOn(day, herd)
      const members = membersOn(day, herd.group, animals)
      if (members.length === 0) return []
      return book.work('activity', { day, hours: [7.5, 10] }, (to) => ({
        name: `${herd.group} to ${place}`,
        asset: [...refer(members)(to), to(herd.group)],
        movement: { area: [to(place)] },
        log_category,
      }))
    })
}

/** Comes at any hour, and to the herd of its mother. */
function birth(animal: Animal, book: Book): readonly Planned[] {
  const { name, kind, born, parents } = animal
  const group = groupOf(animal, born)
  const weight = kind === 'Brown Swiss' ? book.dice.tenths(36, 46) : book.dice.tenths(3, 5)
  return book.happened('birth', { day: born, hours: [0, 23.5] }, (to) => ({
    name: `Birth of ${name}`,
    asset: [to(name)],
    mother: to(parents[0] ?? ''),
    movement: { area: [to(placeOfGroup(group, born))] },
    membership: { group: [to(group)] },
    quantity: [measured('weight', weight, 'kg')],
    log_category,
  }))
}

function growingUp(animal: Animal, book: Book): readonly Planned[] {
  const { name, kind, born, sold } = animal
  if (kind !== 'Brown Swiss' && kind !== 'Valais Blacknose') return []
  const { weaned, grown } = ages[kind]
  const joins = (age: number, name: string) => {
    const day = born + age
    if (sold !== undefined && day >= sold) return []
    const group = groupOf(animal, day)
    const place = placeOfGroup(group, day)
    return book.work('activity', { day, hours: [10.5, 12] }, (to) => ({
      name,
      asset: [to(animal.name)],
      membership: { group: [to(group)] },
      movement: { area: [to(place)] },
      log_category,
    }))
  }
  const leaving =
    sold === undefined
      ? []
      : book.work('activity', { day: sold, hours: [13, 16] }, (to) => ({
          name: `Sell ${name}`,
          asset: [to(name)],
          quantity: [measured('weight', weightAt(kind, sold - born), 'kg')],
          log_category,
        }))
  return [...joins(weaned, `Wean ${name}`), ...joins(grown, `${name} joins the grown ones`), ...leaving]
}

const weightAt = (kind: Animal['kind'], age: number): number =>
  kind === 'Brown Swiss' ? Math.round(40 + age * 0.95) : Math.round(4 + age * 0.24)

function weighings({ name, kind, born, sold }: Animal, book: Book): readonly Planned[] {
  const days = kind === 'Brown Swiss' ? [30, 90, 150] : [100]
  return days
    .filter((age) => sold === undefined || born + age < sold - 10)
    .flatMap((age) => {
      const weight = Math.round((weightAt(kind, age) * book.dice.between(93, 107)) / 100)
      return book.happened('observation', { day: onWorkday(born + age), hours: [9, 11.5] }, (to) => ({
        name: `Weigh ${name}`,
        asset: [to(name)],
        quantity: [measured('weight', weight, 'kg')],
        log_category,
      }))
    })
}
