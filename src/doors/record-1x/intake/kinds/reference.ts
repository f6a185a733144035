import { resourceNames } from '../../../../farm/resource-names.ts'
import type { ReferenceField } from '../../../../fields/field.ts'
import { type InputPlace, isBlank, isTree, isUnfilled, shown } from '../../../../fields/place.ts'
import type { ReferenceDraft } from '../../../../fields/value.ts'
import { KnownId } from '../known-id.ts'
import { wholeNumber } from '../whole-number.ts'

/** `{"id": …}`, a bare id, or for terms `{"name": …}`; where both are given the id decides. */
export function readReference(
  field: Pick<ReferenceField, 'to'>,
  input: unknown,
  place: InputPlace,
): ReferenceDraft | undefined {
  if (!isTree(input)) return readId(field, input, place)
  if (!isBlank(input.id)) return readId(field, input.id, place.inside('id'))
  if (isBlank(input.name)) {
    return isUnfilled(input) ? undefined : place.fault(`must name what it refers to: ${forms(field)}`)
  }
  return readName(input.name, place.inside('name'))
}

function readId(field: Pick<ReferenceField, 'to'>, input: unknown, place: InputPlace): ReferenceDraft | undefined {
  if (input instanceof KnownId) {
    if (input.type === field.to) return { ref: 'id', id: input.id }
    const { type, id } = input
    return place.fault(`${shown(input)} is ${resourceNames[type]} ${id}, and not a ${resourceNames[field.to]}`)
  }
  const id = wholeNumber(input)
  if (id !== undefined && id > 0) return { ref: 'id', id }
  return place.fault(`${shown(input)} is not an id; write ${forms(field)}`)
}

function readName(input: unknown, place: InputPlace): ReferenceDraft | undefined {
  const name = typeof input === 'number' ? String(input) : input
  return typeof name === 'string' ? { ref: 'name', name } : place.fault('must be the name of a term')
}

const forms = ({ to }: Pick<ReferenceField, 'to'>): string =>
  to === 'term' ? '{"id": "12"} or {"name": "…"}' : '{"id": "12"}'
