import type { HidingPart } from '../farm/older-fields.ts'
import { type Field, type FieldKind, type FieldOf, isMany } from '../fields/field.ts'
import { plainRules } from '../fields/kinds.ts'
import { type InputPlace, isTree, shown } from '../fields/place.ts'
import { mostValues, validateValue } from '../fields/validation.ts'
import type { Draft, DraftOf, PartDraft } from '../fields/value.ts'
import { readAttachment } from './read-attachment.ts'
import { asWritten, readReference } from './read-reference.ts'

type ReadTable = { readonly [K in FieldKind]: OlderReader<K> }

interface OlderReader<K extends FieldKind> {
  readonly read: (field: FieldOf<K>, input: unknown, place: InputPlace) => DraftOf[K] | undefined
}

/** How what clients write becomes a draft of each kind. Whether it is valid, the gate of fields/ says. */
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

/** Kinds of which most fields have several values: a list of one is taken where there is one. */
const inLists: readonly FieldKind[] = ['part', 'reference']

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

/** What an empty part stands for: one of which nothing is shown, if there is such a one. */
function unfilled(field: Field | HidingPart): PartDraft | undefined {
  return 'hidden' in field && field.hidden !== undefined ? { part: {}, keeps: field.hidden } : undefined
}

const isUnfilledPart = (draft: Draft): boolean =>
  typeof draft === 'object' && 'keeps' in draft && Object.keys(draft.part).length === 0

/** Clients fill in templates; one that was left empty means none. */
function isNone(field: Field, input: unknown): boolean {
  if (input === null || input === undefined) return true
  if (input === '') return field.kind !== 'long-text' || field.takesRich === true
  if (Array.isArray(input)) return input.length === 0
  return field.kind !== 'reference' && isTree(input) && Object.keys(input).length === 0
}

function readPart(field: HidingPart, input: unknown, place: InputPlace): PartDraft | undefined {
  if (!isTree(input)) return place.fault(`must be an object, not ${shown(input)}`, Object.keys(field.fields))
  const part: Record<string, Draft> = {}
  for (const name in input) {
    const own = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
    if (own === undefined) {
      place.inside(name).fault('there is no such field here', Object.keys(field.fields))
      continue
    }
    const draft = readField(own, input[name], place.inside(name))
    if (draft !== undefined) part[name] = draft
  }
  if (Object.keys(part).length === 0) return unfilled(field)
  return field.hidden === undefined ? { part } : { part, keeps: field.hidden }
}

function readChoice({ list }: FieldOf<'choice'>, input: unknown, place: InputPlace): string | undefined {
  return typeof input === 'string' ? input : place.fault(`must be a word, not ${shown(input)}`, place.words(list))
}
