import { type NamedType, resourceNames } from '../../../../farm/resource-names.ts'
import type { FieldOf } from '../../../../fields/field.ts'
import type { PartValue } from '../../../../fields/value.ts'
import { type Reference, spellField } from '../../wire/spelling.ts'
import type { CellForm } from './cell-form.ts'

/**
 * Repeated parts in one cell: the JSON that a record shows of them, without what is empty, so that it can be sent as it stands. A term is
 * given by its name where that is enough; whatever else is referred to by its number, with its name for whoever reads it.
 */
export function jsonOfParts(field: FieldOf<'part'>, parts: readonly PartValue[], form: CellForm): string {
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

const isReference = (value: unknown): value is Reference =>
  typeof value === 'object' && value !== null && 'uri' in value && 'resource' in value

const filled = (value: unknown): unknown =>
  value === null || (Array.isArray(value) && value.length === 0) ? undefined : value

/** The types under the names that references have for them. */
const typesNamed = new Map(Object.entries(resourceNames).map(([type, name]) => [name, type as NamedType]))

function shortened({ id, resource }: Reference, form: CellForm): Partial<Reference> {
  const type = typesNamed.get(resource)
  const known = form.refs === 'id' || type === undefined ? undefined : form.nameOf(type, Number(id))
  if (known === undefined) return { id }
  return type === 'term' && !known.isShared ? { name: known.name } : { id, name: known.name }
}
