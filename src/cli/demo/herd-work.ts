import { type Animal, groupOf } from './animals.ts'
import { Book, measured } from './book.ts'
import { everyDays, onWorkday } from './calendar.ts'
import { type Flock, membersOn, placeOfGroup, placeOn } from './herds.ts'
import type { Lookup, Planned } from './planned.ts'
import type { Story } from './story.ts'
import { type Herd, worded, type Youth } from './words.ts'

const log_category = [{ name: 'Animals' }]
const refer = (animals: readonly Animal[]) => (to: Lookup) => animals.map(({ name }) => to(name))

/** Where the animals live and who belongs to which herd, from birth until they leave. */
export function planHerdWork(story: Story, animals: readonly Animal[]): readonly Planned[] {
  const book = new Book(story, 'herd work')
  const { words } = story
  const flock = { animals, words }
  const young = animals.filter(({ parents }) => parents.length > 0)
  return [
    ...words.herds.herds.flatMap((herd) => [...beginnings(herd, flock, book), ...moves(herd, flock, book)]),
    ...young.flatMap((animal) => {
      const youth = words.animals.breeds[animal.breed].young
      if (youth === undefined) return []
      return [...birth(animal, youth, book), ...growingUp(animal, youth, book), ...weighings(animal, youth, book)]
    }),
  ]
}

function beginnings(herd: Herd, flock: Flock, book: Book): readonly Planned[] {
  const { texts } = book.words.herds
  const { group } = herd
  const day = book.calendar.firstDay
  const place = placeOn(day, herd)
  const members = membersOn(day, group, flock)
  const housed = book.happened('activity', { day, hours: [8, 10] }, (to) => ({
    name: worded(texts.move, { group, place }),
    asset: [...refer(members)(to), to(group)],
    movement: { area: [to(place)] },
    log_category,
  }))
  if (members.length === 0) return housed
  const formed = book.happened('activity', { day, hours: [7, 7.5] }, (to) => ({
    name: worded(texts.forming, { group }),
    asset: refer(members)(to),
    membership: { group: [to(group)] },
    log_category,
  }))
  return [...formed, ...housed]
}

function moves(herd: Herd, flock: Flock, book: Book): readonly Planned[] {
  const { group } = herd
  const { firstDay, horizon } = book.calendar
  return [...everyDays(1, firstDay + 1, horizon)]
    .filter((day) => placeOn(day, herd) !== placeOn(day - 1, herd))
    .flatMap((day) => {
      const place = placeOn(day, herd)
      const members = membersOn(day, group, flock)
      if (members.length === 0) return []
      return book.work('activity', { day, hours: [7.5, 10] }, (to) => ({
        name: worded(book.words.herds.texts.move, { group, place }),
        asset: [...refer(members)(to), to(group)],
        movement: { area: [to(place)] },
        log_category,
      }))
    })
}

/** Comes at any hour, and to the herd of its mother. */
function birth(animal: Animal, { newborn }: Youth, book: Book): readonly Planned[] {
  const { name, born, parents } = animal
  const { words } = book
  const group = groupOf(words, animal, born)
  const weight = book.dice.tenths(...newborn)
  return book.happened('birth', { day: born, hours: [0, 23.5] }, (to) => ({
    name: worded(words.animals.texts.birth, { name }),
    asset: [to(name)],
    mother: to(parents[0] ?? ''),
    movement: { area: [to(placeOfGroup(words, group, born))] },
    membership: { group: [to(group)] },
    quantity: [measured('weight', weight, 'kg')],
    log_category,
  }))
}

function growingUp(animal: Animal, youth: Youth, book: Book): readonly Planned[] {
  const { name, born, sold } = animal
  const { words } = book
  const { texts } = words.animals
  const joins = (age: number, text: string) => {
    const day = born + age
    if (sold !== undefined && day >= sold) return []
    const group = groupOf(words, animal, day)
    const place = placeOfGroup(words, group, day)
    return book.work('activity', { day, hours: [10.5, 12] }, (to) => ({
      name: worded(text, { name }),
      asset: [to(name)],
      membership: { group: [to(group)] },
      movement: { area: [to(place)] },
      log_category,
    }))
  }
  const leaving =
    sold === undefined
      ? []
      : book.work('activity', { day: sold, hours: [13, 16] }, (to) => ({
          name: worded(texts.sale, { name }),
          asset: [to(name)],
          quantity: [measured('weight', weightAt(youth, sold - born), 'kg')],
          log_category,
        }))
  return [...joins(youth.weaned, texts.weaning), ...joins(youth.grown, texts.grown), ...leaving]
}

const weightAt = ({ weight, gain }: Youth, age: number): number => Math.round(weight + age * gain)

function weighings({ name, born, sold }: Animal, youth: Youth, book: Book): readonly Planned[] {
  return youth.weighedAt
    .filter((age) => sold === undefined || born + age < sold - 10)
    .flatMap((age) => {
      const weight = Math.round((weightAt(youth, age) * book.dice.between(93, 107)) / 100)
      return book.happened('observation', { day: onWorkday(born + age), hours: [9, 11.5] }, (to) => ({
        name: worded(book.words.animals.texts.weighing, { name }),
        asset: [to(name)],
        quantity: [measured('weight', weight, 'kg')],
        log_category,
      }))
    })
}
