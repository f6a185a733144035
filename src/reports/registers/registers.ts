import type { RegisterColumn, RegisterName } from '../report-names.ts'
import { animalsOnDay, comingsAndGoings } from './animals.ts'
import { fieldRegister, seedRegister } from './field-register.ts'
import { inputRegister } from './input-register.ts'
import { medicineBook } from './medicine-book.ts'
import type { Register, RegisterWork } from './register.ts'

/** Every register, under the name that it is asked for by. */
export const registers: Readonly<Record<RegisterName, RegisterWork>> = {
  'input-register': inputRegister,
  'medicine-book': medicineBook,
  animals: animalsOnDay,
  'comings-and-goings': comingsAndGoings,
  'field-register': fieldRegister,
  'seed-register': seedRegister,
}

/** What is missing in a register: in which columns, and in how many lines. */
export function missingColumns({ rows }: Register): ReadonlyMap<RegisterColumn, number> {
  const counts = new Map<RegisterColumn, number>()
  for (const { missing } of rows) for (const column of missing) counts.set(column, (counts.get(column) ?? 0) + 1)
  return counts
}

/** The logs of a register under the key of a figure: all of them, or those of lines that lack a column. */
export function logsOfRegister({ rows }: Register, key: string): readonly number[] {
  const [, column] = /^missing-([a-z_]+)$/.exec(key) ?? []
  const those =
    column === undefined ? rows : rows.filter(({ missing }) => (missing as readonly string[]).includes(column))
  const found = new Set<number>()
  for (const { logs } of those) for (const log of logs) found.add(log)
  return [...found]
}
