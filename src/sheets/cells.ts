import type { OlderField } from '../farm/fields-of.ts'
import { type NamedType, resourceNames } from '../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type ReferableType } from '../fields/field.ts'
import type { TimeForm } from '../fields/kind.ts'
import { plainRules } from '../fields/kinds.ts'
import { uuidIn } from '../fields/scalars.ts'
import type { PartValue, Value, ValueOfKind } from '../fields/value.ts'
import { spellField, type WireReference } from '../wire-1x/spelling.ts'

/** How the cells of a sheet are written. */
export interface CellForm extends TimeForm {
  readonly refs: 'name' | 'id'
  nameOf(type: ReferableType, id: number): KnownName | undefined
  addressOfFile(id: number): string
}

interface CellSpelling<K extends FieldKind> {
  readonly spell: (value: ValueOfKind[K], field: FieldOf<K>, form: CellForm) => string
}

/**
 * One value of each kind in a cell: a reference as a name, a time as one of the farm's clocks, a yes or no as that word, a period as
 * `beginning/end`, a file as its address. Several are joined with semicolons; parts are the JSON that a record shows of them.
 */
const spelling: { readonly [K in FieldKind]: CellSpelling<K> } = {
  ...plainRules('cell'),
  choice: { spell: String },
  reference: { spell: referenceIn },
  attachment: { spell: (value, _field, form) => form.addressOfFile(value) },
  part: { spell: (value, field, form) => jsonOfParts(field, [value], form) },
}

function referenceIn(value: Value, { to }: FieldOf<'reference'>, form: CellForm): string {
  // A vocabulary is kept as the word that it is known by everywhere.
  if (to === 'vocabulary') return String(value)
  const id = Number(value)
  return form.refs === 'id' ? String(id) : namedInCell(id, form.nameOf(to, id))
}

/** The cell of a field with this value; empty where it has none. */
export function cellOf<K extends FieldKind>(field: FieldOf<K>, value: Value | undefined, form: CellForm): string {
  if (value === undefined) return ''
  const { spell } = spelling[field.kind as K]
  if (!isMany(field as Field)) return spell(value as ValueOfKind[K], field, form)
  const values = value as readonly Value[]
  if (field.kind === 'part') return jsonOfParts(field as FieldOf<'part'>, values as readonly PartValue[], form)
  return joinedValues(values.map((one) => spell(one as ValueOfKind[K], field, form)))
}

/** The same of a field of a record: no is the absence of a yes, also of one that stands for some choice. */
export function cellOfOlder({ field, choice }: OlderField, value: Value | undefined, form: CellForm): string {
  if (choice !== undefined) return cellOf(field, value === choice.asYesNo.yes, form)
  return cellOf(field, field.kind === 'yes-no' ? value === true : value, form)
}

/**
 * Repeated parts in one cell: the JSON that a record shows of them, without what is empty, so that it can be sent as it stands. A term is
 * given by its name where that is enough; whatever else is referred to by its number, with its name for whoever reads it.
 */
function jsonOfParts(field: FieldOf<'part'>, parts: readonly PartValue[], form: CellForm): string {
  const { many: _, ...single } = field
  const speller = { base: '', nameOf: () => '', textOfFile: (file: number) => form.addressOfFile(file) }
  const texts = parts.map((part) => jsonOf(spellField(single, part, speller), form))
  return texts.length === 0 ? '' : `[${texts.join(',')}]`
}

function jsonOf(spelled: unknown, form: CellForm): string {
  const text = JSON.stringify(spelled, (_name, value) => (isReference(value) ? shortened(value, form) : filled(value)))
  // An empty object would mean that there is no part, and this one may have more than is shown.
  return text === '{}' ? JSON.stringify(spelled) : text
}

const isReference = (value: unknown): value is WireReference =>
  typeof value === 'object' && value !== null && 'uri' in value && 'resource' in value

const filled = (value: unknown): unknown =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value

/** The types under the names that references have for them. */
const typesNamed = new Map(Object.entries(resourceNames).map(([type, name]) => [name, type as NamedType]))

function shortened({ id, resource }: WireReference, form: CellForm): Partial<WireReference> {
  const type = typesNamed.get(resource)
  const known = form.refs === 'id' || type === undefined ? undefined : form.nameOf(type, Number(id))
  if (known === undefined) return { id }
  return type === 'term' && !known.isShared ? { name: known.name } : { id, name: known.name }
}

/** What a record is called, and whether that is enough to find it. */
export interface KnownName {
  readonly name: string
  /** Whether another one of which the same could be said is called so, too. */
  readonly isShared: boolean
}

/**
 * A record as it is named in a cell: by its name, where that says which one is meant, else with its number behind: `Kale #17`. A name
 * goes before a number on reading, so that the season 2025 is called `2025`.
 */
export function namedInCell(id: number, known: KnownName | undefined): string {
  if (known === undefined || known.name.trim() === '') return `#${id}`
  const { name, isShared } = known
  return isShared || looksLikeAnother(name) ? `${name} #${id}` : name
}

/** Whether a name has the form of what stands for a record in another way. */
const looksLikeAnother = (name: string): boolean =>
  numberInName(name) !== undefined || uuidIn(name.trim()) !== undefined

const mostDigits = 15

/** The number that a cell ends with, and the name before it: of `Kale #17`, and of `#17`. */
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

/** A value is quoted where it would otherwise end early, or be taken for one that is. */
const listed = (value: string): string => (/;|^"|^\s|\s$|^$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/** The values of a cell, as they were before they were joined; white space around them does not count. */
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
