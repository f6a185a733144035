import { type InputPlace, shown } from '../../../fields/place.ts'
import { uuidIn } from '../../../fields/uuid.ts'
import type { FileDraft, ReferenceDraft } from '../../../fields/value.ts'
import { wholeNumber } from '../../http/whole-number.ts'

/** What a part refers to is no relationship: it is shown by its number, and taken by number or UUID. */
export function readInnerReference(input: unknown, place: InputPlace): ReferenceDraft | undefined {
  const uuid = uuidIn(input)
  if (uuid !== undefined) return { ref: 'uuid', uuid }
  const id = idIn(input, place)
  return id === undefined ? undefined : { ref: 'id', id }
}

export function readInnerFile(input: unknown, place: InputPlace): FileDraft | undefined {
  const uuid = uuidIn(input)
  if (uuid !== undefined) return { file: 'uuid', uuid }
  const id = idIn(input, place)
  return id === undefined ? undefined : { file: 'kept', id }
}

function idIn(input: unknown, place: InputPlace): number | undefined {
  const id = wholeNumber(input)
  return id !== undefined && id > 0
    ? id
    : place.fault(`must be the number or the UUID of a record, not ${shown(input)}`)
}
