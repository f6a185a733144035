import type { RecordType } from '../farm/farm.ts'
import { allFieldsOf, presentName } from '../farm/fields-of.ts'
import { isComparable } from '../fields/comparison.ts'
import { type Field, type Fields, isMany } from '../fields/field.ts'
import type { Order } from '../storage/records/condition.ts'
import { badQuery } from './asked.ts'
import { columnOf } from './column-conditions.ts'

export interface Sorting {
  readonly sort: string | undefined
  readonly direction: 'asc' | 'desc'
}

/** By what a list is ordered; without a wish by id, terms by weight first. */
export function orderBy(type: RecordType, { sort, direction }: Sorting): readonly Order[] {
  if (sort === undefined) {
    const byId: Order = { by: { column: 'id' }, direction }
    return type.name === 'taxonomy_term' ? [{ by: { column: 'weight' }, direction }, byId] : [byId]
  }
  const fields: Fields = Object.fromEntries([...allFieldsOf(type)].map(([name, { field }]) => [name, field]))
  const name = sort === 'id' ? type.idName : sort === 'bundle' ? type.bundleName : presentName(sort, fields)
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const column = field === undefined ? undefined : columnOf(type.name, name)
  if (column !== undefined)
    return [{ by: { column }, direction: column === 'status' ? opposite[direction] : direction }]
  if (field !== undefined && isSortable(field)) return [{ by: { facet: name }, direction }]
  throw badQuery('sort', `cannot sort by ${JSON.stringify(sort)}`, sortNames(type, fields))
}

/** The word for done stands before that for pending in the alphabet; 1 stands after 0. */
const opposite = { asc: 'desc', desc: 'asc' } as const

const isSortable = (field: Field): boolean => isComparable(field) && !isMany(field) && field.computed === undefined

const sortNames = (type: RecordType, fields: Fields): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) =>
    columnOf(type.name, name) !== undefined || isSortable(field) ? [name] : [],
  )
