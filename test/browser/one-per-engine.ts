import type { Engine } from '../../src/storage/database.ts'

/** Opened when it is first asked for, and the same one after that. */
export function onePerEngine<T>(open: (engine: Engine) => Promise<T>): (engine: Engine) => Promise<T> {
  const opened = new Map<Engine, Promise<T>>()
  return (engine) => {
    const one = opened.get(engine) ?? open(engine)
    opened.set(engine, one)
    return one
  }
}
