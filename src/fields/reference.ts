import type { ReferableType, ReferenceField } from './field.ts'
import { valueLimits } from './limits.ts'
import type { InputPlace } from './place.ts'
import type { ReferenceDraft } from './value.ts'

export const reference = <const T extends Partial<ReferenceField>>(
  label: string,
  to: ReferableType,
  traits?: T,
): ReferenceField & T => ({ kind: 'reference', label, to, ...(traits as T) })

/** A reference to terms of one vocabulary; missing terms are created when they are given by name. */
export const termsOf = <const T extends Partial<ReferenceField>>(
  label: string,
  vocabulary: string,
  traits?: T,
): ReferenceField & T => reference(label, 'term', { within: [vocabulary], ...(traits as T) })

/** The farm decides whether the record exists; only terms can be referred to by name. */
export function validateReference(
  field: ReferenceField,
  draft: ReferenceDraft,
  place: InputPlace,
): ReferenceDraft | undefined {
  if (draft.ref === 'id') return draft
  if (draft.ref === 'uuid') {
    if (field.to !== 'user' && field.to !== 'vocabulary') return draft
    return place.inside('uuid').fault(`a ${field.to} is known by no UUID here; give the id`)
  }
  const inside = place.inside('name')
  if (field.to !== 'term') return inside.fault('only terms can be referred to by name; give the id')
  if (draft.name.trim() === '') return inside.fault('must be the name of a term')
  if ([...draft.name].length <= valueLimits.nameLength) return draft
  return inside.fault(`is longer than ${valueLimits.nameLength} characters`)
}
