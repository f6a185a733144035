import { test } from 'vitest'
import type { Engine } from '../../src/storage/database.ts'
import { engines, engineUnderTest } from './databases.ts'
import { rounds } from './rounds.ts'

/** Cases that a test takes apart into its parameters, or that are one parameter each. */
interface Share {
  <T extends unknown[] | [unknown]>(cases: readonly T[]): readonly T[]
  <T>(cases: readonly T[]): readonly T[]
}

/** Of cases that are alike: in the short run each is tried on one engine, and as many on either; in the long run all are, on both. */
export const shareOf =
  (engine: Engine): Share =>
  <T>(cases: readonly T[]): readonly T[] =>
    rounds({ short: everySecondOf(engine, cases), long: cases })

/** For the spec files, which run once per engine: SQLite has every case, because `npm test` may have the file there alone. */
export const shareOfThisEngine: Share = <T>(cases: readonly T[]) =>
  engineUnderTest() === 'sqlite' ? cases : shareOf('postgres')(cases)

/** Where their number is odd, both engines have the first. */
export function everySecondOf<T>(engine: Engine, cases: readonly T[]): readonly T[] {
  const odd = cases.filter((_, nth) => nth % 2 === 1)
  if (engine === 'sqlite') return cases.filter((_, nth) => nth % 2 === 0)
  return cases.length % 2 === 0 ? odd : [...odd, ...cases.slice(0, 1)]
}

type DefineTest = (name: string, work: () => Promise<void>, milliseconds?: number) => void

/**
 * For a block of tests that do not need one another, of what the engine has little part in: in the short run every test is run on
 * one engine, in turns, in the long run on both.
 */
export function inTurnsOn(engine: Engine): DefineTest {
  let isOn = engine === 'sqlite'
  return (name, work, milliseconds) => {
    if (rounds({ short: isOn, long: true })) test(name, work, milliseconds)
    isOn = !isOn
  }
}

/** For a block of what the engine has little part in: in the short run it is run on this one, in the long run on both. */
export const atLeastOn = (engine: Engine): readonly Engine[] => rounds({ short: [engine], long: engines })
