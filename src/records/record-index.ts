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
  const index = { references: [] as ReferenceTo[], facets: [] as Facet[] }
  indexFields(withoutColumns(fields, record.type), record.values, { path: '', index })
  return index
}

const known = new WeakMap<Fields, Fields>()

/** The fields of a bundle never change once the farm is made, so this is worked out once. */
function withoutColumns(fields: Fields, type: RecordTypeName): Fields {
  const found = known.get(fields)
  if (found !== undefined) return found
  const columns = columnsOf[type]
  const others = Object.entries(fields).filter(([name]) => name !== 'name' && !Object.hasOwn(columns, name))
  const without = Object.fromEntries(others)
  known.set(fields, without)
  return without
}

interface Spot {
  readonly path: string
  readonly index: { readonly references: ReferenceTo[]; readonly facets: Facet[] }
}

function indexFields(fields: Fields, values: Readonly<Record<string, Value | undefined>>, { path, index }: Spot): void {
  for (const [name, value] of Object.entries(values)) {
    const field = fields[name]
    if (field !== undefined && value !== undefined) indexField(field, value, { path: path + name, index })
  }
}

function indexField(field: Field, value: Value, spot: Spot): void {
  const all = Array.isArray(value) ? (value as readonly Value[]) : [value]
  if (field.kind === 'part') {
    for (const part of all) indexFields(field.fields, part as PartValue, { ...spot, path: `${spot.path}.` })
  } else if (field.kind === 'reference' || field.kind === 'attachment') {
    const type = field.kind === 'reference' ? field.to : 'file'
    for (const id of all) spot.index.references.push({ field: spot.path, type, id: Number(id) })
  } else {
    for (const key of keysOf(field, value)) spot.index.facets.push({ field: spot.path, key })
  }
}
