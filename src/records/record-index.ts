import type { Farm, RecordTypeName } from '../farm/farm.ts'
import { fieldsOf } from '../farm/fields-of.ts'
import { keysOf } from '../fields/comparison.ts'
import type { Field, Fields } from '../fields/field.ts'
import type { PartValue, Value } from '../fields/value.ts'
import type { Facet, RecordIndex, ReferenceTo } from '../storage/records/index-rows.ts'
import { columnsOf, type Unstored } from '../storage/records/stored.ts'

/** What a record can be looked up by beside its columns: every reference and every comparable value, by path. */
export function indexOf(farm: Farm, record: Unstored): RecordIndex {
  const type = farm.records[record.type]
  const bundle = type.bundles[record.bundle]
  // A record of a module that is no longer installed keeps its rows as they are until it is written again.
  const fields = bundle === undefined ? type.properties : fieldsOf(type, bundle)
  const index = { references: [], facets: [] }
  enter(record.values, pathsOf(fields, record.type), index)
  return index
}

/** A field under the path by which its values are looked up. */
interface Path {
  readonly name: string
  readonly path: string
  readonly field: Field
  /** Those of a part. */
  readonly inside: readonly Path[]
}

const known = new WeakMap<Fields, readonly Path[]>()

/** The fields of a bundle never change once the farm is made, so this is worked out once. */
function pathsOf(fields: Fields, type: RecordTypeName): readonly Path[] {
  const found = known.get(fields)
  if (found !== undefined) return found
  const columns = columnsOf[type]
  const paths = pathsBelow('', fields).filter(({ name }) => name !== 'name' && !Object.hasOwn(columns, name))
  known.set(fields, paths)
  return paths
}

const pathsBelow = (above: string, fields: Fields): readonly Path[] =>
  Object.entries(fields).map(([name, field]) => {
    const path = above + name
    return { name, path, field, inside: field.kind === 'part' ? pathsBelow(`${path}.`, field.fields) : [] }
  })

interface Entries {
  readonly references: ReferenceTo[]
  readonly facets: Facet[]
}

function enter(
  values: Readonly<Record<string, Value | undefined>>,
  paths: readonly Path[],
  { references, facets }: Entries,
): void {
  for (const { name, path, field, inside } of paths) {
    const value = values[name]
    if (value === undefined) continue
    if (field.kind === 'part') {
      for (const part of listed(value)) enter(part as PartValue, inside, { references, facets })
    } else if (field.kind === 'reference' || field.kind === 'attachment') {
      const type = field.kind === 'reference' ? field.to : 'file'
      for (const id of listed(value)) references.push({ field: path, type, id: Number(id) })
    } else {
      for (const key of keysOf(field, value)) facets.push({ field: path, key })
    }
  }
}

const listed = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value])
