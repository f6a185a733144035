import type { Bundle } from '../../farm/farm.ts'
import { activity } from '../../farm/logs/activity.ts'
import { birth } from '../../farm/logs/birth.ts'
import { harvest } from '../../farm/logs/harvest.ts'
import { input } from '../../farm/logs/input.ts'
import * as logTypes from '../../farm/logs/log-types.ts'
import { maintenance } from '../../farm/logs/maintenance.ts'
import { medical } from '../../farm/logs/medical.ts'
import { observation } from '../../farm/logs/observation.ts'
import { seeding } from '../../farm/logs/seeding.ts'
import { soilTest } from '../../farm/logs/soil-test.ts'
import { transplanting } from '../../farm/logs/transplanting.ts'
import { waterTest } from '../../farm/logs/water-test.ts'
import type { Tree } from '../../fields/place.ts'
import { day, lastDay } from './calendar.ts'
import type { Lookup, Planned } from './planned.ts'

/** The name that clients know a log type by: the catalogue gives it, once. */
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

/** A log of that type at that time; done, unless it lies after the last day of the demo farm's book. */
export const planLog = (word: LogWord, at: number, body: (to: Lookup) => Tree): Planned => ({
  type: 'log',
  key: '',
  at: Math.min(at + day / 4, lastDay),
  body: (to) => ({ type: typeOf(bundles[word]), timestamp: at, done: at <= lastDay, ...body(to) }),
})

/** One measurement, in a unit that is created where it is missing. */
export const measured = (measure: string, value: string | number, unit: string) => ({
  measure,
  value: String(value),
  unit: { name: unit },
})
