import { type NamedType, resourceNames } from '../farm/resource-names.ts'
import type { ReferenceField } from '../fields/field.ts'
import { type InputPlace, isBlank, isTree, isUnfilled, shown, type Tree } from '../fields/place.ts'
import { wholeNumber } from '../fields/scalars.ts'
import { uuidIn } from '../fields/uuid.ts'
import type { ReferenceDraft } from '../fields/value.ts'

/** The id of a record whose type is known, wherever the id itself is written. */
export class KnownId {
  readonly type: NamedType
  readonly id: number
  readonly written: string

  constructor(type: NamedType, id: number, written: string) {
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

/** `{"id": …}`, a bare id, `{"uuid": …}`, or for terms `{"name": …}`, which decides only where it stands alone. */
export function readReference(
  field: Pick<ReferenceField, 'to'>,
  input: unknown,
  place: InputPlace,
): ReferenceDraft | undefined {
  if (!isTree(input)) return readId(field, input, place)
  if (!isBlank(input.uuid)) return readUuid(field, input, place)
  if (!isBlank(input.id)) return readId(field, input.id, place.inside('id'))
  if (isBlank(input.name)) {
    return isEmptyTemplate(input) ? undefined : place.fault(`must name what it refers to: ${forms(field)}`)
  }
  return readName(input.name, place.inside('name'))
}

/** Members of the references that clients write and read; one that is null or empty refers to nothing. */
const referenceMembers = ['id', 'tid', 'uid', 'uuid', 'name', 'uri', 'target_id', 'value']

/** JSON leaves out what is undefined in a client: an object with none of these members is a mistake, and no empty template. */
const isEmptyTemplate = (input: Tree): boolean => isUnfilled(input) && referenceMembers.some((name) => name in input)

function readUuid(field: Pick<ReferenceField, 'to'>, input: Tree, place: InputPlace): ReferenceDraft | undefined {
  const uuid = uuidIn(input.uuid)
  if (uuid === undefined) return place.inside('uuid').fault(`${shown(input.uuid)} is not a UUID`)
  if (isBlank(input.id)) return { ref: 'uuid', uuid }
  const named = readId(field, input.id, place.inside('id'))
  return named?.ref === 'id' ? { ref: 'uuid', uuid, id: named.id } : undefined
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
  to === 'term' ? '{"id": "12"}, {"uuid": "…"} or {"name": "…"}' : '{"id": "12"} or {"uuid": "…"}'
