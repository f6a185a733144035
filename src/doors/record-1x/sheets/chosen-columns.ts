import { isMany } from '../../../fields/field.ts'
import { shown as quoted } from '../../../fields/place.ts'
import { badQuery } from '../../../records/finding/filter.ts'
import { type Column, columnsOf, type Layout, type ShownFields } from './columns.ts'

interface Wanted {
  readonly fields: readonly string[] | undefined
  /** What is shown only on request, and is asked for. */
  readonly with: readonly string[]
}

/** A sheet that comes back is known by these, whatever else is chosen. */
const alongside: readonly string[] = ['uuid', 'version']

/** The columns that somebody has asked for; without a wish all, but for what is shown only on request. */
export function chosenColumns(layout: Layout, wanted: Wanted): readonly Column[] {
  requireRepeated(layout)
  const all = columnsOf(layout)
  if (wanted.fields === undefined) return all.filter(({ of, onRequest }) => !onRequest || wanted.with.includes(of))
  const names = [...wanted.fields, ...wanted.with, ...alongside]
  return [...new Set(names.flatMap((name) => columnsNamed(all, name)))]
}

/** Of these columns the one, or those of the part, that are called so. */
export function columnsNamed(all: readonly Column[], asked: string): readonly Column[] {
  const found = all.filter(({ name, of }) => name === asked || of === asked)
  if (found.length > 0) return found
  throw badQuery(
    'fields',
    `there is no column ${quoted(asked)}`,
    all.map(({ name }) => name),
  )
}

export function requireRepeated({ shown, rows }: Layout): void {
  if (rows === undefined) return
  const repeated = [...new Set(shown.flatMap(repeatedIn))]
  if (!repeated.includes(rows)) throw badQuery('rows', `there are no rows of ${quoted(rows)}`, repeated)
}

/** The names of the parts that a record can have several of. */
export const repeatedIn = (fields: ShownFields): readonly string[] =>
  [...fields].flatMap(([name, { field }]) => (field.kind === 'part' && isMany(field) ? [name] : []))
