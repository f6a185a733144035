import type { Fields } from '../../fields/field.ts'
import type { Value, Values } from '../../fields/value.ts'

const heading = 'From farmOS, as text:'

/** Puts what has no other place into the data of a record, or where it has none into its description. */
export function withNotes(values: Values, fields: Fields, lines: readonly string[]): Values {
  if (lines.length === 0) return values
  const name = fields.data?.kind === 'long-text' ? 'data' : 'description'
  const before = textIn(values[name])
  const text = isObject(before)
    ? withMember(before, lines)
    : [before, heading, ...lines].filter((line) => line !== '').join('\n')
  return { ...values, [name]: fields[name]?.kind === 'rich-text' ? { value: text, format: 'farm_format' } : text }
}

const textIn = (value: Value | undefined): string => (typeof value === 'string' ? value : '')

/** Programs keep JSON there, which is to stay JSON. */
function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && typeof JSON.parse(text) === 'object'
  } catch {
    return false
  }
}

function withMember(text: string, lines: readonly string[]): string {
  const before = text.trimEnd().slice(0, -1).trimEnd()
  return `${before}${before.endsWith('{') ? '' : ','}"from_farmos":${JSON.stringify(lines)}}`
}
