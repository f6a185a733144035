import { uuidIn } from '../../../../fields/uuid.ts'

/** What a record is called, and whether that is enough to find it. */
export interface KnownName {
  readonly name: string
  /** Whether another one of which the same could be said is called so, too. */
  readonly isShared: boolean
}

/**
 * A record as it is named in a cell: by its name, where that says which one is meant, else with its number behind: `Kale #17`. A name
 * goes before a number on reading, so that the season 2025 is called `2025`.
 */
export function namedInCell(id: number, known: KnownName | undefined): string {
  if (known === undefined || known.name.trim() === '') return `#${id}`
  const { name, isShared } = known
  return isShared || looksLikeAnother(name) ? `${name} #${id}` : name
}

/** Whether a name has the form of what stands for a record in another way. */
const looksLikeAnother = (name: string): boolean =>
  numberInName(name) !== undefined || uuidIn(name.trim()) !== undefined

const mostDigits = 15

/** The number that a cell ends with, and the name before it: of `Kale #17`, and of `#17`. */
export function numberInName(cell: string): { readonly id: number; readonly name: string } | undefined {
  const mark = cell.lastIndexOf('#')
  if (mark < 0) return undefined
  const digits = cell.slice(mark + 1).trimEnd()
  if (digits.length > mostDigits || !/^\d+$/.test(digits)) return undefined
  const before = cell.slice(0, mark)
  const name = before.trimEnd()
  return before !== '' && name === before ? undefined : { id: Number(digits), name: name.trimStart() }
}
