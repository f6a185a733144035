import type { OlderPart } from '../farm/fields-of.ts'
import { type NamedType, resourceNames } from '../farm/resource-names.ts'
import { type Field, type FieldKind, type FieldOf, isMany, type ReferenceField } from '../fields/field.ts'
import { mostValues, plainRules, validateValue } from '../fields/kinds.ts'
import { type InputPlace, isBlank, isTree, isUnfilled, shown, type Tree } from '../fields/place.ts'
import { uuidIn, wholeNumber } from '../fields/scalars.ts'
import type { Draft, DraftOf, PartDraft, ReferenceDraft } from '../fields/value.ts'
import { readAttachment } from './read-attachment.ts'

type ReadTable = { readonly [K in FieldKind]: OlderReader<K> }

interface OlderReader<K extends FieldKind> {
  readonly read: (field: FieldOf<K>, input: unknown, place: InputPlace) => DraftOf[K] | undefined
}

/** A word of the choice behind a yes or no, which no body can say. */
export class KnownChoice {
  readonly value: string

  constructor(value: string) {
    this.value = value
  }
}

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

const forms = ({ to }: Pick<ReferenceField, 'to'>): string =>
  to === 'term' ? '{"id": "12"}, {"uuid": "…"} or {"name": "…"}' : '{"id": "12"} or {"uuid": "…"}'

/** JSON leaves out what is undefined in a client: an object with none of these members is a mistake, and no empty template. */
const isEmptyTemplate = (input: Tree): boolean => isUnfilled(input) && referenceMembers.some((name) => name in input)

/** Members of the references that clients write and read; one that is null or empty refers to nothing. */
const referenceMembers = ['id', 'tid', 'uid', 'uuid', 'name', 'uri', 'target_id', 'value']

/** For fields without references: a member `id` is no record id there. */
const asWritten = (input: unknown): unknown => (input instanceof KnownId ? input.written : input)

const isUnfilledPart = (draft: Draft): boolean =>
  typeof draft === 'object' && 'keeps' in draft && Object.keys(draft.part).length === 0

/** Kinds of which most fields have several values: a list of one is taken where there is one. */
const inLists: readonly FieldKind[] = ['part', 'reference']

/** Parsers by kind. `fields/` validates the drafts. */
const readers: ReadTable = {
  ...plainRules('older'),
  choice: { read: readChoice },
  reference: { read: readReference },
  attachment: { read: readAttachment },
  part: { read: readPart },
}

/** Reads one field's input; undefined stands for none (or for a fault, which the place has noted). */
export function readField(field: Field, input: unknown, place: InputPlace): Draft | undefined {
  if (isMany(field)) return readMany(field, input, place)
  if (isNone(field, input)) return unfilled(field)
  const isListOfOne = inLists.includes(field.kind) && Array.isArray(input) && input.length === 1
  return isListOfOne ? readField(field, input[0], place) : readOne(field, input, place)
}

function readMany(field: Field, input: unknown, place: InputPlace): readonly Draft[] | undefined {
  const items = Array.isArray(input) ? input : isNone(field, input) ? [] : [input]
  const most = mostValues(field)
  if (items.length > most) return place.fault(`has ${items.length} items; at most ${most} are taken`)
  const numbers: number[] = []
  const read = items.flatMap((item, index) => {
    const draft = isNone(field, item) ? undefined : readOne(field, item, place.inside(index))
    if (draft === undefined) return []
    numbers.push(index)
    return [draft]
  })
  if (read.length < items.length) place.keep(numbers)
  return read.length === 0 ? undefined : read
}

function readOne<K extends FieldKind>(field: FieldOf<K>, input: unknown, place: InputPlace): Draft | undefined {
  const draft = readers[field.kind as K].read(field, field.kind === 'reference' ? input : asWritten(input), place)
  return draft === undefined || isUnfilledPart(draft) ? draft : validateValue(field, draft, place)
}

/** An empty part stands for one with only hidden fields, if there is one. */
function unfilled(field: Field | OlderPart): PartDraft | undefined {
  return 'hidden' in field && field.hidden !== undefined ? { part: {}, keeps: field.hidden } : undefined
}

/** Clients fill in templates; one that was left empty means none. */
function isNone(field: Field, input: unknown): boolean {
  if (input === null || input === undefined) return true
  if (input === '') return field.kind !== 'long-text' || field.takesRich === true
  if (Array.isArray(input)) return input.length === 0
  return field.kind !== 'reference' && isTree(input) && Object.keys(input).length === 0
}

function readPart(field: OlderPart, input: unknown, place: InputPlace): PartDraft | undefined {
  if (!isTree(input)) return place.fault(`must be an object, not ${shown(input)}`, Object.keys(field.fields))
  const part: Record<string, Draft> = {}
  for (const name in input) {
    const own = fieldInside(field, name)
    if (own === undefined) {
      place.inside(name).fault('there is no such field here', Object.keys(field.fields))
      continue
    }
    const draft = readField(own, input[name], place.inside(name))
    if (draft !== undefined && !isNoAlone(own, draft)) part[name] = draft
  }
  refuseBesideAlone(field, part, place)
  const hidden = field.hidden?.filter((name) => !Object.hasOwn(input, name)) ?? []
  if (Object.keys(part).length === 0) return hidden.length === 0 ? undefined : { part, keeps: hidden }
  return hidden.length === 0 ? { part } : { part, keeps: hidden }
}

function fieldInside({ fields, requested }: OlderPart, name: string): Field | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  return requested !== undefined && Object.hasOwn(requested, name) ? requested[name] : undefined
}

const isAlone = (field: Field | undefined): boolean => field?.kind === 'yes-no' && field.alone === true

/** A no that counts only alone says nothing. */
const isNoAlone = (field: Field, draft: Draft): boolean => draft === false && isAlone(field)

function refuseBesideAlone(field: OlderPart, part: Readonly<Record<string, Draft>>, place: InputPlace): void {
  const names = Object.keys(part)
  const alone = names.find((name) => isAlone(fieldInside(field, name)))
  if (alone === undefined || names.length === 1) return
  const others = names.filter((name) => name !== alone)
  place.inside(alone).fault(`counts only alone: leave out ${others.join(' and ')}, or this`)
}

function readChoice({ list }: FieldOf<'choice'>, input: unknown, place: InputPlace): string | undefined {
  return typeof input === 'string' ? input : place.fault(`must be a word, not ${shown(input)}`, place.words(list))
}

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
