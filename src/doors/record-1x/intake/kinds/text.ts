import type { LongTextField, RichTextField, TextField } from '../../../../fields/field.ts'
import { type InputPlace, isBlank, isTree, shown, type Tree } from '../../../../fields/place.ts'
import { richTextFormat } from '../../../../fields/text.ts'
import type { RichText } from '../../../../fields/value.ts'

export function readText(_field: TextField, input: unknown, place: InputPlace): string | undefined {
  if (typeof input === 'number') return String(input)
  return typeof input === 'string' ? input : place.fault(`must be text, not ${shown(input)}`)
}

export function readLongText(field: LongTextField, input: unknown, place: InputPlace): string | undefined {
  if (field.takesRich && isTree(input)) return readRichText(undefined, input, place)?.value || undefined
  return typeof input === 'string' ? input : place.fault(`must be a string, not ${shown(input)}`)
}

/** Rich text is `{value, format}`; a bare string is its value. */
export function readRichText(
  field: RichTextField | undefined,
  input: unknown,
  place: InputPlace,
): RichText | undefined {
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
