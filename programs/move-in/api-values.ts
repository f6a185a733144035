import type { Farm } from '../../src/farm/farm.ts'
import { partMembers } from '../../src/farm/newer/members.ts'
import { keptWord } from '../../src/farm/newer/words.ts'
import { type Field, isMany } from '../../src/fields/field.ts'
import { exactDecimal, type Fraction, fractionText, isOverTens, roundedDecimal } from '../../src/fields/fraction.ts'
import { isPlain, rulesOf, validateValue } from '../../src/fields/kinds.ts'
import { type InputPlace, isBlank, isTree, type Tree } from '../../src/fields/place.ts'
import { wholeNumber } from '../../src/fields/scalars.ts'
import type { Draft, PartDraft, Value } from '../../src/fields/value.ts'
import { asText } from './source-values.ts'
import type { NoteAt } from './translation.ts'
import { carriable, oneLine } from './written-text.ts'

interface AttributeContext {
  readonly farm: Farm
  readonly place: InputPlace
  /** Notes values that are stored in another form. */
  readonly told: NoteAt
}

/** An attribute of the source as a draft of this farm; undefined for none, or after a fault. */
export function readNewerAttribute(field: Field, input: unknown, context: AttributeContext): Draft | undefined {
  if (!isMany(field)) return readOne(field, input, context)
  const items = Array.isArray(input) ? input : [input]
  const drafts = items.flatMap((item, index) => {
    const place = context.place.inside(index)
    return readOne(field, item, { ...context, place }) ?? []
  })
  return drafts.length === 0 ? undefined : drafts
}

function readOne(field: Field, input: unknown, context: AttributeContext): Draft | undefined {
  if (isNone(input)) return undefined
  const draft = draftOf(field, asCarried(field, input, context), context)
  if (draft === undefined) return undefined
  const valid = validateValue(field, draft as never, context.place)
  return field.kind === 'choice' && typeof valid === 'string' ? keptWord(context.farm, field.list, valid) : valid
}

function draftOf(field: Field, input: unknown, context: AttributeContext): Draft | undefined {
  const { place } = context
  if (isPlain(field)) return rulesOf(field).newer.read(input, place) as Draft | undefined
  switch (field.kind) {
    case 'choice':
      return typeof input === 'string' ? input : place.fault('must be a word')
    case 'part':
      return isTree(input) ? partOf(field, input, context) : place.fault('must be an object')
    case 'reference':
    case 'attachment': {
      // Inside parts only: elsewhere references and files are relationships.
      const id = wholeNumber(input)
      if (id === undefined || id < 1) return place.fault('must be a number')
      return field.kind === 'reference' ? { ref: 'id', id } : { file: 'kept', id }
    }
  }
}

function partOf(
  field: Extract<Field, { kind: 'part' }>,
  input: Tree,
  context: AttributeContext,
): PartDraft | undefined {
  const part: Record<string, Draft> = {}
  for (const { own, name, field: inside } of partMembers(field)) {
    const draft = readNewerAttribute(inside, input[name], { ...context, place: context.place.inside(name) })
    if (draft !== undefined) part[own] = draft
  }
  return Object.keys(part).length === 0 ? undefined : { part }
}

const isNone = (input: unknown): boolean =>
  isBlank(input) || (Array.isArray(input) && input.length === 0) || (isTree(input) && Object.keys(input).length === 0)

/** The value in a form that is taken here. Every change of it is noted. */
function asCarried({ kind }: Field, input: unknown, context: AttributeContext): unknown {
  if (kind === 'text') return cleaned(asText(input), oneLine, context)
  if (kind === 'choice') return cleaned(input, oneLine, context)
  if (kind === 'long-text') return cleaned(asText(input), carriable, context)
  if (kind === 'geometry') return isTree(input) ? input.value : input
  if (kind === 'rich-text') return carriedRichText(input, context)
  const fraction = kind === 'decimal' && isTree(input) ? fractionIn(input) : undefined
  return fraction === undefined ? input : (exactDecimal(fraction) ?? fractionText(fraction))
}

function carriedRichText(input: unknown, context: AttributeContext): Tree {
  const { value, format } = isTree(input) ? input : { value: input, format: undefined }
  const isKept = [undefined, null, '', 'default', 'plain_text'].some((one) => one === format)
  if (!isKept) context.told(context.place.at, 'other-format', String(format))
  return { value: cleaned(value, carriable, context), format: isKept ? format : 'default' }
}

function cleaned(input: unknown, clean: (text: string) => string, { place, told }: AttributeContext): unknown {
  if (typeof input !== 'string') return input
  const text = clean(input)
  if (text !== input) told(place.at, 'control-characters', input)
  return text
}

/** The decimal of a quantity, and the fraction as sent if the decimal is rounded. */
export function readFractionValue(input: unknown, place: InputPlace): Readonly<Record<string, Value>> {
  if (isNone(input)) return {}
  if (!isTree(input)) return place.fault('must be a fraction') ?? {}
  // Beyond 2^53 only the decimal is exact.
  const isExact = [input.numerator, input.denominator].every((one) => Number.isSafeInteger(Number(one)))
  const fraction = isExact ? fractionIn(input) : undefined
  const decimal = isBlank(input.decimal) ? undefined : String(input.decimal)
  if (fraction === undefined)
    return decimal === undefined || !/^-?\d+(\.\d+)?$/.test(decimal)
      ? (place.fault('must be a fraction') ?? {})
      : { value: decimal }
  const exact = exactDecimal(fraction)
  if (exact === undefined) {
    const value = roundedDecimal(fraction)
    return value === undefined ? (place.fault('is too large') ?? {}) : { value, fraction: fractionText(fraction) }
  }
  // The decimal as written has the same digits as a fraction over a power of ten: 250/100 is 2.50.
  return isOverTens(fraction) ? { value: exact } : { value: exact, fraction: fractionText(fraction) }
}

const whole = /^-?\d{1,30}$/

export function fractionIn({ numerator, denominator }: Tree): Fraction | undefined {
  const numbers = [String(numerator), String(denominator)]
  if (!numbers.every((one) => whole.test(one)) || /^-?0+$/.test(String(denominator))) return undefined
  const [top = 0n, bottom = 1n] = numbers.map(BigInt)
  return bottom < 0n ? { numerator: -top, denominator: -bottom } : { numerator: top, denominator: bottom }
}
