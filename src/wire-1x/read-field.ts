import type { HidingPart } from '../farm/older-fields.ts'
import { readDecimal as decimalIn, decimalOfNumber, mostDecimalDigits } from '../fields/exact-decimal.ts'
import {
  type ChoiceField,
  type DecimalField,
  type Field,
  type FieldKind,
  type FieldOf,
  type GeometryField,
  isMany,
  type LongTextField,
  type PeriodField,
  type RichTextField,
  type TextField,
  type TimestampField,
  type WholeField,
  type YesNoField,
} from '../fields/field.ts'
import { type InputPlace, isBlank, isTree, isUnfilled, shown, type Tree } from '../fields/place.ts'
import { wholeNumber, yesNoWords, yesOrNo } from '../fields/scalars.ts'
import { richTextFormat } from '../fields/text.ts'
import { timestampForm } from '../fields/time.ts'
import { mostValues, validateValue } from '../fields/validation.ts'
import type { Draft, DraftOf, PartDraft, Period, RichText } from '../fields/value.ts'
import { readAttachment } from './read-attachment.ts'
import { asWritten, readReference } from './read-reference.ts'

type ReadTable = {
  readonly [K in FieldKind]: (field: FieldOf<K>, input: unknown, place: InputPlace) => DraftOf[K] | undefined
}

const readChoice = ({ list }: ChoiceField, input: unknown, place: InputPlace): string | undefined =>
  typeof input === 'string' ? input : place.fault(`must be a word, not ${shown(input)}`, place.words(list))

/** How what clients write becomes a draft of each kind. Whether it is valid, the gate of fields/ says. */
const reading: ReadTable = {
  text: readText,
  'long-text': readLongText,
  'rich-text': readRichText,
  timestamp: readTimestamp,
  period: readPeriod,
  'yes-no': readYesNo,
  whole: readWhole,
  decimal: readDecimal,
  choice: readChoice,
  reference: readReference,
  geometry: readGeometry,
  attachment: readAttachment,
  part: readPart,
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
  const draft = reading[field.kind as K](field, field.kind === 'reference' ? input : asWritten(input), place)
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

function readText(_field: TextField, input: unknown, place: InputPlace): string | undefined {
  if (typeof input === 'number') return String(input)
  return typeof input === 'string' ? input : place.fault(`must be text, not ${shown(input)}`)
}

function readLongText(field: LongTextField, input: unknown, place: InputPlace): string | undefined {
  if (field.takesRich && isTree(input)) return readRichText(undefined, input, place)?.value || undefined
  return typeof input === 'string' ? input : place.fault(`must be a string, not ${shown(input)}`)
}

/** Rich text is `{value, format}`; a bare string is its value. */
function readRichText(field: RichTextField | undefined, input: unknown, place: InputPlace): RichText | undefined {
  if (!isTree(input)) return readRichText(field, { value: input }, place)
  if (!isRich(input)) return place.fault(notRich(input))
  const { value, format } = input
  if (losesSomething(input, place) || value === null || value === undefined) return undefined
  if (typeof value !== 'string') return place.inside('value').fault(`must be text, not ${shown(value)}`)
  if (isBlank(format)) return { value, format: richTextFormat }
  // Of a text that is kept without its format, any will do.
  if (format === richTextFormat || (field === undefined && typeof format === 'string')) return { value, format }
  return place.inside('format').fault(`unknown text format ${shown(format)}`, [richTextFormat])
}

/** An object without a value may be an empty template, but not another kind of object. */
const isRich = (input: Tree): boolean =>
  'value' in input ||
  Object.keys(input).every((name) => name === 'format' || (name === 'summary' && isBlank(input.summary)))

/** What is kept, and how other servers show the value, which clients may send back. */
const harmless: readonly string[] = ['value', 'format', 'safe_value', 'processed']

/** Notes every member with content that would not be kept. */
function losesSomething(input: Tree, place: InputPlace): boolean {
  const lost = Object.keys(input).filter((name) => !harmless.includes(name) && !isBlank(input[name]))
  for (const name of lost) place.inside(name).fault('cannot be kept: write it into the value', ['value', 'format'])
  return lost.length > 0
}

const notRich = (input: Tree): string => `must be {"value": …, "format": "${richTextFormat}"}, not ${shown(input)}`

function readWhole(_field: WholeField, input: unknown, place: InputPlace): number | undefined {
  return wholeNumber(input) ?? place.fault(`must be a whole number, not ${shown(input)}`)
}

function readDecimal(_field: DecimalField, input: unknown, place: InputPlace): string | undefined {
  const kept =
    typeof input === 'number' ? decimalOfNumber(input) : typeof input === 'string' ? decimalIn(input) : undefined
  return kept ?? place.fault(`must be a decimal number of up to ${mostDecimalDigits} digits, not ${shown(input)}`)
}

function readYesNo(_field: YesNoField, input: unknown, place: InputPlace): boolean | undefined {
  return yesOrNo(input) ?? place.fault(`must be 1 or 0, or true or false, not ${shown(input)}`, yesNoWords)
}

/** Well-Known Text, bare or as `{"geom": …}`. */
function readGeometry(field: GeometryField, input: unknown, place: InputPlace): string | undefined {
  if (isTree(input) && 'geom' in input) {
    if (isUnfilled(input)) return undefined
    return readGeometry(field, input.geom, place)
  }
  if (typeof input === 'string') return input
  return place.fault(`must be Well-Known Text such as "POINT (7.1 50.2)", not ${shown(input)}`)
}

export function readTimestamp(
  { unset }: Pick<TimestampField, 'unset'>,
  input: unknown,
  place: InputPlace,
): number | undefined {
  if (unset !== undefined && (input === false || input === 'false')) return unset
  return wholeNumber(input) ?? place.fault(`must be ${timestampForm}, not ${shown(input)}`)
}

/** The last is worked out: it comes back with a record that was read. */
const periodMembers: readonly string[] = ['value', 'value2', 'duration']

function readPeriod(_field: PeriodField, input: unknown, place: InputPlace): Period | undefined {
  if (!isTree(input)) return place.fault(`must be {"value": start, "value2": end}, not ${shown(input)}`)
  if (isUnfilled(input)) return undefined
  const stranger = Object.keys(input).find((name) => !periodMembers.includes(name))
  if (stranger !== undefined) return place.inside(stranger).fault('is not part of a period', periodMembers)
  const value = readTimestamp({}, input.value, place.inside('value'))
  const value2 = isBlank(input.value2) ? value : readTimestamp({}, input.value2, place.inside('value2'))
  return value === undefined || value2 === undefined ? undefined : { value, value2 }
}
