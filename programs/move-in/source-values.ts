import { type Field, type FieldKind, type FieldOf, type Fields, isMany } from '../../src/fields/field.ts'
import { exactDecimal, type Fraction, fractionText } from '../../src/fields/fraction.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { yesOrNo } from '../../src/fields/scalars.ts'
import { richTextFormat, richTextFormats } from '../../src/fields/text.ts'
import { fileIn, idIn } from './source-lists.ts'
import { carriable, oneLine, writtenText } from './written-text.ts'

/** Reads texts as written, or as the source renders them. */
export type NoteFormat = 'text' | 'html'

/** A value of the source, as this farm's 1.x interface accepts it. */
export function toInput(field: Field, value: unknown, texts: NoteFormat): unknown {
  if (!isMany(field)) return preparedOne(field, value, texts)
  return itemsOf(value).map((item) => preparedOne(field, item, texts))
}

/** The values of a repeated field. PHP sends a list with a gap as an object of positions. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isTree(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value)
  return value === null || value === undefined || value === false ? [] : [value]
}

function preparedOne<K extends FieldKind>(field: FieldOf<K>, value: unknown, texts: NoteFormat): unknown {
  // A missing scalar inside a part means no.
  const isMissing = value === false || (Array.isArray(value) && value.length === 0)
  return isMissing && field.kind !== 'yes-no' ? null : sourceKinds[field.kind as K].prepare(value, field, texts)
}

/** A normal form of the value, for comparison; null for none. */
export function canonical(field: Field, value: unknown): unknown {
  if (!isMany(field)) return canonicalOne(field, value)
  const items = Array.isArray(value) ? value : [value]
  const all = items.map((item) => canonicalOne(field, item)).filter((item) => item !== null)
  return all.length === 0 ? null : all
}

function canonicalOne<K extends FieldKind>(field: FieldOf<K>, value: unknown): unknown {
  const isMissing = value === null || value === undefined || value === ''
  return isMissing ? null : sourceKinds[field.kind as K].canonical(value, field)
}

interface SourceKind<K extends FieldKind> {
  /** The value of the source, as 1.x accepts it. */
  readonly prepare: (value: unknown, field: FieldOf<K>, texts: NoteFormat) => unknown
  readonly canonical: (value: unknown, field: FieldOf<K>) => unknown
}

const plainCanonical = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

const oneLineOfText = { prepare: (value: unknown) => whenText(asText(value), oneLine), canonical: plainCanonical }

const sourceKinds: { readonly [K in FieldKind]: SourceKind<K> } = {
  text: oneLineOfText,
  'long-text': {
    prepare: (value, { takesRich }, texts) =>
      takesRich ? richText(value, texts)?.value : whenText(asText(value), carriable),
    canonical: plainCanonical,
  },
  'rich-text': {
    prepare: (value, _field, texts) => richText(value, texts),
    canonical: (value) => (isTree(value) && value.value !== '' ? [value.value, value.format ?? richTextFormat] : null),
  },
  timestamp: {
    prepare: (value) => (isTree(value) && 'value' in value ? value.value : value),
    canonical: plainCanonical,
  },
  period: {
    prepare: (value) => (isTree(value) ? { value: value.value, value2: value.value2 } : value),
    canonical: (value) => (isTree(value) && value.value != null ? `${value.value} ${value.value2}` : null),
  },
  'yes-no': { prepare: (value) => value, canonical: (value) => (yesOrNo(value) === true ? true : null) },
  whole: { prepare: (value) => value, canonical: plainCanonical },
  decimal: {
    prepare: (value) => (isFraction(value) ? (exactDecimal(fractionOf(value)) ?? value) : value),
    canonical: plainCanonical,
  },
  choice: oneLineOfText,
  reference: { prepare: (value) => value, canonical: canonicalId },
  geometry: {
    prepare: (value) => (isTree(value) && 'geom' in value ? value.geom : value),
    canonical: plainCanonical,
  },
  attachment: {
    prepare(value) {
      const id = fileIn(value)
      return id === undefined ? value : { id }
    },
    canonical: canonicalId,
  },
  part: {
    prepare: (value, { fields }, texts) => (isTree(value) ? preparedPart(fields, value, texts) : value),
    canonical: (value, { fields }) => canonicalPart(fields, value),
  },
}

function canonicalId(value: unknown): string {
  return String(idIn(value) ?? JSON.stringify(value))
}

function canonicalPart(fields: Fields, value: unknown): unknown {
  const members = Object.entries(fields).flatMap(([name, own]) => {
    const inside = isTree(value) ? canonical(own, value[name]) : null
    return inside === null ? [] : [[name, inside] as const]
  })
  return members.length === 0 ? null : Object.fromEntries(members)
}

function preparedPart(fields: Fields, part: Tree, texts: NoteFormat): Tree {
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (field !== undefined) return [[name, toInput(field, value, texts)] as const]
      return isEmpty(value) ? [] : [[name, value] as const]
    }),
  )
}

function richText(value: unknown, texts: NoteFormat): Tree | null {
  const written = isTree(value) ? value.value : value
  if (typeof written !== 'string') return null
  const text = carriable(texts === 'html' ? written : writtenText(written))
  return isTree(value) && isKeptFormat(value.format) ? { value: text, format: value.format } : { value: text }
}

/** Formats of rich text that this farm also has. */
export const isKeptFormat = (format: unknown): boolean =>
  typeof format === 'string' && format !== '' && richTextFormats.includes(format)

const whenText = (value: unknown, change: (text: string) => string): unknown =>
  typeof value === 'string' ? change(value) : value

/** A value without a form here is kept as JSON text. */
export function asText(value: unknown): unknown {
  if (isFraction(value)) return exactDecimal(fractionOf(value)) ?? fractionText(fractionOf(value))
  if (isTree(value) && typeof value.value === 'string' && 'format' in value) return value.value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const whole = /^-?\d{1,30}$/

/** A ratio of two integers, as the source shows amounts of money. */
export const isFraction = (value: unknown): value is Tree =>
  isTree(value) &&
  whole.test(String(value.numerator)) &&
  whole.test(String(value.denominator)) &&
  BigInt(String(value.denominator)) > 0n

export const fractionOf = ({ numerator, denominator }: Tree): Fraction => ({
  numerator: BigInt(String(numerator)),
  denominator: BigInt(String(denominator)),
})

export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.every(isEmpty)
  return isTree(value) && Object.values(value).every(isEmpty)
}
