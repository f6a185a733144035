import type { LongTextField, RichTextField, TextField } from './field.ts'
import { valueLimits } from './limits.ts'
import { isBlank, isTree, type Place, shown, type Tree } from './place.ts'
import type { RichText } from './value.ts'

export const richTextFormat = 'farm_format'

export const text = (label: string, traits: Partial<TextField> = {}): TextField => ({
  kind: 'text',
  label,
  maxLength: valueLimits.textLength,
  ...traits,
})

export const longText = (label: string, traits: Partial<LongTextField> = {}): LongTextField => ({
  kind: 'long-text',
  label,
  maxLength: valueLimits.dataLength,
  ...traits,
})

export const richText = (label: string, traits: Partial<RichTextField> = {}): RichTextField => ({
  kind: 'rich-text',
  label,
  ...traits,
})

export function takeText(field: TextField, input: unknown, place: Place): string | undefined {
  if (typeof input === 'number') return String(input)
  if (typeof input !== 'string') return place.fault(`must be text, not ${shown(input)}`)
  return withinLength(input, field.maxLength, place)
}

export function takeLongText(field: LongTextField, input: unknown, place: Place): string | undefined {
  if (field.takesRich && isTree(input)) {
    if (!isRich(input)) return place.fault(notRich(input))
    if (losesSomething(input, place) || isBlank(input.value)) return undefined
    return takeLongText(field, input.value, place.inside('value'))
  }
  if (typeof input !== 'string') return place.fault(`must be a string, not ${shown(input)}`)
  return withinLength(input, field.maxLength, place)
}

/** Rich text is `{value, format}`; a bare string is its value. */
export function takeRichText(_field: RichTextField, input: unknown, place: Place): RichText | undefined {
  if (!isTree(input)) return takeRichText(_field, { value: input }, place)
  if (!isRich(input)) return place.fault(notRich(input))
  const { value, format } = input
  if (losesSomething(input, place) || value === null || value === undefined) return undefined
  if (typeof value !== 'string') return place.inside('value').fault(`must be text, not ${shown(value)}`)
  if (format !== undefined && format !== null && format !== '' && format !== richTextFormat) {
    return place.inside('format').fault(`unknown text format ${shown(format)}`, [richTextFormat])
  }
  const kept = withinLength(value, valueLimits.textLength, place.inside('value'))
  return kept === undefined ? undefined : { value: kept, format: richTextFormat }
}

/** An object without a value may be an empty template, but not another kind of object. */
const isRich = (input: Tree): boolean =>
  'value' in input ||
  Object.keys(input).every((name) => name === 'format' || (name === 'summary' && isBlank(input.summary)))

/** What is kept, and how other servers show the value, which clients may send back. */
const harmless: readonly string[] = ['value', 'format', 'safe_value', 'processed']

/** Notes every member with content that would not be kept. */
function losesSomething(input: Tree, place: Place): boolean {
  const lost = Object.keys(input).filter((name) => !harmless.includes(name) && !isBlank(input[name]))
  for (const name of lost) place.inside(name).fault('cannot be kept: write it into the value', ['value', 'format'])
  return lost.length > 0
}

const notRich = (input: Tree): string => `must be {"value": …, "format": "${richTextFormat}"}, not ${shown(input)}`

function withinLength(input: string, maxLength: number, place: Place): string | undefined {
  if (input.length <= maxLength || characters(input) <= maxLength) return input
  return place.fault(`is longer than ${maxLength} characters`)
}

function characters(input: string): number {
  let count = 0
  for (const _character of input) count += 1
  return count
}
