import type { Farm, RecordTypeName } from '../farm/farm.ts'
import { fieldsOf, fieldsOfBundle } from '../farm/fields-of.ts'
import { keysOf } from '../fields/comparison.ts'
import type { Field, Fields, ReferableType } from '../fields/field.ts'
import type { PartValue, Value } from '../fields/value.ts'
import type { Facet, RecordIndex, ReferenceTo } from '../storage/records/index-rows.ts'
import { type Path, pathNumber, toTarget } from '../storage/records/path.ts'
import { columnsOf, type Unstored } from '../storage/records/stored.ts'

/** What a record can be looked up by beside its columns: every reference and every comparable value, by path. */
export function indexOf(farm: Farm, record: Unstored): RecordIndex {
  const { ways, numbers } = fieldPaths(fieldsOfBundle(farm.records[record.type], record.bundle), record.type)
  const index = { paths: numbers, references: [], facets: [] }
  enter(record.values, ways, index)
  return record.log === undefined ? index : besideItsLog(index)
}

const toUnit = toTarget('quantity', { field: 'unit', target: 'term' })

/** Of a quantity that a log has, the index of the log has the rest; its unit has a column. */
const besideItsLog = ({ paths, references }: RecordIndex): RecordIndex => ({
  paths,
  references: references.filter(({ path }) => path !== toUnit),
  facets: [],
})

/** Every path by which records of this farm are looked up. */
export const pathsOf = (farm: Farm): readonly Path[] =>
  Object.values(farm.records).flatMap((type) =>
    Object.values(type.bundles).flatMap((bundle) => fieldPaths(fieldsOf(type, bundle), type.name).paths),
  )

/** From a record, or a part of it, to what one of its fields holds. */
interface Way {
  readonly name: string
  readonly field: Field
  readonly path: Path
  readonly number: number
  /** Those on from a part. */
  readonly inside: readonly Way[]
}

interface FieldPaths {
  readonly ways: readonly Way[]
  readonly paths: readonly Path[]
  readonly numbers: ReadonlySet<number>
}

const worked = new WeakMap<Fields, FieldPaths>()

/** The fields of a bundle never change once the farm is made, so this is worked out once. */
function fieldPaths(fields: Fields, type: RecordTypeName): FieldPaths {
  const found = worked.get(fields)
  if (found !== undefined) return found
  const columns = columnsOf[type]
  const ways = waysBelow('', fields, type).filter(({ name }) => name !== 'name' && !Object.hasOwn(columns, name))
  const paths = ways.flatMap(pathsAlong)
  const known = { ways, paths, numbers: new Set(paths.map(pathNumber)) }
  worked.set(fields, known)
  return known
}

const pathsAlong = ({ path, inside }: Way): readonly Path[] => (inside.length > 0 ? inside.flatMap(pathsAlong) : [path])

const waysBelow = (above: string, fields: Fields, source_type: RecordTypeName): readonly Way[] =>
  Object.entries(fields).map(([name, field]) => {
    const path = { source_type, field: above + name, target_type: targetOf(field) }
    const inside = field.kind === 'part' ? waysBelow(`${path.field}.`, field.fields, source_type) : []
    return { name, field, path, number: pathNumber(path), inside }
  })

/** What the field refers to; nothing where it has a value of its own. */
export function targetOf(field: Field): ReferableType | 'file' | '' {
  if (field.kind === 'reference') return field.to
  return field.kind === 'attachment' ? 'file' : ''
}

interface Entries {
  readonly references: ReferenceTo[]
  readonly facets: Facet[]
}

function enter(
  values: Readonly<Record<string, Value | undefined>>,
  ways: readonly Way[],
  { references, facets }: Entries,
): void {
  for (const { name, field, path, number, inside } of ways) {
    const value = values[name]
    if (value === undefined) continue
    if (field.kind === 'part') {
      for (const part of listed(value)) enter(part as PartValue, inside, { references, facets })
    } else if (path.target_type !== '') {
      for (const id of listed(value)) references.push({ path: number, id: Number(id) })
    } else {
      for (const key of keysOf(field, value)) facets.push({ path: number, key })
    }
  }
}

const listed = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value])
