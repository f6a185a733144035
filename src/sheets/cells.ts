import type { OlderField } from '../farm/fields-of.ts'
import { type NamedType, resourceNames } from '../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type ReferableType } from '../fields/field.ts'
import type { TimeForm } from '../fields/kind.ts'
import { plainRules } from '../fields/kinds.ts'
import { uuidIn } from '../fields/scalars.ts'
import type { PartValue, Value, ValueOfKind } from '../fields/value.ts'
import { spellField, type WireReference } from '../wire-1x/spelling.ts'

export interface CellForm extends TimeForm {
  readonly refs: 'name' | 'id'
  readonly decimal?: '.' | ','
  nameOf(type: ReferableType, id: number): KnownName | undefined
  addressOfFile(id: number): string
}

interface CellSpelling<K extends FieldKind> {
  readonly spell: (value: ValueOfKind[K], field: FieldOf<K>, form: CellForm) => string
}

/**
 * The cell of one value, by kind: a reference is a name, a time is in the farm's zone, a boolean is yes or no, a period
 * is `beginning/end`, a file is its address. Several values are joined with semicolons; parts are JSON as in a record.
 */
const spelling: { readonly [K in FieldKind]: CellSpelling<K> } = {
  ...plainRules('cell'),
  choice: { spell: String },
  reference: { spell: referenceIn },
  attachment: { spell: (value, _field, form) => form.addressOfFile(value) },
  part: { spell: (value, field, form) => jsonOfParts(field, [value], form) },
}

function referenceIn(value: Value, { to }: FieldOf<'reference'>, form: CellForm): string {
  // A vocabulary is stored by its machine name.
  if (to === 'vocabulary') return String(value)
  const id = Number(value)
  return form.refs === 'id' ? String(id) : namedInCell(id, form.nameOf(to, id))
}

/** The cell of a field; empty without a value. */
export function cellOf<K extends FieldKind>(field: FieldOf<K>, value: Value | undefined, form: CellForm): string {
  if (value === undefined) return ''
  const { spell } = spelling[field.kind as K]
  if (field.kind === 'decimal' && form.decimal === ',')
    return cellOf(field, value, { ...form, decimal: '.' }).replaceAll('.', ',')
  if (!isMany(field as Field)) return spell(value as ValueOfKind[K], field, form)
  const values = value as readonly Value[]
  if (field.kind === 'part') return jsonOfParts(field as FieldOf<'part'>, values as readonly PartValue[], form)
  return joinedValues(values.map((one) => spell(one as ValueOfKind[K], field, form)))
}

/** The cell of a 1.x field: a missing boolean reads as no, also one derived from a choice. */
export function cellOfOlder({ field, choice }: OlderField, value: Value | undefined, form: CellForm): string {
  if (choice !== undefined) return cellOf(field, value === choice.asYesNo.yes, form)
  return cellOf(field, field.kind === 'yes-no' ? value === true : value, form)
}

/**
 * Repeated parts in one cell: JSON as in a record, without empty members, so that it can be sent back. A term is given
 * by its name if that is unique; other references have an id, and a name for the reader.
 */
function jsonOfParts(field: FieldOf<'part'>, parts: readonly PartValue[], form: CellForm): string {
  const { many: _, ...single } = field
  const speller = { base: '', nameOf: () => '', textOfFile: (file: number) => form.addressOfFile(file) }
  const texts = parts.map((part) => jsonOf(spellField(single, part, speller), form))
  return texts.length === 0 ? '' : `[${texts.join(',')}]`
}

function jsonOf(spelled: unknown, form: CellForm): string {
  const text = JSON.stringify(spelled, (_name, value) => (isReference(value) ? shortened(value, form) : filled(value)))
  // An empty object would remove the part, and this one may have members that are not shown.
  return text === '{}' ? JSON.stringify(spelled) : text
}

const isReference = (value: unknown): value is WireReference =>
  typeof value === 'object' && value !== null && 'uri' in value && 'resource' in value

const filled = (value: unknown): unknown =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value

/** Record types by their names in references. */
const typesNamed = new Map(Object.entries(resourceNames).map(([type, name]) => [name, type as NamedType]))

function shortened({ id, resource }: WireReference, form: CellForm): Partial<WireReference> {
  const type = typesNamed.get(resource)
  const known = form.refs === 'id' || type === undefined ? undefined : form.nameOf(type, Number(id))
  if (known === undefined) return { id }
  return type === 'term' && !known.isShared ? { name: known.name } : { id, name: known.name }
}

/** The name of a record, and its uniqueness. */
export interface KnownName {
  readonly name: string
  /** True if another record that fits the same field has the same name. */
  readonly isShared: boolean
}

/**
 * A record in a cell: its name if that is unique, else with its id: `Kale #17`. On reading, names win over ids, so that
 * the season 2025 is called `2025`.
 */
export function namedInCell(id: number, known: KnownName | undefined): string {
  if (known === undefined || known.name.trim() === '') return `#${id}`
  const { name, isShared } = known
  return isShared || looksLikeAnother(name) ? `${name} #${id}` : name
}

/** True if a name looks like an id, a UUID or another reference. */
const looksLikeAnother = (name: string): boolean =>
  numberInName(name) !== undefined || uuidIn(name.trim()) !== undefined

const mostDigits = 15

/** The id at the end of a cell, and the name before it: of `Kale #17`, and of `#17`. */
export function numberInName(cell: string): { readonly id: number; readonly name: string } | undefined {
  const mark = cell.lastIndexOf('#')
  if (mark < 0) return undefined
  const digits = cell.slice(mark + 1).trimEnd()
  if (digits.length > mostDigits || !/^\d+$/.test(digits)) return undefined
  const before = cell.slice(0, mark)
  const name = before.trimEnd()
  return before !== '' && name === before ? undefined : { id: Number(digits), name: name.trimStart() }
}

/** Several values in one cell: `Kale; Chard; "Beans; dry"`. */
export const joinedValues = (values: readonly string[]): string => values.map(listed).join('; ')

/** Quotes a value that contains a separator or looks quoted. */
const listed = (value: string): string => (/;|^"|^\s|\s$|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** Splits a cell into its values, trimmed. */
export function separateValues(cell: string): readonly string[] {
  const values: string[] = []
  const each = /\s*(?:"((?:[^"]|"")*)"\s*(?=;|$)|([^;]*))(;|$)/gy
  for (let found = each.exec(cell); found !== null; found = each.exec(cell)) {
    const [, quoted, bare = '', end] = found
    values.push(quoted === undefined ? bare.trim() : quoted.replaceAll('""', '"'))
    if (end === '') break
  }
  return values
}
