import type { Compilable, CompiledQuery } from 'kysely'
import type { Reading } from './database.ts'

/** What a prepared query takes: single values, and lists of values for `in`. */
type Parameters = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** Stands in a query for a value that comes later. */
class Slot {
  readonly name: string
  readonly index: number

  constructor(name: string, index: number) {
    this.name = name
    this.index = index
  }
}

/**
 * A query that is built and compiled once per shape, because building takes ten times as long as running.
 * Lists are filled up to a few lengths by repeating their last value, so that the shapes stay few; an empty list is a bug.
 */
export function prepared<P extends Parameters, R, Q extends Reading = Reading>(
  build: (rows: Q, parameters: P) => Compilable<R>,
): (rows: Q, parameters: P) => Promise<readonly R[]> {
  const templates = new Map<string, CompiledQuery<R>>()
  return async (rows, parameters) => {
    const shape = rows.engine + shapeOf(parameters)
    let template = templates.get(shape)
    if (template === undefined) {
      template = build(rows, slotsFor(parameters)).compile()
      templates.set(shape, template)
    }
    const values = template.parameters.map((value) => (value instanceof Slot ? filled(value, parameters) : value))
    return (await rows.executeQuery<R>({ ...template, parameters: values })).rows
  }
}

const lengths = [1, 2, 4, 8, 16, 32, 64, 100, 250, 500, 1000]

const lengthFor = (list: readonly unknown[]): number => lengths.find((length) => length >= list.length) ?? list.length

const shapeOf = (parameters: Parameters): string =>
  Object.entries(parameters)
    .map(([name, value]) => (Array.isArray(value) ? `${name}*${lengthFor(value)}` : name))
    .join()

function slotsFor<P extends Parameters>(parameters: P): P {
  const slots = Object.entries(parameters).map(([name, value]) => [
    name,
    Array.isArray(value)
      ? Array.from({ length: lengthFor(value) }, (_, index) => new Slot(name, index))
      : new Slot(name, 0),
  ])
  // Kysely hands values through to the driver unseen, so slots may stand where values are declared.
  return Object.fromEntries(slots) as P
}

function filled({ name, index }: Slot, parameters: Parameters): unknown {
  const value = parameters[name]
  return Array.isArray(value) ? (value[index] ?? value.at(-1)) : value
}
