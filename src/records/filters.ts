import type { RecordType } from '../farm/farm.ts'
import { allFieldsOf, presentName } from '../farm/fields-of.ts'
import { type Field, type Fields, namesWhere } from '../fields/field.ts'
import { type Operator, operators } from '../storage/records/condition.ts'
import { badQuery, type QueryEntry } from './asked.ts'

/** What is asked of one field: any of these values by this operator. */
export interface Filter {
  /** The field as the caller wrote it: `movement[area]`. */
  readonly asked: string
  /** The field's path: `movement.area`. */
  readonly path: string
  readonly field: Field
  /** The bundles that have the field. */
  readonly bundles: readonly string[]
  readonly operator: Operator
  readonly values: readonly string[]
}

/** Words in brackets that say no more than the name does: `asset[target_id]=1`. */
const synonyms: readonly string[] = ['id', 'tid', 'vid', 'uid', 'target_id', 'value', 'geom']

/** What is computed as a sum over history is nothing to look things up in. */
export const isFilterable = (field: Field): boolean => field.computed === undefined || field.kind !== 'decimal'

/** Groups the entries of a query into filters: one field under one of its names, one operator, several values. */
export function filtersIn(type: RecordType, entries: readonly QueryEntry[]): readonly Filter[] {
  if (entries.length === 0) return []
  const known = allFieldsOf(type)
  const fields: Fields = Object.fromEntries([...known].map(([name, { field }]) => [name, field]))
  const filters = new Map<string, Filter>()
  for (const entry of entries) {
    const name = filterName(type, entry.name, fields)
    const top = known.get(name)
    if (top === undefined || !isFilterable(top.field)) {
      throw badQuery(entry.name, 'is not a field that can be filtered', filterNames(fields))
    }
    const one = { ...narrowed(entry, name, top.field), bundles: top.bundles, values: [entry.value] }
    if (entry.value === '' && one.operator !== 'eq' && one.operator !== 'ne') {
      throw badQuery(one.asked, `[${one.operator}] needs a value`)
    }
    const key = `${one.asked} ${one.operator}`
    const earlier = filters.get(key)
    filters.set(key, earlier === undefined ? one : { ...earlier, values: [...earlier.values, entry.value] })
  }
  return [...filters.values()]
}

function filterName(type: RecordType, sent: string, fields: Fields): string {
  const isPrefixed = sent.startsWith('property_') && !Object.hasOwn(fields, sent)
  const name = presentName(isPrefixed ? sent.slice('property_'.length) : sent, fields)
  if (name === 'bundle') return type.bundleName
  return name === 'id' && !Object.hasOwn(fields, 'id') ? type.idName : name
}

const filterNames = (fields: Fields): readonly string[] => [
  ...new Set(['bundle', 'id', ...namesWhere(fields, isFilterable)]),
]

/** Follows the brackets: into a part, past words that add nothing, to an operator. */
function narrowed(entry: QueryEntry, name: string, top: Field): Omit<Filter, 'bundles' | 'values'> {
  let field = top
  let path = name
  let asked = entry.name
  let operator: Operator | undefined
  for (const bracket of entry.brackets) {
    if (field.kind === 'part' && Object.hasOwn(field.fields, bracket)) {
      path = `${path}.${bracket}`
      asked = `${asked}[${bracket}]`
      field = field.fields[bracket] ?? field
    } else if (isOperator(bracket)) {
      if (operator !== undefined)
        throw badQuery(asked, `[${operator}][${bracket}] are two operators; ask with one each`)
      operator = bracket
    } else if (!/^\d*$/.test(bracket) && !synonyms.includes(bracket)) {
      const allowed = field.kind === 'part' ? [...Object.keys(field.fields), ...operators] : operators
      throw badQuery(asked, `[${bracket}] is not an operator`, allowed)
    }
  }
  return { asked, path, field, operator: operator ?? 'eq' }
}

const isOperator = (word: string): word is Operator => (operators as readonly string[]).includes(word)
