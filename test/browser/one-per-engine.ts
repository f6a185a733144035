import type { Engine } from '../../src/storage/database.ts'
import { engines } from '../harness/databases.ts'
import { rounds } from '../harness/rounds.ts'

/** Both engines where there is much time, else the one that is named: each has its share of the cases. */
export const mostly = (engine: Engine): readonly Engine[] => rounds({ short: [engine], long: engines })

/** Opened when it is first asked for, and the same one after that. */
export function onePerEngine<T>(open: (engine: Engine) => Promise<T>): (engine: Engine) => Promise<T> {
  const opened = new Map<Engine, Promise<T>>()
  return (engine) => {
    const one = opened.get(engine) ?? open(engine)
    opened.set(engine, one)
    return one
  }
}
