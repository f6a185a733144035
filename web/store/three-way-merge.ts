import type { CatalogueField, CatalogueFields } from '../../src/doors/app/documents.ts'
import { isReference, plain, sameValue } from './field-values.ts'
import type { Conflict } from './outbox-entry.ts'
import type { RecordFields } from './record.ts'

interface Sides {
  /** The record as it was read. */
  readonly base: RecordFields
  /** The fields changed on this device; null clears. */
  readonly mine: RecordFields
  /** The record as the server has it now. */
  readonly theirs: RecordFields
  /** The kinds of the fields; without them the values decide. */
  readonly fields?: CatalogueFields
}

interface MergeResult {
  /** The changes still to be sent. */
  readonly fields: RecordFields
  /** Fields that both sides have changed differently. */
  readonly conflicts: readonly Conflict[]
}

/** Three-way merge, field by field. What cannot be merged without a loss is a conflict. */
export function mergeFields({ base, mine, theirs, fields = {} }: Sides): MergeResult {
  const wanted: Record<string, unknown> = {}
  const conflicts: Conflict[] = []
  for (const [field, own] of Object.entries(mine)) {
    const sides = { base: base[field], mine: own, theirs: theirs[field] }
    if (sameValue(own, sides.theirs) || sameValue(own, sides.base)) continue
    const kind = kindOf(sides, fields[field])
    if (sameValue(sides.base, sides.theirs)) wanted[field] = own
    else if (kind === 'set') {
      const both = mergedSet(sides)
      if (!sameSet(both, itemsOf(sides.theirs))) wanted[field] = both
    } else conflicts.push({ field, ...sides, kind })
  }
  return { fields: wanted, conflicts }
}

interface FieldSides {
  readonly base: unknown
  readonly mine: unknown
  readonly theirs: unknown
}

const texts: ReadonlySet<string> = new Set(['text', 'long-text', 'rich-text'])
const membersOfSets: ReadonlySet<string> = new Set(['reference', 'choice', 'attachment'])

function kindOf(sides: FieldSides, field: CatalogueField | undefined): Conflict['kind'] | 'set' {
  if (field === undefined) return kindByValues([sides.base, sides.mine, sides.theirs])
  if (field.many) return membersOfSets.has(field.kind) ? 'set' : 'list'
  return texts.has(field.kind) ? 'text' : 'value'
}

function kindByValues(values: readonly unknown[]): Conflict['kind'] | 'set' {
  const lists = values.filter(Array.isArray)
  if (lists.length > 0)
    return lists.flat().every((item) => typeof item === 'string' || isReference(item)) ? 'set' : 'list'
  return values.some((value) => typeof value === 'object' && value !== null && 'format' in value) ? 'text' : 'value'
}

/** Theirs, plus my additions, minus my removals. */
function mergedSet({ base, mine, theirs }: FieldSides): unknown[] {
  const [before, own, other] = [itemsOf(base), itemsOf(mine), itemsOf(theirs)]
  const kept = other.filter((item) => has(own, item) || !has(before, item))
  return united(
    kept,
    own.filter((item) => !has(before, item)),
  )
}

/** All items of both lists, without repeating one. */
export function united(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  return [...first, ...second.filter((item) => !has(first, item))]
}

export const itemsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : plain(value) === null ? [] : [value]

const sameSet = (one: readonly unknown[], other: readonly unknown[]) =>
  one.every((item) => has(other, item)) && other.every((item) => has(one, item))

const has = (items: readonly unknown[], wanted: unknown) => items.some((item) => sameItem(item, wanted))

/** A new term, given by name, equals the same term with its number. */
function sameItem(one: unknown, other: unknown): boolean {
  if (sameValue([one], [other])) return true
  if (!isReference(one) || !isReference(other) || (hasNumber(one) && hasNumber(other))) return false
  return one.name !== undefined && sameValue({ name: one.name }, { name: other.name })
}

const hasNumber = ({ id, uuid }: { id?: string; uuid?: string }) => (id ?? uuid) !== undefined
