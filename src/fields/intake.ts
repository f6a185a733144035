import { takeAttachment } from './attachment.ts'
import { takeChoice } from './choice.ts'
import { type Field, type FieldOf, isMany, type Kind, type PartField } from './field.ts'
import { takeGeometry } from './geometry.ts'
import { valueLimits } from './limits.ts'
import { takeDecimal, takeWhole, takeYesNo } from './number.ts'
import { isTree, isUnfilled, type Place, shown } from './place.ts'
import { asWritten, takeReference } from './reference.ts'
import { takeLongText, takeRichText, takeText } from './text.ts'
import { takePeriod, takeTimestamp } from './time.ts'
import type { Draft, PartDraft } from './value.ts'

type Intake = { readonly [K in Kind]: (field: FieldOf<K>, input: unknown, place: Place) => Draft | undefined }

/** The one gate: how untrusted input becomes a value of each kind, or a named fault. */
const intake: Intake = {
  text: takeText,
  'long-text': takeLongText,
  'rich-text': takeRichText,
  timestamp: takeTimestamp,
  period: takePeriod,
  'yes-no': takeYesNo,
  whole: takeWhole,
  decimal: takeDecimal,
  choice: takeChoice,
  reference: takeReference,
  geometry: takeGeometry,
  attachment: takeAttachment,
  part: takePart,
}

/** Reads one field's input; undefined stands for none (or for a fault, which the place has noted). */
export function takeField(field: Field, input: unknown, place: Place): Draft | undefined {
  if (isMany(field)) return takeMany(field, input, place)
  if (isNone(field, input)) return undefined
  const isListOfOne = inLists.includes(field.kind) && Array.isArray(input) && input.length === 1
  return isListOfOne ? takeField(field, input[0], place) : takeOne(field, input, place)
}

/** Kinds of which most fields have several values: a list of one is taken where there is one. */
const inLists: readonly Kind[] = ['part', 'reference']

function takeMany(field: Field, input: unknown, place: Place): readonly Draft[] | undefined {
  const items = Array.isArray(input) ? input : isNone(field, input) ? [] : [input]
  const most = mostItems(field)
  if (items.length > most) return place.fault(`has ${items.length} items; at most ${most} are taken`)
  const numbers: number[] = []
  const taken = items.flatMap((item, index) => {
    const draft = isNone(field, item) ? undefined : takeOne(field, item, place.inside(index))
    if (draft === undefined) return []
    numbers.push(index)
    return [draft]
  })
  if (taken.length < items.length) place.keep(numbers)
  return taken.length === 0 ? undefined : taken
}

const takeOne = <K extends Kind>(field: FieldOf<K>, input: unknown, place: Place): Draft | undefined =>
  intake[field.kind as K](field, field.kind === 'reference' ? input : asWritten(input), place)

/** Clients fill in templates; one that was left empty means none. */
function isNone(field: Field, input: unknown): boolean {
  if (input === null || input === undefined) return true
  if (input === '') return field.kind !== 'long-text' || field.takesRich === true
  if (Array.isArray(input)) return input.length === 0
  return isTree(input) && Object.keys(input).length === 0
}

function mostItems(field: Field): number {
  if (field.kind === 'part') return valueLimits.partCount
  return field.kind === 'attachment' ? valueLimits.filesPerRecord : valueLimits.listLength
}

function takePart(field: PartField, input: unknown, place: Place): PartDraft | undefined {
  if (!isTree(input)) return place.fault(`must be an object, not ${shown(input)}`, Object.keys(field.fields))
  const part: Record<string, Draft> = {}
  for (const name in input) {
    const own = Object.hasOwn(field.fields, name) ? field.fields[name] : undefined
    if (own === undefined) {
      place.inside(name).fault('there is no such field here', Object.keys(field.fields))
      continue
    }
    const draft = takeField(own, input[name], place.inside(name))
    if (draft !== undefined) part[name] = draft
  }
  if (Object.keys(part).length === 0) return undefined
  for (const name in field.fields) {
    if (field.fields[name]?.required && isUnfilled(input[name])) place.inside(name).fault('is required')
  }
  return { part }
}
