import { richTextFormat } from '../../../fields/text.ts'
import type { RichText, Values } from '../../../fields/value.ts'
import { draftGiven, type FieldDrafts, type Given } from './given.ts'

/** A field that is kept as an empty text is none, so that having no format has a word. */
const noFormat = 'none'

/** The description of a term, which is kept as a text, and its format where it is not the usual one. */
export function richTextOf({ description, description_format: format = richTextFormat }: Values): RichText | undefined {
  if (typeof description !== 'string' || description === '') return undefined
  return { value: description, format: format === noFormat ? '' : String(format) }
}

export function descriptionDrafts(given: Given): FieldDrafts {
  const rich = draftGiven(given, 'description') as RichText | undefined
  if (rich === undefined) return { description: undefined, description_format: undefined }
  const { value, format } = rich
  return { description: value, description_format: format === richTextFormat ? undefined : format || noFormat }
}
