import type { Field, Fields } from '../../src/fields/field.ts'
import { isMany } from '../../src/fields/field.ts'
import { exactDecimal, type Fraction, fractionText } from '../../src/fields/fraction.ts'
import { isTree, type Tree } from '../../src/fields/place.ts'
import { richTextFormats } from '../../src/fields/text.ts'
import { fileIn } from './source-lists.ts'
import { carriable, oneLine, writtenText } from './written-text.ts'

/** How texts are taken: as what was written, or as the other server renders them. */
export type NoteFormat = 'text' | 'html'

/** What the other server shows of a field, as this farm's own interface would be sent it. */
export function toInput(field: Field, value: unknown, texts: NoteFormat): unknown {
  if (!isMany(field)) return preparedOne(field, value, texts)
  return itemsOf(value).map((item) => preparedOne(field, item, texts))
}

/** The values of a field that has several. PHP sends a list with a gap as an object of positions. */
export function itemsOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (isTree(value) && Object.keys(value).length > 0 && Object.keys(value).every((key) => /^\d+$/.test(key)))
    return Object.values(value)
  return value === null || value === undefined || value === false ? [] : [value]
}

function preparedOne(field: Field, value: unknown, texts: NoteFormat): unknown {
  if (field.kind === 'yes-no') return value
  // A scalar that is missing inside a part is a no there.
  if (value === false || (Array.isArray(value) && value.length === 0)) return null
  switch (field.kind) {
    case 'rich-text':
      return richText(value, texts)
    case 'long-text':
      return field.takesRich ? (richText(value, texts) as Tree | null)?.value : whenText(asText(value), carriable)
    case 'text':
    case 'choice':
      return whenText(asText(value), oneLine)
    case 'decimal':
      return isFraction(value) ? (exactDecimal(fractionOf(value)) ?? value) : value
    case 'timestamp':
      return isTree(value) && 'value' in value ? value.value : value
    case 'period':
      return isTree(value) ? { value: value.value, value2: value.value2 } : value
    case 'geometry':
      return isTree(value) && 'geom' in value ? value.geom : value
    case 'attachment': {
      const id = fileIn(value)
      return id === undefined ? value : { id }
    }
    case 'part':
      return isTree(value) ? preparedPart(field.fields, value, texts) : value
    default:
      return value
  }
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

/** Formats of rich text that this farm has, too. */
export const isKeptFormat = (format: unknown): boolean =>
  typeof format === 'string' && format !== '' && richTextFormats.includes(format)

const whenText = (value: unknown, change: (text: string) => string): unknown =>
  typeof value === 'string' ? change(value) : value

/** What has no form of its own here is kept as the text of its JSON. */
function asText(value: unknown): unknown {
  if (isFraction(value)) return exactDecimal(fractionOf(value)) ?? fractionText(fractionOf(value))
  if (isTree(value) && typeof value.value === 'string' && 'format' in value) return value.value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}

const whole = /^-?\d{1,30}$/

/** A ratio of two whole numbers, as the other server tells amounts of money. */
export const isFraction = (value: unknown): value is Tree =>
  isTree(value) &&
  whole.test(String(value.numerator)) &&
  whole.test(String(value.denominator)) &&
  BigInt(String(value.denominator)) > 0n

export const fractionOf = ({ numerator, denominator }: Tree): Fraction => ({
  numerator: BigInt(String(numerator)),
  denominator: BigInt(String(denominator)),
})

/** Whether there is nothing in it that could be lost. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === false) return true
  if (Array.isArray(value)) return value.every(isEmpty)
  return isTree(value) && Object.values(value).every(isEmpty)
}
