import type { ReferableType, ReferenceField } from './field.ts'
import { valueLimits } from './limits.ts'
import { isBlank, isTree, isUnfilled, type Place, shown } from './place.ts'
import { wholeNumber } from './time.ts'
import type { ReferenceDraft } from './value.ts'

export const reference = (label: string, to: ReferableType, traits: Partial<ReferenceField> = {}): ReferenceField => ({
  kind: 'reference',
  label,
  to,
  ...traits,
})

/** A reference to terms of one vocabulary; missing terms are created when they are given by name. */
export const termsOf = (label: string, vocabulary: string, traits: Partial<ReferenceField> = {}): ReferenceField =>
  reference(label, 'taxonomy_term', { within: [vocabulary], ...traits })

/** The id of a record whose type is known, wherever the id itself is written. */
export class KnownId {
  readonly type: ReferableType
  readonly id: number
  readonly written: string

  constructor(type: ReferableType, id: number, written: string) {
    this.type = type
    this.id = id
    this.written = written
  }

  /** Faults show it as it was written. */
  toJSON(): string {
    return this.written
  }
}

/** For fields that refer to nothing: whatever is called `id` there is no id of a record. */
export const asWritten = (input: unknown): unknown => (input instanceof KnownId ? input.written : input)

/** `{"id": …}`, a bare id, or for terms `{"name": …}`; where both are given the id decides. */
export function takeReference(field: ReferenceField, input: unknown, place: Place): ReferenceDraft | undefined {
  if (!isTree(input)) return takeId(field, input, place)
  if (!isBlank(input.id)) return takeId(field, input.id, place.inside('id'))
  if (isBlank(input.name)) {
    return isUnfilled(input) ? undefined : place.fault(`must name what it refers to: ${forms(field)}`)
  }
  return takeName(field, input.name, place.inside('name'))
}

function takeId(field: ReferenceField, input: unknown, place: Place): ReferenceDraft | undefined {
  if (input instanceof KnownId) {
    if (input.type === field.to) return { ref: 'id', id: input.id }
    return place.fault(`${shown(input)} is ${input.type} ${input.id}, and not a ${field.to}`)
  }
  const id = wholeNumber(input)
  if (id !== undefined && id > 0) return { ref: 'id', id }
  return place.fault(`${shown(input)} is not an id; write ${forms(field)}`)
}

function takeName(field: ReferenceField, input: unknown, place: Place): ReferenceDraft | undefined {
  if (field.to !== 'taxonomy_term') return place.fault('only terms can be referred to by name; give the id')
  const name = typeof input === 'number' ? String(input) : input
  if (typeof name !== 'string' || name.trim() === '') return place.fault('must be the name of a term')
  if ([...name].length > valueLimits.nameLength)
    return place.fault(`is longer than ${valueLimits.nameLength} characters`)
  return { ref: 'name', name }
}

const forms = (field: ReferenceField): string =>
  field.to === 'taxonomy_term' ? '{"id": "12"} or {"name": "…"}' : '{"id": "12"}'
