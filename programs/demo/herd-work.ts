import { perHeadLabel } from '../../src/farm/bundle-names.ts'
import { type Animal, type Flock, groupOf, isThere, membersOn, placeOfGroup, placeOn } from './animals.ts'
import { dayOf, everyDays, isWithin, onWorkday } from './calendar.ts'
import { LogBook, measurement } from './log-book.ts'
import type { DemoInput, Lookup, PlannedRecord } from './planned-record.ts'
import { fillText, type Herd, type Medicine, type Youth } from './words.ts'

const log_category = [{ name: 'Animals' }]
const refer = (animals: readonly Animal[]) => (to: Lookup) => animals.map(({ name }) => to(name))

/** Housing and herd membership of the animals, from birth until they leave. */
export function planHerdWork(story: DemoInput, animals: readonly Animal[]): readonly PlannedRecord[] {
  const book = new LogBook(story, 'herd work')
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

function beginnings(herd: Herd, flock: Flock, book: LogBook): readonly PlannedRecord[] {
  const { texts } = book.words.herds
  const { group } = herd
  const day = book.calendar.firstDay
  const place = placeOn(day, herd)
  const members = membersOn(day, group, flock)
  const housed = book.happened('activity', { day, hours: [8, 10] }, (to) => ({
    name: fillText(texts.move, { group, place }),
    asset: [...refer(members)(to), to(group)],
    movement: { area: [to(place)] },
    log_category,
  }))
  if (members.length === 0) return housed
  const formed = book.happened('activity', { day, hours: [7, 7.5] }, (to) => ({
    name: fillText(texts.forming, { group }),
    asset: refer(members)(to),
    membership: { group: [to(group)] },
    log_category,
  }))
  return [...formed, ...housed]
}

function moves(herd: Herd, flock: Flock, book: LogBook): readonly PlannedRecord[] {
  const { group } = herd
  const { firstDay, horizon } = book.calendar
  return [...everyDays(1, firstDay + 1, horizon)]
    .filter((day) => placeOn(day, herd) !== placeOn(day - 1, herd))
    .flatMap((day) => {
      const place = placeOn(day, herd)
      const members = membersOn(day, group, flock)
      if (members.length === 0) return []
      return book.work('activity', { day, hours: [7.5, 10] }, (to) => ({
        name: fillText(book.words.herds.texts.move, { group, place }),
        asset: [...refer(members)(to), to(group)],
        movement: { area: [to(place)] },
        log_category,
      }))
    })
}

/** At any hour, and into the herd of its mother. */
function birth(animal: Animal, { newborn }: Youth, book: LogBook): readonly PlannedRecord[] {
  const { name, born, parents } = animal
  const { words } = book
  const group = groupOf(words, animal, born)
  const weight = book.dice.tenths(...newborn)
  return book.happened('birth', { day: born, hours: [0, 23.5] }, (to) => ({
    name: fillText(words.animals.texts.birth, { name }),
    asset: [to(name)],
    mother: to(parents[0] ?? ''),
    movement: { area: [to(placeOfGroup(words, group, born))] },
    membership: { group: [to(group)] },
    quantity: [measurement('weight', weight, 'kg')],
    log_category,
  }))
}

function growingUp(animal: Animal, youth: Youth, book: LogBook): readonly PlannedRecord[] {
  const { name, born, sold } = animal
  const { words } = book
  const { texts } = words.animals
  const joins = (age: number, text: string) => {
    const day = born + age
    if (sold !== undefined && day >= sold) return []
    const group = groupOf(words, animal, day)
    const place = placeOfGroup(words, group, day)
    return book.work('activity', { day, hours: [10.5, 12] }, (to) => ({
      name: fillText(text, { name }),
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
          name: fillText(texts.sale, { name }),
          asset: [to(name)],
          quantity: [measurement('weight', weightAt(youth, sold - born), 'kg')],
          log_category,
        }))
  return [...joins(youth.weaned, texts.weaning), ...joins(youth.grown, texts.grown), ...leaving]
}

const weightAt = ({ weight, gain }: Youth, age: number): number => Math.round(weight + age * gain)

function weighings({ name, born, sold }: Animal, youth: Youth, book: LogBook): readonly PlannedRecord[] {
  return youth.weighedAt
    .filter((age) => sold === undefined || born + age < sold - 10)
    .flatMap((age) => {
      const weight = Math.round((weightAt(youth, age) * book.dice.between(93, 107)) / 100)
      return book.happened('observation', { day: onWorkday(born + age), hours: [9, 11.5] }, (to) => ({
        name: fillText(book.words.animals.texts.weighing, { name }),
        asset: [to(name)],
        quantity: [measurement('weight', weight, 'kg')],
        log_category,
      }))
    })
}

/** Care of the animals, and their products. */
export function planHerdCare(story: DemoInput, animals: readonly Animal[]): readonly PlannedRecord[] {
  const book = new LogBook(story, 'herd care')
  const flock = { animals, words: story.words }
  return [...cattleCare(animals, book), ...flockCare(flock, book), ...yields(book), ...feeding(book)]
}

/** Hooves are trimmed and udders looked at without a medicine. */
const careWith = (given: Medicine | undefined) => (given === undefined ? 'activity' : 'medical')

/** One log per animal, as a treatment journal requires. */
function cattleCare(animals: readonly Animal[], book: LogBook): readonly PlannedRecord[] {
  const cattle = animals.filter(({ breed }) => breed === 'cattle')
  const visits = book.calendar.years.flatMap((year) =>
    book.words.herds.visits.map(({ month, date, ...visit }) => ({ day: dayOf(year, month, date), ...visit })),
  )
  return visits.flatMap(({ name: text, day, given }) =>
    cattle
      .filter((animal) => isThere(animal, day) && day - animal.born > 60)
      .flatMap(({ name }, index) =>
        book.work(careWith(given), { day: day + Math.floor(index / 10), hours: [9, 12] }, (to) => ({
          name: fillText(text, { name }),
          asset: [to(name)],
          ...medicine(given, 1),
          log_category,
        })),
      ),
  )
}

/** Product, dose and days of withholding as quantities; batch and reason in the notes, as the app writes them. */
function medicine(given: Medicine | undefined, heads: number) {
  if (given === undefined) return {}
  const { vet, product, each, batch, reason, withheld } = given
  const days = Object.entries(withheld).map(([of, count]) => ({
    ...measurement('time', count, 'days'),
    label: `withhold ${of}`,
  }))
  return {
    vet,
    quantity: [
      { ...measurement('volume', Math.round(each * heads * 10) / 10, 'ml'), label: product },
      { ...measurement('volume', each, 'ml'), label: perHeadLabel },
      ...days,
    ],
    notes: `Batch: ${batch}\nReason: ${reason}`,
  }
}

function flockCare(flock: Flock, book: LogBook): readonly PlannedRecord[] {
  const { rounds, shearing } = book.words.herds
  return book.calendar.years.flatMap((year) => {
    const care = rounds.flatMap(({ name, group, month, date, given }) => {
      const day = dayOf(year, month, date)
      const members = membersOn(day, group, flock)
      if (members.length === 0) return []
      return book.work(careWith(given), { day, hours: [8.5, 11.5] }, (to) => ({
        name,
        asset: members.map((animal) => to(animal.name)),
        ...medicine(given, members.length),
        log_category,
      }))
    })
    const day = dayOf(year, shearing.month, shearing.date)
    const sheared = membersOn(day, shearing.group, flock).filter(({ born }) => day - born > 300)
    const wool = Math.round((sheared.length * book.dice.between(24, 32)) / 10)
    const fleeces = book.work('harvest', { day, hours: [10, 16] }, (to) => ({
      name: shearing.name,
      asset: sheared.map((animal) => to(animal.name)),
      quantity: [measurement('weight', wool, 'kg')],
      log_category,
    }))
    return [...care, ...fleeces]
  })
}

function yields(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, today } = book.calendar
  return book.words.herds.yields.flatMap(({ name, group, equipment, hours, measure, unit, ...given }) =>
    [...everyDays(given.everyDays, firstDay + given.from, today)].flatMap((day) => {
      const amount = book.dice.between(...(isWithin([4, 9], day) ? given.summer : given.winter))
      return book.happened('harvest', { day, hours }, (to) => ({
        name,
        asset: [to(group)],
        ...(equipment && { equipment: equipment.map(to) }),
        quantity: [measurement(measure, amount, unit)],
        log_category,
      }))
    }),
  )
}

function feeding(book: LogBook): readonly PlannedRecord[] {
  const { firstDay, today } = book.calendar
  return book.words.herds.rations.flatMap(({ name, group, material, amount: [least, most, unit], ...ration }, index) =>
    [...everyDays(ration.everyDays, firstDay + index, today)]
      .filter((day) => ration.months === undefined || isWithin(ration.months, day))
      .flatMap((day) => {
        const amount = measurement(unit === 'kg' ? 'weight' : 'count', book.dice.between(least, most), unit)
        return book.happened('input', { day, hours: [6.5, 8] }, (to) => ({
          name,
          asset: [to(group)],
          material: [{ name: material }],
          input_purpose: 'Feeding',
          quantity: [amount],
          log_category,
        }))
      }),
  )
}
