import type { Farm, RecordType, RecordTypeName } from '../farm/farm.ts'
import { allFieldsOf, fieldsOf, fieldsOfBundle, isOnlyNewer, partlyHidden } from '../farm/fields-of.ts'
import { type ComputedRule, type Field, type Fields, namesWhere, type ReferableType } from '../fields/field.ts'
import { keysOf } from '../fields/kinds.ts'
import type { PartValue, Value, Values } from '../fields/value.ts'
import { computedRules, type WorkOut } from '../history/computed-rules.ts'
import type { Snapshot } from '../storage/database.ts'
import type { PointInTime } from '../storage/farm-state.ts'
import type { Facet, RecordIndex, ReferenceTo } from '../storage/records/index-rows.ts'
import { type FieldPath, markOf, pathNumber, toTarget } from '../storage/records/path.ts'
import { columnsOf, type RecordToStore, type StoredRecord } from '../storage/records/stored.ts'

/** The index of a record beside its columns: every reference and every comparable value, by path. */
export function indexOf(farm: Farm, record: RecordToStore): RecordIndex {
  const { ways, marks } = fieldPaths(
    fieldsOfBundle(farm.records[record.type], record.bundle),
    farm.records[record.type],
  )
  const index = { references: [] as ReferenceTo[], facets: [] as Facet[], files: [] as number[] }
  enter(record.values, ways, index)
  for (const { of, number } of marks) if (record.values[of] !== undefined) index.facets.push({ path: number, key: '1' })
  return record.log === undefined ? index : besideItsLog(index)
}

const toUnit = toTarget('quantity', { field: 'unit', target: 'term' })

/** The rest of a log's quantity is in the index of the log; its unit has a column. */
const besideItsLog = ({ references, files }: RecordIndex): RecordIndex => ({
  files,
  references: references.filter(({ path }) => path !== toUnit),
  facets: [],
})

/** Every path by which records of this farm are looked up. */
export const pathsOf = (farm: Farm): readonly FieldPath[] =>
  Object.values(farm.records).flatMap((type) =>
    Object.values(type.bundles).flatMap((bundle) => fieldPaths(fieldsOf(type, bundle), type).paths),
  )

/** The path from a record, or a part of it, to the value of a field. */
interface IndexedPath {
  readonly name: string
  readonly field: Field
  readonly path: FieldPath
  readonly number: number
  /** Paths inside a part. */
  readonly inside: readonly IndexedPath[]
}

interface FieldPaths {
  readonly ways: readonly IndexedPath[]
  readonly marks: readonly Mark[]
  readonly paths: readonly FieldPath[]
}

/** Marks a record of which a field is not shown that is shown of others. */
interface Mark {
  readonly of: string
  readonly path: FieldPath
  readonly number: number
}

const worked = new WeakMap<Fields, FieldPaths>()

/** The fields of a bundle never change once the farm is made, so this is worked out once. */
function fieldPaths(fields: Fields, type: RecordType): FieldPaths {
  const found = worked.get(fields)
  if (found !== undefined) return found
  const columns = columnsOf[type.name]
  const ways = waysBelow('', fields, type.name).filter(({ name }) => name !== 'name' && !Object.hasOwn(columns, name))
  const marks = namesWhere(fields, isOnlyNewer).flatMap((name) =>
    partlyHidden(type).has(name) ? [markFor(name, type)] : [],
  )
  const paths = [...ways.flatMap(pathsAlong), ...marks.map(({ path }) => path)]
  const known = { ways, marks, paths }
  worked.set(fields, known)
  return known
}

function markFor(name: string, type: RecordType): Mark {
  const path = { source_type: type.name, field: markOf(name), target_type: '' }
  return { of: name, path, number: pathNumber(path) }
}

const pathsAlong = ({ path, inside }: IndexedPath): readonly FieldPath[] =>
  inside.length > 0 ? inside.flatMap(pathsAlong) : [path]

const waysBelow = (above: string, fields: Fields, source_type: RecordTypeName): readonly IndexedPath[] =>
  Object.entries(fields).map(([name, field]) => {
    const path = { source_type, field: above + name, target_type: targetOf(field) }
    const inside = field.kind === 'part' ? waysBelow(`${path.field}.`, field.fields, source_type) : []
    return { name, field, path, number: pathNumber(path), inside }
  })

/** The type a field refers to; empty for a plain value. */
export function targetOf(field: Field): ReferableType | 'file' | '' {
  if (field.kind === 'reference') return field.to
  return field.kind === 'attachment' ? 'file' : ''
}

interface Entries {
  readonly references: ReferenceTo[]
  readonly facets: Facet[]
  readonly files: number[]
}

function enter(
  values: Readonly<Record<string, Value | undefined>>,
  ways: readonly IndexedPath[],
  entries: Entries,
): void {
  for (const { name, field, path, number, inside } of ways) {
    const value = values[name]
    if (value === undefined) continue
    if (field.kind === 'part') {
      for (const part of listed(value)) enter(part as PartValue, inside, entries)
    } else if (path.target_type !== '') {
      const ids = listed(value).map(Number)
      entries.references.push(...ids.map((id) => ({ path: number, id })))
      if (path.target_type === 'file') entries.files.push(...ids)
    } else {
      for (const key of keysOf(field, value)) entries.facets.push({ path: number, key })
    }
  }
}

const listed = (value: Value): readonly Value[] => (Array.isArray(value) ? value : [value])

/** The part of a record that computation needs. */
type RecordIdentity = Pick<StoredRecord, 'type' | 'id' | 'bundle'>

interface ComputedRequest {
  readonly farm: Farm
  readonly time: PointInTime
  /** The names of the computed fields that are wanted. */
  readonly asked: readonly string[]
}

/** One computed field of one record. */
interface ComputedField {
  readonly id: number
  readonly name: string
  readonly rule: ComputedRule
}

/** The computed values of these records at that time, by id; always for a whole page at once. */
export async function computedOf(
  snapshot: Snapshot,
  records: readonly RecordIdentity[],
  { farm, time, asked }: ComputedRequest,
): Promise<ReadonlyMap<number, Values>> {
  if (asked.length === 0) return new Map()
  const wanted = new Map<WorkOut<unknown>, ComputedField[]>()
  for (const { type, id, bundle } of records) {
    const fields = fieldsOfBundle(farm.records[type], bundle)
    for (const name of asked) {
      const rule = fields[name]?.computed
      if (rule === undefined) continue
      const { workOut } = computedRules[rule]
      const those = wanted.get(workOut)
      if (those === undefined) wanted.set(workOut, [{ id, name, rule }])
      else those.push({ id, name, rule })
    }
  }
  const computed = new Map<number, Record<string, Value>>()
  for (const [workOut, those] of wanted) {
    const worked = await workOut(snapshot, [...new Set(those.map(({ id }) => id))], time)
    for (const { id, name, rule } of those) {
      const values = computed.get(id) ?? {}
      values[name] = computedRules[rule].valueFrom(worked.get(id))
      computed.set(id, values)
    }
  }
  return computed
}

/** Whether one of these fields may change without a log, by time alone. */
export const movesEverySecond = (type: RecordType, names: readonly string[]): boolean =>
  names.some((name) => {
    const rule = allFieldsOf(type).get(name)?.field.computed
    return rule !== undefined && computedRules[rule].moves !== undefined
  })
