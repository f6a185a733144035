import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import type { RecordFields } from '../store/record.ts'

/** The type is chosen before the form opens; archiving is a button of its own. */
const notAsked: ReadonlySet<string> = new Set(['type', 'vocabulary', 'archived', 'uuid', 'version'])

export const isAsked = (name: string, { read_only, computed }: CatalogueField): boolean =>
  read_only === undefined && computed === undefined && !notAsked.has(name)

interface Order {
  readonly first: readonly string[]
  readonly more: readonly string[]
}

/** What people look for first, in this order; and all that is asked at first where a farm has no such record yet. */
const usual: readonly string[] = [
  ...['name', 'timestamp', 'done', 'area_type', 'parent', 'asset', 'area', 'movement', 'quantity'],
  ...['notes', 'description', 'geofield', 'images'],
]

/** For programs, and for the order of terms: nobody looks for them first. */
const seldom: ReadonlySet<string> = new Set(['data', 'weight'])

/** What is required, then what this farm uses, then the rest; within each what is usual, then as the catalogue has it. */
export function orderOf(fields: CatalogueFields, used: ReadonlySet<string>): Order {
  const wanted = used.size === 0 ? new Set(usual) : used
  const asked = Object.entries(fields).filter(([name, field]) => isAsked(name, field))
  const isFirst = ([name, { required }]: [string, CatalogueField]) =>
    required === true || (wanted.has(name) && !seldom.has(name))
  const sorted = asked.toSorted(
    ([one, first], [other, second]) =>
      Number(second.required === true) - Number(first.required === true) || placeOf(one) - placeOf(other),
  )
  return {
    first: sorted.filter(isFirst).map(([name]) => name),
    more: sorted.filter((entry) => !isFirst(entry)).map(([name]) => name),
  }
}

const placeOf = (name: string): number => (usual.includes(name) ? usual.indexOf(name) : usual.length)

/** The fields that some of these records say something in. A no says as little as nothing. */
export function fieldsUsedIn(records: Iterable<{ readonly fields: RecordFields }>): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { fields } of records)
    for (const [name, value] of Object.entries(fields)) if (value !== false && value !== '0') used.add(name)
  return used
}
