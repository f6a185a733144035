import type { Bundle } from '../../src/farm/farm.ts'
import { activity } from '../../src/farm/logs/activity.ts'
import { birth } from '../../src/farm/logs/birth.ts'
import { harvest } from '../../src/farm/logs/harvest.ts'
import { input } from '../../src/farm/logs/input.ts'
import * as logTypes from '../../src/farm/logs/log-types.ts'
import { maintenance } from '../../src/farm/logs/maintenance.ts'
import { medical } from '../../src/farm/logs/medical.ts'
import { observation } from '../../src/farm/logs/observation.ts'
import { seeding } from '../../src/farm/logs/seeding.ts'
import { soilTest } from '../../src/farm/logs/soil-test.ts'
import { transplanting } from '../../src/farm/logs/transplanting.ts'
import { waterTest } from '../../src/farm/logs/water-test.ts'
import type { Tree } from '../../src/fields/place.ts'
import { type Calendar, onWorkday, timeOf } from './calendar.ts'
import type { DemoInput, Lookup, PlannedRecord } from './planned-record.ts'
import { SeededRandom } from './seeded-random.ts'
import type { DemoWords, Range } from './words.ts'

/** The wire name of a log type, from the catalogue. */
function typeOf(bundle: Bundle): string {
  const [name] = Object.entries(logTypes).find(([, known]) => known === bundle) ?? []
  if (name === undefined) throw new Error(`${bundle.label} is not in the catalogue`)
  return name
}

const bundles = {
  activity,
  observation,
  input,
  harvest,
  seeding,
  transplanting,
  maintenance,
  birth,
  medical,
  soilTest,
  waterTest,
}

type LogWord = keyof typeof bundles

interface WorkTime {
  readonly day: number
  /** Hours of that day, such as 8 and 10.5. */
  readonly hours: Range
}

type Body = (to: Lookup) => Tree

/** One part of the farm's work: done until yesterday, planned from today on. */
export class LogBook {
  readonly calendar: Calendar
  readonly dice: SeededRandom
  readonly words: DemoWords

  constructor({ calendar, seed, words }: DemoInput, part: string) {
    this.calendar = calendar
    this.dice = new SeededRandom(seed, part)
    this.words = words
  }

  /** An unplanned event, recorded only once its day is over. */
  happened(word: LogWord, when: WorkTime, body: Body): readonly PlannedRecord[] {
    const minutes = this.#minutesOf(when)
    return this.#isPast(when.day) ? [this.#log(word, timeOf(when.day, minutes), body)] : []
  }

  /** Planned work, done on its day or after a holiday. */
  work(word: LogWord, when: WorkTime, body: Body): readonly PlannedRecord[] {
    const day = onWorkday(when.day)
    const minutes = this.#minutesOf(when)
    if (this.#isPast(day)) return [this.#log(word, timeOf(day, minutes), body)]
    const isPlanned = day >= this.calendar.today && day <= this.calendar.horizon
    return isPlanned ? [this.#task(word, timeOf(day, minutes), body)] : []
  }

  /** Work that is overdue, or due on this day. */
  open(word: LogWord, when: WorkTime, body: Body): readonly PlannedRecord[] {
    return [this.#task(word, timeOf(when.day, this.#minutesOf(when)), body)]
  }

  #isPast(day: number): boolean {
    return day >= this.calendar.firstDay && day < this.calendar.today
  }

  /** In steps of five minutes. */
  #minutesOf({ hours: [earliest, latest] }: WorkTime): number {
    return this.dice.between(earliest * 12, latest * 12) * 5
  }

  /** Recorded some time after it was done. */
  #log(word: LogWord, timestamp: number, body: Body): PlannedRecord {
    const at = Math.min(timestamp + 6 * 3600, timeOf(this.calendar.today, 0))
    return this.#planned(at, (to) => ({ type: typeOf(bundles[word]), timestamp, done: true, ...body(to) }))
  }

  /** Planned work has no measurements yet. */
  #task(word: LogWord, timestamp: number, body: Body): PlannedRecord {
    return this.#planned(timeOf(this.calendar.today, 0), (to) => {
      const { quantity, images, ...rest } = body(to)
      return { type: typeOf(bundles[word]), timestamp, done: false, ...rest }
    })
  }

  #planned(at: number, body: Body): PlannedRecord {
    return { type: 'log', key: '', at, body }
  }
}

/** One measurement; a missing unit is created. */
export const measurement = (measure: string, value: string | number, unit: string) => ({
  measure,
  value: String(value),
  unit: { name: unit },
})
